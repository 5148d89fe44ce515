# SPDX-License-Identifier: BSD-3-Clause
"""A flow: Mach number around the body, residuals, loads over the incidence."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np

from isthmus.plot.figure import PALETTE, STYLE, new_figure, save
from isthmus.solvers.flow import Field, Solved


def flow_picture(path: Path, title: str, solved: Solved, fields: list[Field]) -> Path:
    """The layer k-min of all blocks near the body; residuals, or lift over the incidence if that changes."""
    moves = len({row["incidence"] for row in solved.loads}) > 1
    with mpl.rc_context(STYLE):
        last = solved.loads[-1]
        figure = new_figure(
            11.0,
            4.8,
            title,
            f"lift {last['lift']:.4f}, drag {last['drag']:.4f}, {solved.iterations:,} iterations",
        )
        flow, other = figure.subplots(1, 2, width_ratios=(1.6, 1))
        _draw_mach(figure, flow, fields)
        if moves:
            other.plot(
                [row["incidence"] for row in solved.loads],
                [row["lift"] for row in solved.loads],
                ".-",
                color=PALETTE[0],
            )
            other.set(xlabel="incidence in degrees", title="lift")
        else:
            for k, name in enumerate(("density", "energy")):
                other.semilogy(
                    [row["iteration"] for row in solved.history],
                    [row[name] for row in solved.history],
                    color=PALETTE[k],
                    label=name,
                )
            other.set(xlabel="iteration", title="residual")
            other.legend()
        other.grid(True, color="#e4e4e4", lw=0.6)
    return save(figure, path)


def _draw_mach(figure: mpl.figure.Figure, axes: mpl.axes.Axes, fields: list[Field]) -> None:
    mach = [field.mach()[:, :, 0] for field in fields]
    top = max(values.max() for values in mach)
    for field, values in zip(fields, mach, strict=True):
        shown = axes.pcolormesh(
            field.points[:, :, 0, 0],
            field.points[:, :, 0, 1],
            values,
            vmin=0,
            vmax=top,
            cmap="viridis",
            shading="flat",
            rasterized=True,
        )
    figure.colorbar(shown, ax=axes, shrink=0.8)
    points = np.concatenate([field.points[:, :, 0, :2].reshape(-1, 2) for field in fields])
    middle = np.median(points, axis=0)  # most nodes are near the body
    reach = min(3.0, float(np.abs(points - middle).max()))
    axes.set(
        xlim=(middle[0] - reach, middle[0] + 1.6 * reach),
        ylim=(middle[1] - reach, middle[1] + reach),
        aspect="equal",
        title="Mach number",
    )
