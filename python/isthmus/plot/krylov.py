# SPDX-License-Identifier: BSD-3-Clause
"""Conjugate gradients that hide their reductions: time over ranks, residual over iterations."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib as mpl
from matplotlib.ticker import FuncFormatter, NullFormatter

from isthmus.bench.kit.cavity import RESIDUAL
from isthmus.bench.kit.krylov import TIME, WORDS
from isthmus.bench.measurement import Measurement
from isthmus.console import seconds
from isthmus.plot.figure import PALETTE, STYLE, new_figure, save

CELLS = re.compile(r"(?P<cells>[\d,]+) cells on (?P<ranks>[\d,]+) ranks, (?P<words>.+)")
ITERATIONS = re.compile(r"cavity (?P<n>\d+ x \d+), (?P<words>.+), (?P<iterations>[\d,]+) iterations")
COLOURS = {"cg_predicted": PALETTE[0], "automatic": "#222222"}
OTHERS = (PALETTE[6], PALETTE[2], PALETTE[8], "#b08900", "#888888")


def ranks_picture(path: Path, measurements: list[Measurement]) -> Path | None:
    """Seconds per iteration by number of ranks and method; the least of each method is marked."""
    series: dict[int, dict[str, float]] = {}
    cells, methods = 0, {words: method for method, words in WORDS.items()}
    for m in measurements:
        if m.quantity == TIME and (match := CELLS.fullmatch(m.case)) and match["words"] in methods:
            cells = max(cells, int(match["cells"].replace(",", "")))
    for m in measurements:
        if m.quantity == TIME and (match := CELLS.fullmatch(m.case)) and match["words"] in methods \
                and int(match["cells"].replace(",", "")) == cells:
            ranks = int(match["ranks"].replace(",", ""))
            series.setdefault(ranks, {})[methods[match["words"]]] = m.ours
    if not series:
        return None
    words = WORDS
    with mpl.rc_context(STYLE):
        figure = new_figure(9.0, 5.6, f"A cavity of {cells:,} cells on more and more ranks",
                            "simulated time per iteration; circles: the number of ranks where it is least")
        axes = figure.subplots()
        for method, colour in _colours(words).items():
            points = {ranks: runs[method] for ranks, runs in series.items() if method in runs}
            if not points:
                continue
            is_ours = method in COLOURS
            axes.plot(list(points), list(points.values()), color=colour, lw=2.4 if is_ours else 1.5,
                      ls="--" if method == "automatic" else "-", label=words[method],
                      zorder=3 if is_ours else 2)
            best = min(points, key=points.__getitem__)
            axes.scatter([best], [points[best]], color=colour, s=45, zorder=4)
        axes.set(xscale="log", yscale="log", xlabel="ranks")
        axes.set_xticks(list(series), [f"{ranks:,}" for ranks in series])
        axes.xaxis.set_minor_formatter(NullFormatter())
        for which in (axes.yaxis.set_major_formatter, axes.yaxis.set_minor_formatter):
            which(FuncFormatter(lambda y, _: seconds(y)))
        axes.grid(True, color="#e4e4e4", lw=0.6)
        axes.legend()
    return save(figure, path)


def floor_picture(path: Path, measurements: list[Measurement]) -> Path | None:
    """The residual by its definition."""
    curves: dict[str, list[tuple[int, float]]] = {}
    n, methods, words = "", {words: method for method, words in WORDS.items()}, WORDS
    for m in measurements:
        if m.quantity == RESIDUAL and (match := ITERATIONS.fullmatch(m.case)) and match["words"] in methods:
            n = match["n"]
            at = int(match["iterations"].replace(",", ""))
            curves.setdefault(methods[match["words"]], []).append((at, m.ours))
    if not curves:
        return None
    with mpl.rc_context(STYLE):
        figure = new_figure(9.0, 5.2, f"Pressure of the lid-driven cavity, {n} cells",
                            "b - A x over b, by its definition; preconditioned by the diagonal")
        axes = figure.subplots()
        for k, (method, colour) in enumerate(_colours(words).items()):
            if method in curves:  # what is the same lies on what is wider
                axes.plot(*zip(*curves[method], strict=True), color=colour, lw=max(1.4, 7 - k),
                          label=words[method], zorder=2 + 0.1 * k)
        axes.set(yscale="log", xlabel="iterations")
        axes.grid(True, color="#e4e4e4", lw=0.6)
        axes.legend()
    return save(figure, path)


def _colours(words: dict[str, str]) -> dict[str, str]:
    shown = [method for method in words if ":" not in method]
    others = iter(OTHERS)
    return {method: COLOURS.get(method) or next(others) for method in shown}
