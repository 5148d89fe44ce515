# SPDX-License-Identifier: BSD-3-Clause
"""Time steps of a breaking dam over the number of ranks, and its front beside the experiment."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib as mpl

from isthmus.bench.framework import Measurement
from isthmus.bench.paper2_dam_break import FRONT, STEP, WORDS
from isthmus.plot.figure import PALETTE, STYLE, new_figure, save
from isthmus.plot.over_ranks import rank_curves

COLOURS = dict(zip(WORDS.values(), (PALETTE[6], PALETTE[5], PALETTE[2], PALETTE[3], PALETTE[0]), strict=True))
CASES = re.compile(r"(?P<ranks>[\d,]+) ranks, (?P<way>.+)")


def dam_break_picture(path: Path, measurements: list[Measurement], points: list[tuple[float, float]]) -> Path:
    """Left the steps, right the front."""
    with mpl.rc_context(STYLE):
        figure = new_figure(12.0, 5.4, "A dam breaks: whole time steps with the messages of four codes",
                            "2.04 million cells, two limited transports and three pressures in a step, "
                            "simulated")
        left, right = figure.subplots(1, 2, width_ratios=(3, 2))
        rank_curves(left, STEP, measurements, CASES, COLOURS)
        right.plot(*zip(*points, strict=True), color=PALETTE[0], label="this flow")
        right.plot(*zip(*FRONT, strict=True), "o", color=PALETTE[6], label="Koshizuka, Oka 1996")
        right.set(xlabel="time in sqrt(width / (2 gravity))")
        right.set_title("front on the floor in widths of the column", fontsize=10)
        right.grid(True, color="#e4e4e4", lw=0.6)
        right.legend(fontsize=8)
    return save(figure, path)
