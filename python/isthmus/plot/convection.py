# SPDX-License-Identifier: BSD-3-Clause
"""A flow with heat: temperatures in a plane across the shortest side, and heat that enters over the time."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np

from isthmus.plot.figure import PALETTE, STYLE, new_figure, save
from isthmus.solvers.convection import Solved
from isthmus.solvers.series import Moment, last_moment


def convection_picture(path: Path, title: str, solved: Solved, groups: list[str]) -> Path:
    moment = last_moment(path.parent)
    with mpl.rc_context(STYLE):
        figure = new_figure(11.0, 4.8, title, f"time {moment.time:.4g}, {solved.steps:,} steps")
        plane, over_time = figure.subplots(1, 2, width_ratios=(1.6, 1))
        _draw_plane(figure, plane, moment)
        for k, group in enumerate(groups):
            over_time.plot(
                [line["time"] for line in solved.history],
                [line[f"heat_{group}"] for line in solved.history],
                color=PALETTE[k % len(PALETTE)],
                label=group,
            )
        later = solved.history[len(solved.history) // 5 :]
        last = [abs(line[f"heat_{group}"]) for line in later for group in groups]
        if last:  # the first steps heat a layer that is thin
            over_time.set_ylim(-1.2 * max(last), 1.2 * max(last))
            over_time.legend()
        over_time.set(xlabel="time", title="heat that enters")
        over_time.grid(True, color="#e4e4e4", lw=0.6)
    return save(figure, path)


def _draw_plane(figure: mpl.figure.Figure, axes: mpl.axes.Axes, moment: Moment) -> None:
    lengths = np.ptp(moment.points, axis=0)
    across = 1 if lengths[1] <= min(lengths) * (1 + 1e-9) else int(np.argmin(lengths))
    level = moment.points[:, across].min() + 0.501 * lengths[across]  # not through nodes
    shown = [d for d in range(3) if d != across]
    temperature = moment.data["temperature"]
    points, values = cut(moment, across, level, temperature)
    drawn = axes.tripcolor(
        *points[:, :, shown].reshape(-1, 2).T,
        values.ravel(),
        triangles=np.arange(values.size).reshape(-1, 3),
        shading="gouraud",
        cmap="inferno",
        vmin=temperature.min(),
        vmax=temperature.max(),
        rasterized=True,
    )
    figure.colorbar(drawn, ax=axes, shrink=0.8)
    names = "xyz"
    low, high = moment.points.min(0), moment.points.max(0)
    axes.set(
        xlim=(low[shown[0]], high[shown[0]]),
        ylim=(low[shown[1]], high[shown[1]]),
        xlabel=names[shown[0]],
        ylabel=names[shown[1]],
        aspect="equal",
        title=f"temperature at {names[across]} = {level:.2g}",
    )


def cut(moment: Moment, across: int, level: float, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where tetrahedra meet a plane: triangles, their corners (n, 3, 3) and the values there (n, 3)."""
    side = moment.points[moment.tetrahedra][:, :, across] > level
    points, at_points = [], []
    for above in (1, 2, 3):
        cells = moment.tetrahedra[side.sum(1) == above]
        order = np.argsort(~side[side.sum(1) == above], axis=1, kind="stable")  # those above first
        nodes = np.take_along_axis(cells, order, axis=1)
        edges = {1: (0, 1, 0, 2, 0, 3), 2: (0, 2, 0, 3, 1, 3, 1, 2), 3: (0, 3, 1, 3, 2, 3)}[above]
        first, second = nodes[:, edges[::2]], nodes[:, edges[1::2]]
        from_first = moment.points[first][:, :, across] - level
        share = from_first / (from_first - (moment.points[second][:, :, across] - level))
        corners = moment.points[first] * (1 - share)[..., None] + moment.points[second] * share[..., None]
        at_corners = values[first] * (1 - share) + values[second] * share
        for triangle in ((0, 1, 2), (0, 2, 3))[: corners.shape[1] - 2]:
            points.append(corners[:, triangle])
            at_points.append(at_corners[:, triangle])
    return np.concatenate(points), np.concatenate(at_points)
