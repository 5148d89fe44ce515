# SPDX-License-Identifier: BSD-3-Clause
"""Ways to write blocks: calls for files as large as those of Jackson et al., and times of this machine."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes

from isthmus.bench.kit.files import BYTES, CALLS
from isthmus.bench.kit.files import OURS as OUR_WAYS
from isthmus.bench.kit.files import WAYS as OTHER_WAYS
from isthmus.bench.measurement import Measurement, value
from isthmus.plot.figure import PALETTE, STYLE, new_figure, save

OURS, OTHERS = PALETTE[0], PALETTE[11]
WAYS = [*OTHER_WAYS.values(), *OUR_WAYS.values()]
PANELS = {CALLS: ("calls that write", ""), BYTES: ("bytes", "B"),
          "onto the disk": ("time onto the disk", "s")}


def files_picture(path: Path, measurements: list[Measurement]) -> Path | None:
    """A row of panels for each number of blocks."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for m in measurements:
        grid, _, words = m.case.partition(" blocks, ")
        if words in WAYS and m.quantity in PANELS:
            found.setdefault(grid, {}).setdefault(m.quantity, {})[words] = m.ours
    if not found:
        return None
    with mpl.rc_context(STYLE):
        figure = new_figure(13.0, 1.1 + 2.5 * len(found), "Restart files of unequal blocks",
                            "calls and bytes of one file as large as that of Jackson et al.; time of a "
                            "smaller one, 2 ranks of this machine; bars of calls are logarithmic")
        for line, (grid, quantities) in zip(figure.subplots(len(found), 3, squeeze=False), found.items(),
                                            strict=True):
            for axes, (quantity, (title, unit)) in zip(line, PANELS.items(), strict=True):
                bars = [(number, value(number, unit) if number else "") for number in
                        (quantities.get(quantity, {}).get(way, 0.0) for way in WAYS)]
                _bars(axes, f"{grid} blocks: {title}", bars, log=quantity == CALLS)
            for axes in line[1:]:
                axes.set_yticklabels([])
    return save(figure, path)


def _bars(axes: Axes, title: str, bars: list[tuple[float, str]], log: bool) -> None:
    lengths = [length for length, _ in bars]
    colours = [OURS if way in OUR_WAYS.values() else OTHERS for way in WAYS]
    axes.barh(range(len(bars)), lengths, color=colours, height=0.65)
    if log:
        axes.set_xscale("log")
        positive = [length for length in lengths if length > 0] or [1.0]
        axes.set_xlim(min(positive) / 2, max(positive) * 30)
    else:
        axes.set_xlim(0, (max(lengths) or 1.0) * 1.3)
    for row, (length, words) in enumerate(bars):
        axes.annotate(words, (length, row), xytext=(4, 0), textcoords="offset points", va="center",
                      fontsize=9)
    axes.set_yticks(range(len(bars)), WAYS)
    axes.invert_yaxis()
    axes.set_title(title)
    axes.xaxis.set_visible(False)
    axes.spines["bottom"].set_visible(False)
