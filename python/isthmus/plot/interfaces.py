# SPDX-License-Identifier: BSD-3-Clause
"""Ways to sum over shared nodes, over the number of simulated ranks; orders of the nodes."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes

from isthmus.bench.framework import Measurement
from isthmus.bench.interfaces import Steady
from isthmus.plot.figure import PALETTE, STYLE, new_figure, save
from isthmus.plot.over_ranks import rank_curves

COLOURS = {"allreduce": PALETTE[6], "allgather": PALETTE[3], "two_stage": PALETTE[5], "one_round": PALETTE[0],
           "automatic": PALETTE[2]}
SIMULATED = re.compile(r"(?P<way>\S+), (?P<ranks>[\d,]+) simulated ranks")
PANELS = ("bytes sent by the busiest rank", "messages sent by the busiest rank", "simulated time of a sum")


def interface_picture(path: Path, measurements: list[Measurement]) -> Path:
    """Three panels over ranks, one of orders."""
    with mpl.rc_context(STYLE):
        figure = new_figure(14.0, 7.4, "Sums over shared nodes, orders of nodes",
                            "178,605 tetrahedra of Elias et al. 2009 on simulated clusters; below, the edge "
                            "loop on this machine")
        grid = figure.add_gridspec(2, 6, height_ratios=(3, 2.4))
        for place, quantity in enumerate(PANELS):
            axes = figure.add_subplot(grid[0, 2 * place:2 * place + 2])
            rank_curves(axes, quantity, measurements, SIMULATED, COLOURS, dashed=("automatic",))
        for place, ranks in enumerate(("1 rank", "2 ranks")):
            _orders(figure.add_subplot(grid[1, 3 * place:3 * place + 3]), ranks, measurements)
    return save(figure, path)


def rolls_picture(path: Path, steady: Steady) -> Path:
    """Temperature in the middle plane of the box."""
    with mpl.rc_context(STYLE):
        figure = new_figure(11.0, 3.9, "Four rolls between a warm floor and a cold ceiling",
                            f"Rayleigh 30,000, Prandtl 0.71, box 4:1:1, Nusselt number {steady.nu_floor:.4f} "
                            f"at {len(steady.temperature[0])} cells over the height, two ranks")
        axes = figure.subplots()
        plane = np.array(steady.temperature).T
        image = axes.imshow(plane, origin="lower", extent=(0, 4, 0, 1), cmap="RdBu_r", vmin=0, vmax=1,
                            interpolation="bicubic")
        axes.contour(plane, levels=np.linspace(0.1, 0.9, 9), extent=(0, 4, 0, 1),
                     colors="#333333", linewidths=0.6)
        axes.set(xlabel="length", ylabel="height")
        figure.colorbar(image, ax=axes, label="temperature, middle plane", shrink=0.8)
    return save(figure, path)


def _orders(axes: Axes, ranks: str, measurements: list[Measurement]) -> None:
    rows = [m for m in measurements
            if m.quantity == "operator without exchange" and m.case.startswith(f"{ranks}, ")]
    names = [m.case.removeprefix(f"{ranks}, ") for m in rows]
    shades = {"original": PALETTE[6], "rcm, edges": PALETTE[5]}  # as a generator leaves it, as in the paper
    axes.barh(range(len(rows)), [1e6 * m.ours for m in rows], height=0.7,
              color=[shades.get(name, PALETTE[0]) for name in names])
    for at, m in enumerate(rows):
        axes.annotate(f" {rows[0].ours / m.ours:.2f}×", (1e6 * m.ours, at), va="center", fontsize=9)
    axes.set_yticks(range(len(rows)), names)
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.set_title(f"one application of the edge operator, µs, {ranks}", fontsize=10)
