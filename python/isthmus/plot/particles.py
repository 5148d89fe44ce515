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
    """Of particles in 3D those are in front that have the least second coordinate; walls are behind them."""
    moment = last_moment(path.parent)
    is_flat = np.ptp(moment.points[:, 2]) == 0
    up = 1 if is_flat else 2
    order = np.argsort(-moment.points[:, 2 if is_flat else 1], kind="stable")
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
        size = 2e4 / max(len(points), 1)
        walls = points[~fluid][:, (0, up)].T
        flow.scatter(*walls, s=size, c="#bbbbbb", linewidths=0, rasterized=True)
        seen = points[fluid][:, (0, up)].T
        shown = flow.scatter(*seen, s=size, c=speed[fluid], cmap="viridis", linewidths=0, rasterized=True)
        figure.colorbar(shown, ax=flow, shrink=0.8)
        flow.set(aspect="equal", title="speed in m/s")
        front.plot(
            [line["time"] for line in solved.history],
            [line["front"] for line in solved.history],
            color=PALETTE[0],
        )
        front.set(xlabel="time in s", title="front in m")
        front.grid(True, color="#e4e4e4", lw=0.6)
    return save(figure, path)
