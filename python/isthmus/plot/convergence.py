# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of the logs of a coupled run: residuals over all iterations, iterations per window, watched values
over time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from isthmus.plot.figure import PALETTE, STYLE, new_figure, save
from isthmus.run_logs import RunLog

MEASURES = {"ResAbs": "absolute", "ResRel": "relative", "ResDrop": "relative to the first"}
FEW_WINDOWS = 40  # of which every end is marked
QN_COLUMNS = {"QNColumns": "columns in use", "DeletedQNColumns": "deleted by the filter",
              "DroppedQNColumns": "dropped, too old or too many"}


def log_picture(path: Path, log: RunLog) -> Path:
    """Of a log of any kind."""
    if len(log.values) == 0:
        return _picture(path, log, "nothing is in it yet", [])
    if log.kind == "convergence":
        return _picture(path, log, "residuals over all iterations; a line between time windows", [_residuals])
    if log.kind == "iterations":
        failed = int(np.sum(log["Convergence"] == 0)) if "Convergence" in log.columns else 0
        words = f"; {failed} windows without convergence (red)" if failed else ""
        panels = [_iterations, _columns] if "QNColumns" in log.columns else [_iterations]
        mean = log["Iterations"].mean()
        return _picture(path, log, f"{mean:.3g} iterations per time window{words}", panels)
    return _picture(path, log, f"{log.kind} {log.name}", [_watched])


def _picture(path: Path, log: RunLog, subtitle: str, panels: list[Callable[[Axes, RunLog], None]]) -> Path:
    with mpl.rc_context(STYLE):
        figure = new_figure(10.0, 5.0, f"{log.participant}: {log.kind}", subtitle)
        grid = figure.subplots(max(1, len(panels)), 1, squeeze=False, sharex=True)[:, 0]
        for axes, draw in zip(grid, panels, strict=False):
            draw(axes, log)
            axes.grid(True, color="#e4e4e4", lw=0.6, zorder=0)
            if axes.get_legend_handles_labels()[1]:
                axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=3, fontsize=9)
        if panels:
            grid[-1].set_xlabel("iteration" if log.kind == "convergence" else
                                "time window" if log.kind == "iterations" else "time")
    return save(figure, path)


def _residuals(axes: Axes, log: RunLog) -> None:
    ends = np.flatnonzero(np.diff(log["TimeWindow"])) + 1  # rows that begin another window
    if len(ends) < FEW_WINDOWS:
        for end in ends:
            axes.axvline(end + 0.5, color="#bbbbbb", lw=0.8, zorder=1)
    at = np.insert(np.arange(1.0, len(log.values) + 1), ends, np.nan)
    for k, column in enumerate(log.measured):
        positive = np.where(log[column] > 0, log[column], np.nan)  # zero has no place on this axis
        axes.plot(at, np.insert(positive, ends, np.nan), ".-", ms=4, lw=1.2,
                  color=PALETTE[k % len(PALETTE)], label=_label(column), zorder=2)
    axes.set(yscale="log", ylabel="residual")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _label(column: str) -> str:
    """ResRel(MB:Flux) -> Flux on MB, relative"""
    kind, _, rest = column.partition("(")
    mesh, _, data = rest.rstrip(")").partition(":")
    return f"{data} on {mesh}, {MEASURES[kind]}" if kind in MEASURES and data else column


def _iterations(axes: Axes, log: RunLog) -> None:
    windows = log["TimeWindow"]
    converged = log["Convergence"] != 0 if "Convergence" in log.columns else np.ones(len(windows), bool)
    colours = np.where(converged, PALETTE[0], PALETTE[1])
    axes.bar(windows, log["Iterations"], color=colours, width=0.8, zorder=2)
    axes.set_ylabel("iterations")
    _count(axes)


def _columns(axes: Axes, log: RunLog) -> None:
    for k, (column, words) in enumerate(QN_COLUMNS.items()):
        if column in log.columns:
            axes.plot(log["TimeWindow"], log[column], ".-", ms=4, lw=1.2, color=PALETTE[k + 2], label=words,
                      zorder=2)
    axes.set_ylabel("quasi-Newton")
    _count(axes)


def _count(axes: Axes) -> None:
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))


def _watched(axes: Axes, log: RunLog) -> None:
    for k, column in enumerate(log.measured):
        axes.plot(log["Time"], log[column], ".-", ms=4, lw=1.2, color=PALETTE[k % len(PALETTE)], label=column,
                  zorder=2)
