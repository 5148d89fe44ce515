# SPDX-License-Identifier: BSD-3-Clause
"""Moving particles: the fluid at the end by its speed, and how far it has reached."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, to_rgba
from mpl_toolkits.mplot3d import Axes3D

from isthmus.plot.figure import PALETTE, STYLE, new_figure, save
from isthmus.solvers.particles import Solved
from isthmus.solvers.series import Moment, last_moment

FLUID = 0  # the array "kind"


def particles_picture(path: Path, title: str, solved: Solved, tank: dict) -> Path:
    """`tank`: the table of the case. In 3D the fluid and what stands in the tank are seen aslant."""
    moment = last_moment(path.parent)
    is_flat = np.ptp(moment.points[:, 2]) == 0
    with mpl.rc_context(STYLE):
        figure = new_figure(
            11.0,
            4.8,
            title,
            f"time {moment.time:.3g} s, {solved.particles:,} particles, {solved.steps:,} steps",
        )
        spaces = figure.add_gridspec(1, 2, width_ratios=(1.6, 1))
        if is_flat:
            flow = figure.add_subplot(spaces[0])
            shown = _draw_flat(flow, moment)
        else:
            flow = figure.add_subplot(spaces[0], projection="3d", computed_zorder=False)
            shown = _draw_aslant(flow, moment, tank)
        figure.colorbar(shown, ax=flow, shrink=0.8, extend="max")
        flow.set(title="speed in m/s")
        front = figure.add_subplot(spaces[1])
        front.plot(
            [line["time"] for line in solved.history],
            [line["front"] for line in solved.history],
            color=PALETTE[0],
        )
        front.set(xlabel="time in s", title="front in m")
        front.grid(True, color="#e4e4e4", lw=0.6)
    return save(figure, path)


def _speeds(moment: Moment) -> tuple[np.ndarray, Normalize]:
    """Of all particles, and what colours stand for: a drop of spray may be much faster than all others."""
    speed = np.linalg.norm(moment.data["velocity"], axis=1)
    fluid = speed[moment.data["kind"] == FLUID]
    return speed, Normalize(0, np.quantile(fluid, 0.99) if len(fluid) else 1)


def _draw_flat(axes: Axes, moment: Moment) -> ScalarMappable:
    speed, norm = _speeds(moment)
    fluid = moment.data["kind"] == FLUID
    look = {"s": 2e4 / max(len(speed), 1), "linewidths": 0, "rasterized": True}
    axes.set(aspect="equal")
    axes.scatter(*moment.points[~fluid, :2].T, c="#bbbbbb", **look)
    return axes.scatter(*moment.points[fluid, :2].T, c=speed[fluid], cmap="viridis", norm=norm, **look)


def _draw_aslant(axes: Axes3D, moment: Moment, tank: dict) -> ScalarMappable:
    """Without walls of the tank, which would hide the fluid."""
    speed, norm = _speeds(moment)
    lower, upper = np.array(tank["lower"]), np.array(tank["upper"])
    inside = np.all((moment.points > lower) & (moment.points < upper), axis=1)
    fluid = moment.data["kind"] == FLUID
    shown = ScalarMappable(norm, "viridis")
    colours = np.where(fluid[:, None], shown.to_rgba(speed), to_rgba("#bbbbbb"))
    seen = inside | fluid
    size = 6e3 / max(np.count_nonzero(seen), 1) ** (2 / 3)  # as many are seen beside each other
    look = {"s": size, "linewidths": 0, "depthshade": False, "clip_on": False}
    axes.scatter(*moment.points[seen].T, c=colours[seen], **look)
    axes.set(xlim=(lower[0], upper[0]), ylim=(lower[1], upper[1]), zlim=(lower[2], upper[2]))
    axes.set_box_aspect(upper - lower, zoom=1.4)
    axes.locator_params("y", nbins=2)
    axes.locator_params("z", nbins=3)
    axes.view_init(22, -60)
    return shown
