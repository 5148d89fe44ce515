# SPDX-License-Identifier: BSD-3-Clause
"""The phases of all ranks of all participants over time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from isthmus.errors import IsthmusError
from isthmus.plot.figure import PALETTE, STYLE, new_figure, save

LOOP = "advance"  # phases of this name are also shown magnified
SHRINKS = 0.55  # height of a phase inside another one
COLOURS = {  # of what the library measures; the palette is for sections of the solver
    "construct": "#c3b8d8", "initialize": "#8fb4d9", "advance": "#4477aa", "finalize": "#7d8a99",
    "connect": "#c9def0", "partners": "#882255", "transfer": "#ee8866", "search": "#44aa99",
    "plan": "#ccbb44", "data": "#aa3377", "map": "#228833", "exchange": "#8cc4e8", "measure": "#e8a838",
    "accelerate": "#ee6677", "output": "#6b4c9a", "readData": "#999933", "writeData": "#b97a57"}
WAITS, WAITING = ("wait", "synchronize"), "#d9d9d9"
SOLVER, SOLVING = "solver.", "#f3ead7"
LANE, TALLEST = 0.34, 13.0  # inches of a rank and of all
LABELS = 48  # ranks that are named
PIXELS = 4000  # what lies closer is one bar


@dataclass(frozen=True)
class TimeLine:
    """Bars, and what stands beside them. A name with slashes ("initialize/match") lies inside the phase
    before the slash."""

    lanes: list[str]
    names: list[str]
    lane: np.ndarray  # of each bar, in lanes
    name: np.ndarray  # of each bar, in names
    begin: np.ndarray  # seconds
    end: np.ndarray


def timeline_picture(path: Path, reports: dict[str, dict], subtitle: str = "") -> Path:
    """Spans {rank, name, begin, end} (seconds of one clock) of every participant's report as bars."""
    spans = [(name, span) for name, report in reports.items() for span in report.get("spans", [])]
    if not spans:
        raise IsthmusError("no participant recorded spans, so there is no time line to draw")
    order = list(reports)
    lanes = sorted({(order.index(name), span["rank"]) for name, span in spans})
    names = list(dict.fromkeys(span["name"] for _, span in spans))
    begin = np.array([span["begin"] for _, span in spans])
    line = TimeLine([f"{order[number]} · {rank}" for number, rank in lanes], names,
                    np.array([lanes.index((order.index(name), span["rank"])) for name, span in spans]),
                    np.array([names.index(span["name"]) for _, span in spans]),
                    begin - begin.min(), np.array([span["end"] for _, span in spans]) - begin.min())
    loop = np.array([name.split("/")[0] == LOOP for name in names])[line.name]
    views = [(0.0, float(line.end.max()), "the whole run")]
    if loop.any():
        views.append((float(line.begin[loop].min()), float(line.end[loop].max()),
                      "the time windows, magnified; 0 is the first call of advance"))
    return draw_time_line(path, line, views, "Time line of both programs", subtitle)


def draw_time_line(path: Path, line: TimeLine, views: list[tuple[float, float, str]], title: str,
                   subtitle: str = "") -> Path:
    """One panel for each view (begin, end, title)."""
    colours = _colours(line.names)
    height = min(LANE * len(line.lanes), TALLEST / len(views)) + 0.9
    with mpl.rc_context(STYLE):
        figure = new_figure(13.0, len(views) * height + 1.0 + 0.2 * -(-len(colours) // 7), title, subtitle)
        for ax, (begin, end, words) in zip(figure.subplots(len(views), 1, squeeze=False)[:, 0], views,
                                           strict=True):
            _draw(ax, line, colours, begin, end)
            every = -(-len(line.lanes) // LABELS)
            ax.set_yticks(range(0, len(line.lanes), every), line.lanes[::every])
            ax.set_title(words)
        figure.legend(handles=[Patch(color=colour, label=name) for name, colour in colours.items()],
                      loc="outside lower left", ncols=min(7, len(colours)), fontsize=9)
    return save(figure, path)


def _last(name: str) -> str:
    return name.rsplit("/", 1)[-1]


def _colours(names: list[str]) -> dict[str, str]:
    """By the last part of a name: outer phases first, then inner ones; waits are grey, the solver is pale."""
    ordered = list(dict.fromkeys(_last(name) for name in sorted(names, key=lambda name: name.count("/"))))
    known = {name: WAITING if name.startswith(WAITS) else SOLVING for name in ordered
             if name.startswith((*WAITS, SOLVER))} | COLOURS
    others = [name for name in ordered if name not in known]
    return {name: known.get(name) or PALETTE[others.index(name) % len(PALETTE)] for name in ordered}


def _draw(axes: Axes, line: TimeLine, colours: dict[str, str], begin: float, end: float) -> None:
    margin = 0.01 * max(end - begin, 1e-9)
    scale, unit = _unit(end - begin)
    seen = np.flatnonzero((line.end >= begin - margin) & (line.begin <= end + margin))
    keys = line.name[seen] * len(line.lanes) + line.lane[seen]
    for key in np.unique(keys):
        chosen = seen[keys == key]
        name, row = line.names[key // len(line.lanes)], key % len(line.lanes)
        depth = name.count("/")
        height = 0.8 * SHRINKS**depth
        starts, ends = _merged(line.begin[chosen], line.end[chosen], (end - begin) / PIXELS)
        bars = np.column_stack([(starts - begin) * scale, (ends - starts) * scale])
        axes.broken_barh(bars, (row - height / 2, height), facecolors=colours[_last(name)], linewidth=0,
                         zorder=2 + depth)
    axes.set(xlim=(-margin * scale, (end - begin + margin) * scale), ylim=(len(line.lanes) - 0.4, -0.6),
             xlabel=f"time / {unit}")
    axes.grid(True, axis="x", color="#e0e0e0", lw=0.6, zorder=0)
    axes.tick_params(axis="y", length=0)


def _merged(begin: np.ndarray, end: np.ndarray, gap: float) -> tuple[np.ndarray, np.ndarray]:
    """Intervals whose gaps are wider than `gap`."""
    order = np.argsort(begin)
    begin, end = begin[order], np.maximum.accumulate(end[order])
    first = np.concatenate([[True], begin[1:] - end[:-1] > gap])
    return begin[first], end[np.concatenate([first[1:], [True]])]


def _unit(duration: float) -> tuple[float, str]:
    for factor, unit in ((1.0, "s"), (1e3, "ms")):
        if duration * factor >= 1:
            return factor, unit
    return 1e6, "µs"
