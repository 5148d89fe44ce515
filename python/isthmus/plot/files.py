# SPDX-License-Identifier: BSD-3-Clause
"""Ways to write blocks: calls at the paper's size, and times of this machine."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes

from isthmus.bench.framework import seconds, value
from isthmus.bench.paper3_files import Row, Rows
from isthmus.plot.figure import PALETTE, STYLE, new_figure, save

OURS, OTHERS = PALETTE[0], PALETTE[11]


def files_picture(path: Path, grids: dict[int, Rows], ways: dict[str, str]) -> Path:
    """A row of panels for each grid; `grids` by number of blocks."""
    with mpl.rc_context(STYLE):
        figure = new_figure(13.0, 1.1 + 2.5 * len(grids), "Restart files of unequal blocks",
                            "calls and bytes of one file of the paper's size; time of a scaled file, 2 ranks")
        for line, (blocks, rows) in zip(figure.subplots(len(grids), 3, squeeze=False), grids.items(),
                                        strict=True):
            _bars(line[0], f"{blocks:,} blocks: calls that write", ways,
                  [(row.calls, value(row.calls, "")) for row in _each(rows, "count", ways)])
            _bars(line[1], "bytes", ways,
                  [(row.bytes, value(row.bytes, "B")) for row in _each(rows, "count", ways)], log=False)
            _bars(line[2], "time onto the disk", ways,
                  [(row.seconds, seconds(row.seconds)) for row in _each(rows, "disk", ways)])
            for axes in line[1:]:
                axes.set_yticklabels([])
    return save(figure, path)


def _each(rows: Rows, what: str, ways: dict[str, str]) -> list[Row]:
    return [rows[what, way] for way in ways]


def _bars(axes: Axes, title: str, ways: dict[str, str], bars: list[tuple[float, str]], log: bool = True) -> None:
    lengths = [length for length, _ in bars]
    colours = [OURS if way == "collective" else OTHERS for way in ways]
    axes.barh(range(len(bars)), lengths, color=colours, height=0.65)
    if log:
        axes.set_xscale("log")
        axes.set_xlim(min(lengths) / 2, max(lengths) * 30)
    else:
        axes.set_xlim(0, max(lengths) * 1.3)
    for row, (length, words) in enumerate(bars):
        axes.annotate(words, (length, row), xytext=(4, 0), textcoords="offset points", va="center", fontsize=9)
    axes.set_yticks(range(len(bars)), list(ways.values()))
    axes.invert_yaxis()
    axes.set_title(title)
    axes.xaxis.set_visible(False)
    axes.spines["bottom"].set_visible(False)
