# SPDX-License-Identifier: BSD-3-Clause
"""Our figures beside those of others: two dots per case on a logarithmic axis, one panel per quantity."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from isthmus.bench.framework import Measurement, value
from isthmus.plot.figure import PALETTE, STYLE, new_figure, save

OURS, OTHERS = PALETTE[0], PALETTE[6]
ROW = 0.3  # inches


def comparison_picture(path: Path, title: str, measurements: list[Measurement]) -> Path:
    """Of those measurements that have a reference."""
    compared = [m for m in measurements if m.reference and m.shown]
    panels: dict[str, list[Measurement]] = {}
    for m in compared:
        panels.setdefault(m.quantity, []).append(m)
    heights = [ROW * len(rows) + 0.75 for rows in panels.values()]
    sources = list(dict.fromkeys(m.source for m in compared))
    with mpl.rc_context(STYLE):
        figure = new_figure(10.0, sum(heights) + 1.1 + 0.18 * len(sources), f"Benchmark {title}",
                            "ours | reference, and the factor by which ours is better")
        grid = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights)
        for ax, (quantity, rows) in zip(grid[:, 0], panels.items(), strict=True):
            _panel(ax, quantity, rows)
        figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="upper right", ncols=2)
        figure.supxlabel("\n".join(sources), fontsize=8, color="#777777", x=0.012, ha="left")
    return save(figure, path)


def _panel(axes: Axes, quantity: str, rows: list[Measurement]) -> None:
    ours = np.maximum([m.ours for m in rows], 1e-300)
    others = np.array([m.reference for m in rows])
    at = np.arange(len(rows))
    better = np.array([not m.is_missed for m in rows])
    axes.hlines(at, np.minimum(ours, others), np.maximum(ours, others), lw=2,
                colors=np.where(better, "#b8d4b8", "#e8c8b8"), zorder=1)
    axes.scatter(others, at, s=36, color=OTHERS, zorder=2, label="reference")
    axes.scatter(ours, at, s=46, color=OURS, zorder=3, label="Isthmus")
    axes.set_xscale("log")
    low, high = min(ours.min(), others.min()), max(ours.max(), others.max())
    axes.set(xlim=(low / 1.5, high * 1.5), ylim=(len(rows) - 0.4, -0.6), title=quantity)
    axes.set_yticks(at, [m.case for m in rows])
    unit = rows[0].unit
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: value(x, unit) if unit else f"{x:g}"))
    axes.xaxis.set_minor_formatter("")
    axes.grid(True, axis="x", color="#e4e4e4", lw=0.6, zorder=0)
    axes.tick_params(axis="y", length=0)
    for row, m in enumerate(rows):
        factor = f"  {m.ratio:.3g}×" if m.ratio else ""
        words = f"{value(m.ours, unit)} | {value(m.reference, unit)}{factor}"
        axes.annotate(words, (1.005, row), va="center", fontsize=9,
                      xycoords=("axes fraction", "data"), color="#2a6b2a" if better[row] else "#a04020")
