# SPDX-License-Identifier: BSD-3-Clause
"""Errors of mappings over the distance of vertices."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.ticker import NullFormatter

from isthmus.bench.measurement import Measurement
from isthmus.plot.figure import PALETTE, STYLE, new_figure, save

Errors = dict[str, list[tuple[int, float]]]  # by mapping: points along a side, error
CASE = re.compile(r"(?P<mapping>.+), (?P<points>[\d,]+) x [\d,]+")
QUANTITIES = ("error (root mean square)", "largest error")


def accuracy_picture(path: Path, measurements: list[Measurement]) -> Path | None:
    """Root mean square and largest errors, with lines of first, second and fourth order."""
    panels = {quantity: errors for quantity in QUANTITIES if (errors := _of(quantity, measurements))}
    if not panels:
        return None
    with mpl.rc_context(STYLE):
        figure = new_figure(11.0, 5.0, "Errors of mappings", "Franke's function, two curved sheets that do "
                            "not match; radial basis functions C4 with support 0.2")
        for axes, (title, errors) in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels.items(),
                                         strict=True):
            _errors(axes, errors)
            axes.set_title(title, fontsize=10, loc="left")
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=9)
    return save(figure, path)


def _of(quantity: str, measurements: list[Measurement]) -> Errors:
    errors: Errors = {}
    for m in measurements:
        if m.quantity == quantity and (match := CASE.fullmatch(m.case)):
            errors.setdefault(match["mapping"], []).append((int(match["points"].replace(",", "")), m.ours))
    return errors


def _errors(axes: Axes, errors: Errors) -> None:
    for k, (colour, (mapping, rows)) in enumerate(zip(PALETTE, errors.items(), strict=False)):
        axes.loglog([1 / (row[0] - 1) for row in rows], [row[1] for row in rows], "o-", color=colour,
                    ms=4, lw=max(1.2, 3.6 - 0.7 * k), label=mapping)  # what is the same lies on what is wider
    spacings = [1 / (row[0] - 1) for row in next(iter(errors.values()))]
    start = max(rows[0][1] for rows in errors.values())
    for order in (1, 2, 4):
        line = [2 * start * (h / spacings[0]) ** order for h in spacings]
        axes.loglog(spacings, line, ":", color="#999999", lw=1)
        axes.annotate(f"order {order}", (spacings[-1], line[-1]), xytext=(-4, 0), textcoords="offset points",
                      ha="right", va="center", fontsize=8, color="#777777")
    axes.set_xlim(left=spacings[-1] / 2.2)
    axes.set_xlabel("distance of vertices")
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(True, color="#e4e4e4", lw=0.6, zorder=0)
