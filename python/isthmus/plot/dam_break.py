# SPDX-License-Identifier: BSD-3-Clause
"""The front of a breaking dam beside the experiment."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import matplotlib as mpl

from isthmus.bench.kit.dam_break import AT
from isthmus.bench.measurement import Measurement
from isthmus.bench.reference import MARTIN_FRONT
from isthmus.plot.figure import PALETTE, STYLE, new_figure, save


def dam_break_picture(path: Path, measurements: list[Measurement]) -> Path:
    """Place over time, a line for each number of cells."""
    lines: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for one in measurements:
        if one.quantity == AT:
            cells, _, time = one.case.removeprefix("dam break, ").partition(", time ")
            lines[cells].append((float(time), one.ours))
    with mpl.rc_context(STYLE):
        figure = new_figure(7.0, 4.6, "A dam breaks: the front of the water",
                            "on the floor, in widths of the column")
        axes = figure.subplots()
        for color, (cells, points) in zip(PALETTE, sorted(lines.items()), strict=False):
            axes.plot(*zip(*sorted(points), strict=True), color=color, label=f"this flow, {cells}")
        axes.plot(*zip(*MARTIN_FRONT, strict=True), "o", color=PALETTE[6], label="Martin, Moyce 1952")
        axes.set(xlabel="time in sqrt(width / (2 gravity))")
        axes.grid(True, color="#e4e4e4", lw=0.6)
        axes.legend()
    return save(figure, path)
