# SPDX-License-Identifier: BSD-3-Clause
"""OpenFOAM and our layers on simulated clusters: a step over the number of ranks, and its calls by kind."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes

from isthmus.bench.measurement import Measurement
from isthmus.bench.solvers.openfoam import CALLS, TIME, WAYS
from isthmus.bench.solvers.openfoam_kinds import CASES, WORDS
from isthmus.plot.figure import PALETTE, STYLE, new_figure, save
from isthmus.plot.over_ranks import rank_curves

COLOURS = dict(zip(WAYS.values(), (PALETTE[6], PALETTE[5], PALETTE[3], PALETTE[2], PALETTE[0]), strict=True))
POINT = re.compile(r"(?P<series>\w+, [\d,]+ cells), (?P<ranks>\d+) simulated ranks, (?P<way>.+)")
LAYER = re.compile(r"(?P<case>\w+), (?P<ranks>\d+) ranks, (?P<layer>.+)")
BARS = dict(zip(WORDS, (PALETTE[0], PALETTE[4], PALETTE[3], PALETTE[1], PALETTE[5], PALETTE[9], PALETTE[2]),
                strict=True))


def series_picture(path: Path, measurements: list[Measurement]) -> Path | None:
    """A row for each series: with the work and without it."""
    names = dict.fromkeys(match["series"] for m in measurements if (match := POINT.fullmatch(m.case)))
    if not names:
        return None
    with mpl.rc_context(STYLE):
        figure = new_figure(11.0, 1.0 + 4.2 * len(names), "OpenFOAM, unchanged, on more and more ranks",
                            "calls of real runs on simulated clusters, with priced work and without it; "
                            "circles: the least time")
        panels = figure.subplots(len(names), 2, squeeze=False)
        for row, name in zip(panels, names, strict=True):
            of_series = [m for m in measurements if m.case.startswith(f"{name}, ")]
            for axes, quantity in zip(row, (TIME, CALLS), strict=True):
                rank_curves(axes, quantity, of_series, POINT, COLOURS)
                axes.legend(fontsize=8)
                axes.set_title(f"{name}: {quantity.removeprefix('simulated ')}", fontsize=10)
            _mark_least(row[0], of_series)
    return save(figure, path)


def _mark_least(axes: Axes, measurements: list[Measurement]) -> None:
    for way, colour in COLOURS.items():
        points = [(m.ours, int(match["ranks"])) for m in measurements if m.quantity == TIME
                  and (match := POINT.fullmatch(m.case)) and match["way"] == way]
        if points:
            least, ranks = min(points)
            axes.scatter([ranks], [least], s=110, facecolors="none", edgecolors=colour, linewidths=1.6)


def kinds_picture(path: Path, measurements: list[Measurement]) -> Path | None:
    """For each case a bar for each layer: simulated time in calls of each kind."""
    found: dict[str, dict[str, dict[str, float]]] = {}  # case -> layer -> kind -> milliseconds
    ranks = 0
    for m in measurements:
        match = LAYER.fullmatch(m.case)
        for kind, words in WORDS.items():
            if match and m.quantity == f"simulated time of a step in {words}":
                found.setdefault(match["case"], {}).setdefault(match["layer"], {})[kind] = 1e3 * m.ours
                ranks = max(ranks, int(match["ranks"]))
    cases = [case for case in CASES if case in found]
    if not cases:
        return None
    bars = sum(len(found[case]) for case in cases)
    with mpl.rc_context(STYLE):
        figure = new_figure(11.0, 1.6 + 0.6 * len(cases) + 0.3 * bars, "What OpenFOAM asks of MPI in a step",
                            f"{ranks} ranks; simulated time in calls of each kind, without the work between")
        panels = figure.subplots(len(cases), 1, squeeze=False,
                                 height_ratios=[len(found[case]) + 1 for case in cases])[:, 0]
        for axes, case in zip(panels, cases, strict=True):
            _bars(axes, case, found[case])
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(WORDS), fontsize=9)
    return save(figure, path)


def _bars(axes: Axes, case: str, layers: dict[str, dict[str, float]]) -> None:
    ends = [0.0] * len(layers)
    for kind, words in WORDS.items():
        widths = [row.get(kind, 0.0) for row in layers.values()]
        axes.barh(list(layers), widths, left=ends, color=BARS[kind], label=words, height=0.75)
        ends = [end + width for end, width in zip(ends, widths, strict=True)]
    for place, end in enumerate(ends):
        axes.text(end, place, f" {end:.2f}", va="center", fontsize=8)
    axes.set_xlim(0, 1.08 * max(ends))
    axes.invert_yaxis()
    axes.set_title(f"{case}: milliseconds of a step", fontsize=10)
