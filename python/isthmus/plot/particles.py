# SPDX-License-Identifier: BSD-3-Clause
"""Moving particles: the fluid at the end by its speed, and how far it has reached."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np

from isthmus.plot.figure import PALETTE, STYLE, new_figure, save
from isthmus.solvers.particles import Solved
from isthmus.solvers.series import last_moment

FLUID = 0  # the array "kind"


def particles_picture(path: Path, title: str, solved: Solved) -> Path:
    """Of a flow in 3D the third in the middle of the second direction is seen, from where it begins."""
    moment = last_moment(path.parent)
    is_flat = np.ptp(moment.points[:, 2]) == 0
    up = 1 if is_flat else 2
    depth = moment.points[:, 2 if is_flat else 1]
    order = np.argsort(-depth, kind="stable")
    order = order[np.abs(depth[order] - (depth.max() + depth.min()) / 2) <= np.ptp(depth) / 6]
    points, kind = moment.points[order], moment.data["kind"][order]
    speed = np.linalg.norm(moment.data["velocity"][order], axis=1)
    fluid = kind == FLUID
    with mpl.rc_context(STYLE):
        figure = new_figure(
            11.0,
            4.8,
            title,
            f"time {moment.time:.3g} s, {solved.particles:,} particles, {solved.steps:,} steps",
        )
        flow, front = figure.subplots(1, 2, width_ratios=(1.6, 1))
        across = len(moment.points) ** (1 if is_flat else 2 / 3)  # as many as are seen beside each other
        look = {"s": 2e4 / max(across, 1), "linewidths": 0, "rasterized": True}
        flow.scatter(*points[~fluid][:, (0, up)].T, c="#bbbbbb", **look)
        most = np.quantile(speed[fluid], 0.99) if fluid.any() else None  # a drop of spray may be much faster
        shown = flow.scatter(*points[fluid][:, (0, up)].T, c=speed[fluid], cmap="viridis", vmin=0, vmax=most,
                             **look)
        figure.colorbar(shown, ax=flow, shrink=0.8, extend="max")
        flow.set(aspect="equal", title="speed in m/s")
        front.plot(
            [line["time"] for line in solved.history],
            [line["front"] for line in solved.history],
            color=PALETTE[0],
        )
        front.set(xlabel="time in s", title="front in m")
        front.grid(True, color="#e4e4e4", lw=0.6)
    return save(figure, path)
