# SPDX-License-Identifier: BSD-3-Clause
"""What a limited step costs over the number of ranks, how bounded it is, and the water it carries."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from isthmus.bench.framework import Measurement, value
from isthmus.plot.figure import PALETTE, STYLE, new_figure, save

COLOURS = {"a size before each message": PALETTE[6], "sizes remembered, Lin et al.": PALETTE[5],
           "sizes planned, five iterations": PALETTE[3], "ours": PALETTE[0]}
SIMULATED = re.compile(r"(?P<ranks>[\d,]+) simulated ranks, (?P<version>.+)")
BOUNDED = re.compile(r".+, from (?P<start>one|zero), (?P<iterations>\d) iterations")
PANELS = ("messages of a limited step, all ranks", "bytes of a limited step, all ranks",
          "simulated time of a limited step")


def limiter_picture(path: Path, measurements: list[Measurement], plane: Path) -> Path:
    """Three panels over ranks; below, the overshoot over the iterations and the water."""
    with mpl.rc_context(STYLE):
        figure = new_figure(13.0, 8.2, "An explicit limiter whose messages need no sizes",
                            "a column of water carried along the floor; the same work in four versions on "
                            "simulated clusters")
        grid = figure.add_gridspec(2, 6, height_ratios=(3, 3))
        for place, quantity in enumerate(PANELS):
            _curves(figure.add_subplot(grid[0, 2 * place:2 * place + 2]), quantity, measurements, place == 0)
        _overshoot(figure.add_subplot(grid[1, :3]), measurements)
        _water(figure.add_subplot(grid[1, 3:]), plane)
    return save(figure, path)


def _curves(axes: Axes, quantity: str, measurements: list[Measurement], with_legend: bool) -> None:
    unit, seen = "", set()
    for version, colour in COLOURS.items():
        points = [(int(match["ranks"].replace(",", "")), m) for m in measurements if m.quantity == quantity
                  and (match := SIMULATED.fullmatch(m.case)) and match["version"] == version]
        if points:
            unit = points[0][1].unit
            seen |= {ranks for ranks, _ in points}
            axes.plot([ranks for ranks, _ in points], [m.ours for _, m in points], "o-", color=colour, ms=4,
                      label=version)
    axes.set(xscale="log", yscale="log", xlabel="ranks")
    axes.set_title(quantity, fontsize=10)
    axes.set_xticks(sorted(seen), [f"{ranks:,}" for ranks in sorted(seen)])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 3)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: value(y, unit)))
    axes.yaxis.set_minor_formatter("")
    axes.grid(True, color="#e4e4e4", lw=0.6)
    if with_legend:
        axes.legend(fontsize=8)


def _overshoot(axes: Axes, measurements: list[Measurement]) -> None:
    """How far the fractions left [0, 1]."""
    rows = [m for m in measurements if m.quantity == "overshoot"]
    for start, colour, words in (("one", PALETTE[5], "limits fall from one, as in OpenFOAM"),
                                 ("zero", PALETTE[0], "limits grow from zero")):
        points = [(int(match["iterations"]), max(m.ours, 1e-17)) for m in rows
                  if (match := BOUNDED.fullmatch(m.case)) and match["start"] == start]
        axes.plot(*zip(*points, strict=True), "o-", color=colour, ms=4, label=words)
    axes.axhline(1e-12, color="#999999", lw=0.8, ls="--")
    axes.set(yscale="log", xlabel="iterations", ylim=(1e-17, 10))
    axes.set_title("largest overshoot in 150 steps", fontsize=10)
    axes.grid(True, color="#e4e4e4", lw=0.6)
    axes.legend(fontsize=8)


def _water(axes: Axes, plane: Path) -> None:
    with open(plane, newline="") as file:
        water = np.array([[float(cell) for cell in line] for line in csv.reader(file)])
    axes.imshow(water, origin="lower", extent=(0, 1, 0, 1), cmap="Blues", vmin=0, vmax=1)
    axes.plot([0, 0.25, 0.25], [0.5, 0.5, 0], color=PALETTE[6], lw=1, ls="--")
    axes.set(xticks=(0, 1), yticks=(0, 1))
    axes.set_title("water after 150 steps, 100 x 100 cells; dashed: at first", fontsize=10)
