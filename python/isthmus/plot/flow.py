# SPDX-License-Identifier: BSD-3-Clause
"""A flow: pressure around the body, vorticity of the wake, loads over the incidence or in time, residuals."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np

from isthmus.plot.figure import PALETTE, STYLE, new_figure, save
from isthmus.solvers.flow import Field, Solved, through_snapshots

LOADS = ("lift", "drag", "moment")
CURVE = 200  # points of a closed curve through the snapshots of a period


def flow_picture(path: Path, title: str, solved: Solved, fields: list[Field]) -> Path:
    """Of the layer k-min of all blocks, at the first snapshot or the end of a run in time."""
    with mpl.rc_context(STYLE):
        last = solved.loads[-1]
        figure = new_figure(
            11.0,
            8.6,
            title,
            f"lift {last['lift']:.4f}, drag {last['drag']:.4f}, {solved.iterations:,} iterations",
        )
        (pressure, wake), (loads, residual) = figure.subplots(2, 2)
        _draw_pressure(figure, pressure, fields)
        _draw_wake(figure, wake, fields)
        _draw_loads(loads, solved, is_period=fields[0].values.shape[0] > 1)
        _draw_residuals(residual, solved)
    return save(figure, path)


def _draw_pressure(figure: mpl.figure.Figure, axes: mpl.axes.Axes, fields: list[Field]) -> None:
    """Over that of the undisturbed flow, 1 / gamma."""
    middle, reach = _view(fields)
    values = [1.4 * field.pressure()[:, :, 0] for field in fields]
    shown = _draw_cells(axes, fields, values, (_least(values), _most(values)), "viridis")
    figure.colorbar(shown, ax=axes, shrink=0.8)
    axes.set(
        xlim=(middle[0] - reach, middle[0] + reach),
        ylim=(middle[1] - reach, middle[1] + reach),
        aspect="equal",
        title="pressure, over that of the free stream",
    )


def _draw_wake(figure: mpl.figure.Figure, axes: mpl.axes.Axes, fields: list[Field]) -> None:
    middle, reach = _view(fields)
    view = ((middle[0] - reach, middle[0] + 5 * reach), (middle[1] - 3 * reach, middle[1] + 3 * reach))
    values = [field.vorticity() for field in fields]
    behind = [
        _of_wake(field, vorticity, middle, reach) for field, vorticity in zip(fields, values, strict=True)
    ]
    top = max((float(np.abs(some).max()) for some in behind if some.size), default=1.0) or 1.0
    shown = _draw_cells(axes, fields, values, (-top, top), "RdBu_r")
    figure.colorbar(shown, ax=axes, shrink=0.8)
    axes.set(xlim=view[0], ylim=view[1], aspect="equal", title="vorticity")


def _of_wake(field: Field, vorticity: np.ndarray, middle: np.ndarray, reach: float) -> np.ndarray:
    """Values between one and five reaches behind the body, whose layers would outshine them."""
    x, y = np.moveaxis(field.centers(), -1, 0)
    behind = (x > middle[0] + reach) & (x < middle[0] + 5 * reach)
    return vorticity[behind & (abs(y - middle[1]) < 3 * reach)]


def _draw_loads(axes: mpl.axes.Axes, solved: Solved, *, is_period: bool) -> None:
    """The loop of a moving body over its incidence; else in time, or over the iterations of a steady flow."""
    rows = solved.loads
    if len({row["incidence"] for row in rows}) > 1:
        over, words = "incidence", "incidence in degrees"
    elif len(rows) > 1:
        over, words = "time", "time"
    else:
        rows, over, words = solved.history, "iteration", "iteration"
    is_loop = is_period and over == "incidence"
    for k, name in enumerate(LOADS):
        x, y = np.array([(row[over], row[name]) for row in rows]).T
        axes.plot(x, y, "." if is_loop else "-", color=PALETTE[k], label=name)
        if is_loop:
            angles = np.linspace(0, 2 * np.pi, CURVE)
            axes.plot(through_snapshots(x, angles), through_snapshots(y, angles), color=PALETTE[k])
    axes.set(xlabel=words, title="loads")
    axes.legend()
    axes.grid(True, color="#e4e4e4", lw=0.6)


def _draw_residuals(axes: mpl.axes.Axes, solved: Solved) -> None:
    is_steady = len(solved.loads) <= 1
    x = [row["iteration"] for row in solved.history] if is_steady else range(len(solved.history))
    for k, name in enumerate(("density", "energy")):
        axes.semilogy(x, [row[name] for row in solved.history], color=PALETTE[k], label=name)
    axes.set(xlabel="iteration" if is_steady else "line of history.csv", title="residuals")
    axes.legend()
    axes.grid(True, color="#e4e4e4", lw=0.6)


def _draw_cells(
    axes: mpl.axes.Axes,
    fields: list[Field],
    values: list[np.ndarray],
    limits: tuple[float, float],
    colors: str,
) -> mpl.collections.QuadMesh:
    for field, of_cells in zip(fields, values, strict=True):
        shown = axes.pcolormesh(
            field.points[:, :, 0, 0],
            field.points[:, :, 0, 1],
            of_cells,
            vmin=limits[0],
            vmax=limits[1],
            cmap=colors,
            shading="flat",
            rasterized=True,
        )
    return shown


def _view(fields: list[Field]) -> tuple[np.ndarray, float]:
    """The middle of the body, near which most nodes are, and how far to look."""
    points = np.concatenate([field.points[:, :, 0, :2].reshape(-1, 2) for field in fields])
    middle = np.median(points, axis=0)
    return middle, min(1.2, float(np.abs(points - middle).max()))


def _least(values: list[np.ndarray]) -> float:
    return min(float(some.min()) for some in values)


def _most(values: list[np.ndarray]) -> float:
    return max(float(some.max()) for some in values)
