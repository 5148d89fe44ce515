# SPDX-License-Identifier: BSD-3-Clause
"""The phases of all ranks of both participants over time."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from isthmus.errors import IsthmusError
from isthmus.plot.figure import PALETTE, STYLE, new_figure, save

LOOP = "advance"  # phases of this name are also shown magnified
SLASH_SHRINKS = 0.45  # height of a phase inside another one


def timeline_picture(path: Path, reports: dict[str, dict], subtitle: str = "") -> Path:
    """Spans {rank, name, begin, end} (seconds of one clock) of every participant's report as bars.

    A name with slashes ("initialize/match") lies inside the phase before the slash."""
    spans = [(name, span) for name, report in reports.items() for span in report.get("spans", [])]
    if not spans:
        raise IsthmusError("no participant recorded spans, so there is no time line to draw")
    zero = min(span["begin"] for _, span in spans)
    lanes = sorted({(list(reports).index(name), span["rank"]) for name, span in spans})
    place = {lane: row for row, lane in enumerate(lanes)}
    labels = [f"{list(reports)[number]} · {rank}" for number, rank in lanes]
    colours = _colours([span["name"] for _, span in spans])
    bars = [(place[list(reports).index(name), span["rank"]], span["name"], span["begin"] - zero,
             span["end"] - zero) for name, span in spans]
    loop = [(begin, end) for _, name, begin, end in bars if name.split("/")[0] == LOOP]
    views = [(0.0, max(end for *_, end in bars), "the whole run")]
    if loop:
        views.append((min(b for b, _ in loop), max(e for _, e in loop), "the time windows, magnified"))
    height = 0.34 * len(lanes) + 0.9
    with mpl.rc_context(STYLE):
        figure = new_figure(13.0, len(views) * height + 1.4, "Time line of both programs", subtitle)
        for ax, (begin, end, title) in zip(np.atleast_1d(figure.subplots(len(views), 1)), views, strict=True):
            _draw(ax, bars, colours, begin, end)
            ax.set_yticks(range(len(labels)), labels)
            ax.set_title(title)
        figure.legend(handles=[Patch(color=colour, label=name) for name, colour in colours.items()],
                      loc="outside lower left", ncols=min(7, len(colours)), fontsize=9)
    return save(figure, path)


def _colours(names: list[str]) -> dict[str, str]:
    """One colour per phase, in the order of appearance; inner phases after the one they lie in."""
    outer = list(dict.fromkeys(name.split("/")[0] for name in names))
    ordered = sorted(set(names), key=lambda n: (outer.index(n.split("/")[0]), n.count("/"), names.index(n)))
    return {name: PALETTE[k % len(PALETTE)] for k, name in enumerate(ordered)}


def _draw(axes: Axes, bars: list[tuple[int, str, float, float]], colours: dict[str, str], begin: float,
          end: float) -> None:
    margin = 0.01 * max(end - begin, 1e-9)
    scale, unit = _unit(end - begin)
    grouped: dict[tuple[int, str], list[tuple[float, float]]] = defaultdict(list)
    for row, name, first, last in bars:
        if last >= begin - margin and first <= end + margin:
            grouped[row, name].append(((first - begin) * scale, (last - first) * scale))
    for (row, name), pieces in sorted(grouped.items(), key=lambda item: item[0][1].count("/")):
        depth = name.count("/")
        height = 0.78 * SLASH_SHRINKS**depth
        axes.broken_barh(pieces, (row - height / 2, height), facecolors=colours[name], linewidth=0,
                         zorder=2 + depth)
    rows = max(row for row, *_ in bars)
    axes.set(xlim=(-margin * scale, (end - begin + margin) * scale), ylim=(rows + 0.6, -0.6),
             xlabel=f"time / {unit}")
    axes.grid(True, axis="x", color="#e0e0e0", lw=0.6, zorder=0)
    axes.tick_params(axis="y", length=0)


def _unit(duration: float) -> tuple[float, str]:
    for factor, unit in ((1.0, "s"), (1e3, "ms")):
        if duration * factor >= 1:
            return factor, unit
    return 1e6, "µs"
