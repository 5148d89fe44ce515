# SPDX-License-Identifier: BSD-3-Clause
"""Our figures beside those of others: two dots per case on a logarithmic axis, one panel per quantity."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

from isthmus.bench.measurement import Measurement, value
from isthmus.bench.reference import TARGET
from isthmus.mesh import LEVELS
from isthmus.plot.figure import PALETTE, STYLE, new_figure, save

OURS, OTHERS, LIMITS = PALETTE[0], PALETTE[6], PALETTE[5]
GOOD, BAD, SAME = "#2a6b2a", "#a04020", "#666666"  # words
LINES = {GOOD: "#b8d4b8", BAD: "#e8c8b8", SAME: "#d4d4d4"}  # by the words
ROW, LINE = 0.3, 0.17  # inches of a row, and of each further line of its case
CASE, TITLE, NOTE = 50, 75, 160  # characters of a line
# benchmarks whose figures are results of a solver, to be met
SOLVERS = ("convection", "flow", "flow turbulence", "free surface", "natural convection")
NEAR = 0.03  # of a result that is met
SMALL = ("largest difference", "residual")  # of these less is better, in a solver, too
SIZES = ", ".join(f"{level} {count:,}" for level, count in LEVELS.items())
NOTES = {  # of words in cases and quantities
    r"\bM[1-6]\b": f"M1 to M6: surfaces of a wind-turbine blade; vertices of B: "
                   f"{SIZES}; A has 0.8 times as many",
    r"\b(A|B)\b": "A receives the mesh and maps, B provides it",
    r"\bshm\b": "tcp: sockets on one machine; shm: shared memory",
    r"\braw\b": "raw: the same bytes on the same transport without the library",
    r"\bagreed\b": "agreed: with the agreement of all ranks that the exchange needs in every step",
}


def comparison_picture(path: Path, name: str, summary: str,
                       measurements: list[Measurement]) -> Path | None:
    """Of those measurements that have a reference; targets that are kept only where there is nothing else."""
    compared = _compared(measurements)
    if not compared:
        return None
    panels: dict[tuple[str, bool], list[Measurement]] = {}
    for m in compared:
        title = textwrap.fill(f"{m.quantity} ({m.kind})", TITLE)
        panels.setdefault((title, name in SOLVERS and _is_result(m)), []).append(m)
    sources = list(dict.fromkeys(m.source for m in compared))
    words = " ".join(f"{m.case} {m.quantity}" for m in compared)
    notes = _notes_of_words(compared, any(is_result for _, is_result in panels))
    notes += [f"[{k}] {source}" for k, source in enumerate(sources, 1)]
    notes += [note for pattern, note in NOTES.items() if re.search(pattern, words)]
    notes = [line for note in notes for line in textwrap.wrap(note, NOTE, subsequent_indent="      ")]
    heights = [(ROW + LINE * _further_lines(rows)) * len(rows) + 0.75 for rows in panels.values()]
    with mpl.rc_context(STYLE):
        figure = new_figure(10.0, sum(heights) + 1.1 + 0.18 * len(notes), name, summary)
        grid = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights)
        for ax, ((title, is_result), rows) in zip(grid[:, 0], panels.items(), strict=True):
            (_result_panel if is_result else _panel)(ax, title, rows, sources)
        legend = {"Isthmus": OURS} | {_legend(m): _colour(m)
                                     for m in sorted(compared, key=lambda m: m.is_limit)}
        for label, colour in legend.items():
            grid[0, 0].scatter([], [], s=46, color=colour, label=label)
        figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="upper right", ncols=3)
        figure.supxlabel("\n".join(notes), fontsize=8, color="#777777", x=0.012, ha="left")
    return save(figure, path)


def _compared(measurements: list[Measurement]) -> list[Measurement]:
    found = [m for m in measurements if m.reference is not None and m.shown]
    if all(m.is_limit for m in found):
        return found
    return [m for m in found if m.is_missed or not m.source.startswith(TARGET)]


def _notes_of_words(compared: list[Measurement], has_results: bool) -> list[str]:
    """What stands at the right, and what empty dots are."""
    notes = []
    if not all(m.is_limit for m in compared):
        notes.append("At the right: ours | the other's [which], the factor by which ours is better; grey: "
                     "the same")
    if any(m.is_limit for m in compared):
        notes.append("Beside targets and limits: ours | the limit [which], and whether it is kept")
    if has_results:
        notes.append("Results of a solver: ours | the known one [which], how far ours is from it; green: at "
                     f"most {NEAR:.0%}")
    if any(number == 0 for m in compared for number in (m.ours, m.reference)):
        notes.append("Empty dots: zero")
    return notes


def _colour(m: Measurement) -> str:
    """Of the dot of the reference."""
    return LIMITS if m.is_limit else OTHERS


def _legend(m: Measurement) -> str:
    return "a target or a limit" if m.is_limit else "what it stands beside"


def _tone(m: Measurement) -> str:
    """Of the words."""
    return SAME if m.is_same else BAD if m.is_missed else GOOD


def _further_lines(rows: list[Measurement]) -> int:
    return max(len(textwrap.wrap(m.case, CASE)) for m in rows) - 1


def _is_result(m: Measurement) -> bool:
    """A value that should be that of the reference, no cost and no bound."""
    return not m.unit and bool(m.reference) and not m.is_limit and not m.quantity.startswith(SMALL)


def _result_panel(axes: Axes, title: str, rows: list[Measurement], sources: list[str]) -> None:
    ours = np.array([float(m.ours) for m in rows])
    known = np.array([m.reference or 0.0 for m in rows])
    off = ours / known - 1
    at = np.arange(len(rows))
    axes.hlines(at, np.minimum(ours, known), np.maximum(ours, known), lw=2, colors="#cccccc", zorder=1)
    axes.scatter(known, at, s=70, color=OTHERS, zorder=2)
    axes.scatter(ours, at, s=26, color=OURS, zorder=3)
    both = np.concatenate([ours, known])
    margin = 0.1 * max(np.ptp(both), 0.5 * np.abs(both).max())
    axes.set(xlim=(both.min() - margin, both.max() + margin), ylim=(len(rows) - 0.4, -0.6), title=title)
    axes.xaxis.set_major_locator(MaxNLocator(6))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}" if abs(x) >= 1000 else f"{x:.6g}"))
    words = [f"{value(m.ours, '')} | {value(m.reference, '')} [{sources.index(m.source) + 1}]  {part:+.1%}"
             for m, part in zip(rows, off, strict=True)]
    _finish(axes, rows, words, [GOOD if near else BAD for near in np.abs(off) <= NEAR])


def _panel(axes: Axes, title: str, rows: list[Measurement], sources: list[str]) -> None:
    ours = np.array([float(m.ours) for m in rows])
    others = np.array([m.reference or 0.0 for m in rows])
    positive = [number for number in (*ours, *others) if number > 0]
    least = min(positive, default=1.0) / 3  # a place for zeros, which this axis does not have
    at = np.arange(len(rows))
    tones = [_tone(m) for m in rows]
    dots = {36: (others, [_colour(m) for m in rows]), 46: (ours, [OURS] * len(rows))}
    for layer, (size, (numbers, colours)) in enumerate(dots.items(), 2):
        faces = ["white" if number <= 0 else colour for number, colour in zip(numbers, colours, strict=True)]
        axes.scatter(np.maximum(numbers, least), at, s=size, color=faces, edgecolor=colours, zorder=layer)
    ours, others = np.maximum(ours, least), np.maximum(others, least)
    axes.hlines(at, np.minimum(ours, others), np.maximum(ours, others), lw=2,
                colors=[LINES[tone] for tone in tones], zorder=1)
    axes.set_xscale("log")
    low, high = min(ours.min(), others.min()), max(ours.max(), others.max())
    axes.set(xlim=(low / 1.5, high * 1.5), ylim=(len(rows) - 0.4, -0.6), title=title)
    unit = rows[0].unit
    subs = (1.0, 2.0, 5.0) if high / low < 20 else (1.0, 3.0) if high / low < 100 else (1.0,)
    axes.xaxis.set_major_locator(LogLocator(subs=subs, numticks=9))
    if high / low < 4:  # few powers of ten and their parts lie there
        axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
        axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(
        lambda x, _: value(x, unit) if unit else f"{x:,.0f}" if x >= 10 else f"{x:.6g}"))
    axes.xaxis.set_minor_formatter("")
    words = [f"{_both(m)} [{sources.index(m.source) + 1}]{_factor(m)}" for m in rows]
    if not positive:
        axes.set_xticks([])
    _finish(axes, rows, words, tones)


def _finish(axes: Axes, rows: list[Measurement], words: list[str], tones: list[str]) -> None:
    """Cases at the left, `words` at the right."""
    axes.set_yticks(range(len(rows)), [textwrap.fill(m.case, CASE) for m in rows])
    axes.grid(True, axis="x", color="#e4e4e4", lw=0.6, zorder=0)
    axes.tick_params(axis="y", length=0)
    for row, text in enumerate(words):
        axes.annotate(text, (1.005, row), va="center", fontsize=9,
                      xycoords=("axes fraction", "data"), color=tones[row])


def _both(m: Measurement) -> str:
    """Ours and the reference, with more digits where they would look the same and one of them is better."""
    ours, reference = value(m.ours, m.unit), value(m.reference, m.unit)
    if ours == reference and not m.unit and not m.is_same:
        ours, reference = f"{m.ours:.6g}", f"{m.reference:.6g}"
    return f"{ours} | {reference}"


def _factor(m: Measurement) -> str:
    if m.is_limit:
        return "  missed" if m.is_missed else "  kept"
    if not m.ratio:
        return ""
    return f"  {m.ratio:,.0f}×" if m.ratio >= 100 else f"  {m.ratio:.3g}×"
