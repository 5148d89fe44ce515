# SPDX-License-Identifier: BSD-3-Clause
"""Blocks dealt to ranks, and pairs of ranks that must talk in a coupled run."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from isthmus.bench.kit.balance import EVEN, RULES
from isthmus.bench.measurement import Measurement
from isthmus.plot.figure import PALETTE, STYLE, new_figure, save

OURS, METIS, NAIVE = PALETTE[0], PALETTE[6], PALETTE[11]
RANKS = re.compile(r"(?P<ranks>[\d,]+) ranks, (?P<rule>[^,]+)")
WAYS = {"volume": ("work only", NAIVE), "balanced": ("work and interface, each code", METIS),
        "united": ("one graph of both codes", PALETTE[3]), "ours": ("Isthmus", OURS)}


def balance_picture(path: Path, measurements: list[Measurement]) -> Path:
    with mpl.rc_context(STYLE):
        figure = new_figure(13.0, 7.9, "Work dealt to ranks",
                            "above: 256 blocks of a made-up grid, sizes differ 7 times, METIS by the same "
                            "rule; below: two meshes with a common face")
        grid = figure.subplots(2, 2)
        _compared(grid[0, 0], measurements, EVEN)
        _compared(grid[0, 1], measurements, "ghost cells from other ranks")
        _pairs(grid[1, 0], measurements, "faces 32 x 32 | 40 x 40", "edges of cells aligned")
        _pairs(grid[1, 1], measurements, "faces 32 x 32 | 41 x 39, one neighbour each",
               "edges staggered, nearest neighbour")
        for axes in grid.flat:
            if axes.get_legend_handles_labels()[0]:
                axes.legend(loc="upper left", fontsize=9)
    return save(figure, path)


def _curve(measurements: list[Measurement], quantity: str, rule: str,
           theirs: bool = False) -> dict[int, float]:
    """Over the number of ranks."""
    found = {}
    for m in measurements:
        number = m.reference if theirs else m.ours
        if m.quantity == quantity and number is not None and (match := RANKS.fullmatch(m.case)) \
                and match["rule"] == rule:
            found[int(match["ranks"].replace(",", ""))] = number
    return found


def _lines(axes: Axes, curves: dict[str, tuple[dict[int, float], str, str]]) -> None:
    for label, (curve, style, colour) in curves.items():
        if curve:
            axes.plot(list(curve), list(curve.values()), style, color=colour, label=label, ms=5)
    ranks = sorted({rank for curve, _, _ in curves.values() for rank in curve})
    axes.set(xscale="log", xlabel="ranks")
    axes.set_xticks(ranks, [str(r) for r in ranks], fontsize=8, rotation=45)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.grid(True, axis="y", color="#e4e4e4", lw=0.6)


def _compared(axes: Axes, measurements: list[Measurement], quantity: str) -> None:
    curves = {}
    for rule, marker in zip(RULES, "os", strict=True):
        curves[f"Isthmus, {rule}"] = (_curve(measurements, quantity, rule), f"{marker}-", OURS)
        curves[f"METIS, {rule}"] = (_curve(measurements, quantity, rule, True), f"{marker}--", METIS)
    _lines(axes, curves)
    axes.set(yscale="log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 1.5, 2, 3, 5, 7)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:,.0f}" if y >= 100 else f"{y:.4g}"))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.set_title(quantity, fontsize=10)


def _pairs(axes: Axes, measurements: list[Measurement], face: str, title: str) -> None:
    bars: dict[str, dict[str, float]] = {}
    for m in measurements:
        ranks, _, rest = m.case.partition(f" ranks, {face}, ")
        if m.quantity == "pairs that must talk" and rest:
            bars.setdefault(ranks, {})[rest] = m.ours
    for column, (way, (label, colour)) in enumerate(WAYS.items()):
        known = [(row + 0.2 * (column - 1.5), ways[way])
                 for row, ways in enumerate(bars.values()) if way in ways]
        if known:
            drawn = axes.bar(*zip(*known, strict=True), width=0.2, color=colour, label=label)
            axes.bar_label(drawn, fmt="%d", fontsize=8)
    axes.set_xticks(range(len(bars)), list(bars))
    tallest = max((count for ways in bars.values() for count in ways.values()), default=1.0)
    axes.set(xlabel="ranks of both codes", ylim=(0, 1.35 * tallest))
    axes.set_title(f"pairs of ranks that must talk, {title}", fontsize=10)
