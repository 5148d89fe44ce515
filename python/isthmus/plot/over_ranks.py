# SPDX-License-Identifier: BSD-3-Clause
"""Curves over the number of ranks, one for each way to do the same."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from isthmus.bench.measurement import Measurement, value


def rank_curves(axes: Axes, quantity: str, measurements: list[Measurement], cases: re.Pattern[str],
                colours: Mapping[str, str], dashed: Collection[str] = ()) -> None:
    """Of one quantity; `cases` finds `way`, a key of the colours, and `ranks` in a measurement's case.
    Who calls places the legend."""
    unit, seen = "", set()
    for way, colour in colours.items():
        points = [(int(match["ranks"].replace(",", "")), m) for m in measurements if m.quantity == quantity
                  and (match := cases.fullmatch(m.case)) and match["way"] == way]
        if points:
            unit = points[0][1].unit
            seen |= {ranks for ranks, _ in points}
            axes.plot([ranks for ranks, _ in points], [m.ours for _, m in points],
                      "--" if way in dashed else "o-", color=colour, ms=4, label=way)
    axes.set(xscale="log", yscale="log", xlabel="ranks")
    axes.set_title(quantity, fontsize=10)
    axes.set_xticks(sorted(seen), [f"{ranks:,}" for ranks in sorted(seen)])
    axes.xaxis.set_minor_locator(NullLocator())
    low, high = axes.get_ylim()
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 3, 5) if high < 10 * low else (1, 3)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: value(y, unit)))
    axes.yaxis.set_minor_formatter("")
    axes.grid(True, color="#e4e4e4", lw=0.6)
