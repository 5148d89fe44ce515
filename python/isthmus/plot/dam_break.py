# SPDX-License-Identifier: BSD-3-Clause
"""The front of a breaking dam beside the experiment."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

from isthmus.bench.kit.dam_break import AT
from isthmus.bench.measurement import Measurement
from isthmus.bench.reference import MARTIN_FRONT
from isthmus.plot.figure import PALETTE, STYLE, new_figure, save


def dam_break_picture(path: Path, measurements: list[Measurement]) -> Path:
    """Place over time."""
    points = [(float(m.case.rpartition(" ")[2]), m.ours) for m in measurements if m.quantity == AT]
    with mpl.rc_context(STYLE):
        figure = new_figure(7.0, 4.6, "A dam breaks: the front of the water",
                            "on the floor, in widths of the column")
        axes = figure.subplots()
        axes.plot(*zip(*points, strict=True), color=PALETTE[0], label="this flow")
        axes.plot(*zip(*MARTIN_FRONT, strict=True), "o", color=PALETTE[6], label="Martin, Moyce 1952")
        axes.set(xlabel="time in sqrt(width / (2 gravity))")
        axes.grid(True, color="#e4e4e4", lw=0.6)
        axes.legend()
    return save(figure, path)
