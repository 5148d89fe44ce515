# SPDX-License-Identifier: BSD-3-Clause
"""Errors of mappings over the distance of vertices."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.ticker import NullFormatter

from isthmus.plot.figure import PALETTE, STYLE, new_figure, save

Errors = dict[str, list[tuple[int, float, float]]]  # by mapping: points along a side, rms, largest


def accuracy_picture(path: Path, errors: Errors) -> Path:
    """Root mean square and largest errors, with lines of first, second and fourth order."""
    with mpl.rc_context(STYLE):
        figure = new_figure(11.0, 5.0, "Errors of mappings", "Franke's function, two curved sheets that do "
                            "not match; radial basis functions C4 with support 0.2")
        for axes, column, title in zip(figure.subplots(1, 2), (1, 2), ("root mean square", "largest"),
                                       strict=True):
            _errors(axes, errors, column)
            axes.set_title(title, fontsize=10, loc="left")
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=9)
    return save(figure, path)


def _errors(axes: Axes, errors: Errors, column: int) -> None:
    for colour, (mapping, rows) in zip(PALETTE, errors.items(), strict=False):
        axes.loglog([1 / (row[0] - 1) for row in rows], [row[column] for row in rows], "o-", color=colour,
                    ms=4, lw=1.5, label=mapping)
    spacings = [1 / (row[0] - 1) for row in next(iter(errors.values()))]
    start = max(rows[0][column] for rows in errors.values())
    for order in (1, 2, 4):
        line = [2 * start * (h / spacings[0]) ** order for h in spacings]
        axes.loglog(spacings, line, ":", color="#999999", lw=1)
        axes.annotate(f"order {order}", (spacings[-1], line[-1]), fontsize=8, color="#777777")
    axes.set_xlabel("distance of vertices")
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(True, color="#e4e4e4", lw=0.6, zorder=0)
