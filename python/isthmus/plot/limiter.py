# SPDX-License-Identifier: BSD-3-Clause
"""What a limited step costs over the number of ranks, how bounded it is, and the water it carries."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes

from isthmus.bench.measurement import Measurement
from isthmus.plot.figure import PALETTE, STYLE, new_figure, save
from isthmus.plot.over_ranks import rank_curves

COLOURS = {"a size before each message": PALETTE[6], "sizes remembered, Lin et al.": PALETTE[5],
           "sizes planned, five iterations": PALETTE[3], "ours": PALETTE[0]}
SIMULATED = re.compile(r"(?P<ranks>[\d,]+) simulated ranks, (?P<way>.+)")
BOUNDED = re.compile(r".+, from (?P<start>one|zero), (?P<iterations>\d) iterations")
PANELS = ("messages of a limited step, all ranks", "bytes of a limited step, all ranks",
          "simulated time of a limited step")


def limiter_picture(path: Path, measurements: list[Measurement], plane: Path | None) -> Path:
    """Three panels over ranks; below, the overshoot over the iterations, the water if its file is there."""
    with mpl.rc_context(STYLE):
        figure = new_figure(13.0, 8.2, "An explicit limiter whose messages need no sizes",
                            "a column of water carried along the floor; the same work in four versions on "
                            "simulated clusters")
        grid = figure.add_gridspec(2, 6, height_ratios=(3, 3))
        for place, quantity in enumerate(PANELS):
            axes = figure.add_subplot(grid[0, 2 * place:2 * place + 2])
            rank_curves(axes, quantity, measurements, SIMULATED, COLOURS)
        figure.legend(*axes.get_legend_handles_labels(), loc="upper right", ncols=2)
        has_water = plane is not None and plane.is_file()
        _overshoot(figure.add_subplot(grid[1, :3 if has_water else 6]), measurements)
        if has_water:
            _water(figure.add_subplot(grid[1, 3:]), plane)
    return save(figure, path)


def _overshoot(axes: Axes, measurements: list[Measurement]) -> None:
    """How far the fractions left [0, 1]."""
    rows = [m for m in measurements if m.quantity == "overshoot"]
    for start, colour, words in (("one", PALETTE[5], "limits fall from one, as in OpenFOAM"),
                                 ("zero", PALETTE[0], "limits grow from zero")):
        points = [(int(match["iterations"]), max(m.ours, 1e-17)) for m in rows
                  if (match := BOUNDED.fullmatch(m.case)) and match["start"] == start]
        if points:
            axes.plot(*zip(*points, strict=True), "o-", color=colour, ms=4, label=words)
    axes.axhline(1e-12, color="#999999", lw=0.8, ls="--", label="the most that is allowed")
    axes.set(yscale="log", xlabel="iterations of the limiter", ylim=(1e-17, 10))
    axes.set_title("how far fractions of water leave 0 to 1, at most, in 150 steps", fontsize=10)
    axes.grid(True, color="#e4e4e4", lw=0.6)
    axes.legend(fontsize=8)


def _water(axes: Axes, plane: Path) -> None:
    with open(plane, newline="") as file:
        water = np.array([[float(cell) for cell in line] for line in csv.reader(file)])
    axes.imshow(water, origin="lower", extent=(0, 1, 0, 1), cmap="Blues", vmin=0, vmax=1)
    axes.plot([0, 0.25, 0.25], [0.5, 0.5, 0], color=PALETTE[6], lw=1, ls="--")
    axes.set(xticks=(0, 1), yticks=(0, 1))
    axes.set_title("water after 150 steps, 100 x 100 cells; dashed: at first", fontsize=10)
