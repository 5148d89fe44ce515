# SPDX-License-Identifier: BSD-3-Clause
"""The ways to initialize over the number of ranks: simulated clusters above, this machine below."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from isthmus.bench.kit.discovery import TIME
from isthmus.bench.measurement import Measurement, value
from isthmus.mesh import LEVELS
from isthmus.plot.figure import PALETTE, STYLE, new_figure, save

COLOURS = {"rendezvous": PALETTE[0], "two-level": PALETTE[6], "one-level": PALETTE[5]}
WIDTHS = {"rendezvous": 4.0, "two-level": 1.5, "one-level": 1.5}  # the first shows below the second
SIMULATED = re.compile(r"(?P<way>\S+), (?P<ranks>[\d,]+) simulated ranks")
SERIES = re.compile(r"(?P<series>.+), (?P<rest>\S+, [\d,]+ simulated ranks)")
HERE = re.compile(r"(?P<mesh>.+?),? (?P<b>\d+)\+(?P<a>\d+) (?P<way>\S+)")

QUANTITIES = ("initialize at A", "initialize at A, CPU of all ranks", "bytes sent by the busiest rank of B")
SIMULATED_QUANTITIES = ("messages received by the busiest rank", "bytes sent by the busiest rank", TIME)

SCALE_QUANTITIES = ("initialize, messages received by the busiest rank", "memory of the rank that has most",
                    "initialize, simulated time")

Curves = dict[str, list[tuple[int, Measurement]]]


def initialization_picture(path: Path, measurements: list[Measurement]) -> Path | None:
    """A row of panels for one mesh and for one that grows, of those quantities that have figures; none where
    there are no two ways to compare."""
    words = ("a quarter of the ranks provides (B), the others receive and map (A); M3: a blade of "
             f"{LEVELS['M3']:,} vertices; on this machine")
    here = [found for one in measurements if (found := _here(one))]
    if len({way for _, _, way in here}) < 2:
        return None
    quantities = [quantity for quantity in QUANTITIES if any(m.quantity == quantity and _here(m)
                                                             for m in measurements)]
    rows = [(mesh, [(quantity, _curves(measurements, mesh, quantity)) for quantity in quantities])
            for mesh in dict.fromkeys(mesh for mesh, _, _ in here)]
    return _picture(path, "Three ways to initialize", words, rows)


def discovery_picture(path: Path, measurements: list[Measurement]) -> Path:
    """Three panels of simulated clusters."""
    row = [(quantity, _curves(measurements, "simulated", quantity)) for quantity in SIMULATED_QUANTITIES]
    return _picture(path, "Three ways to find partners", "a quarter of the ranks provides; partners only, no "
                    "meshes but that of one-level; simulated clusters", [("", row)])


def scale_picture(path: Path, measurements: list[Measurement]) -> Path:
    """A row of three panels for each series."""
    series: dict[str, list[Measurement]] = defaultdict(list)
    for m in measurements:
        if match := SERIES.fullmatch(m.case):
            series[match["series"]].append(replace(m, case=match["rest"]))
    rows = [(name, [(quantity, _curves(found, "simulated", quantity)) for quantity in SCALE_QUANTITIES])
            for name, found in series.items()]
    words = "a quarter of the ranks provides, the others receive and map; simulated clusters"
    return _picture(path, "Whole coupled runs, three ways to initialize", words, rows)


def _picture(path: Path, title: str, words: str, rows: list[tuple[str, list[tuple[str, Curves]]]]) -> Path:
    with mpl.rc_context(STYLE):
        figure = new_figure(13.0, 3.3 * len(rows) + 1.1, title, words)
        grid = figure.subplots(len(rows), max(len(panels) for _, panels in rows), squeeze=False)
        for axes, (where, panels) in zip(grid, rows, strict=True):
            for ax, (quantity, curves) in zip(axes, panels, strict=True):
                _panel(ax, curves, f"{where}\n{quantity}".strip())
        legends = [ax.get_legend_handles_labels() for ax in grid.flat]
        known = {label: handle for pair in legends for handle, label in zip(*pair, strict=True)}
        figure.legend(known.values(), known.keys(), loc="upper right", ncols=5)
    return save(figure, path)


def _here(measurement: Measurement) -> tuple[str, int, str] | None:
    """Mesh, ranks and way of a measurement on this machine."""
    if not (match := HERE.fullmatch(measurement.case)):
        return None
    return match["mesh"], int(match["a"]) + int(match["b"]), match["way"]


def _curves(measurements: list[Measurement], where: str, quantity: str) -> Curves:
    curves: Curves = defaultdict(list)
    for m in measurements:
        if m.quantity != quantity:
            continue
        if where.startswith("simulated") and (match := SIMULATED.fullmatch(m.case)):
            curves[match["way"]].append((int(match["ranks"].replace(",", "")), m))
        elif (here := _here(m)) and here[0] == where:
            curves[here[2]].append((here[1], m))
    return curves


def _panel(axes: Axes, curves: Curves, title: str) -> None:
    unit = ""
    for way, points in curves.items():
        unit = points[0][1].unit
        axes.plot([ranks for ranks, _ in points], [m.ours for _, m in points], "o-", color=COLOURS[way],
                  ms=WIDTHS[way] + 2.5, lw=WIDTHS[way], label=way)
        known = [(ranks, m.reference) for ranks, m in points if m.reference]
        if known and way != "rendezvous":
            axes.plot(*zip(*known, strict=True), "x:", color=COLOURS[way], label=f"preCICE, {way}")
    axes.set(xscale="log", yscale="log", xlabel="ranks")
    axes.set_title(title, fontsize=10)
    ranks = sorted({ranks for points in curves.values() for ranks, _ in points})
    axes.set_xticks(ranks, [f"{r:,}" for r in ranks])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 3)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: value(y, unit)))
    axes.yaxis.set_minor_formatter("")
    axes.grid(True, color="#e4e4e4", lw=0.6)
