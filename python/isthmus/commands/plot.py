# SPDX-License-Identifier: BSD-3-Clause
"""Draws what a coupled run leaves where it was started, one picture each: logs (residuals over the
iterations, iterations and quasi-Newton columns per time window, watch points and integrals over time) and the
fields of exports."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from isthmus.console import console, table
from isthmus.errors import OK, IsthmusError
from isthmus.formats import READERS
from isthmus.formats import read as read_surface
from isthmus.run_logs import RunLog, find, read


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE",
                        help="precice-<participant>-{convergence,iterations,watchpoint-…,watchintegral-…}"
                             ".log, a folder with them or with those of participants that work in "
                             "folders of their own, or an export (.vtu, .vtp, .vtk, .pvtu, .pvtp, .csv)")
    parser.add_argument("--data", action="append", metavar="NAME",
                        help="draw this data of exports; may be given several times (default: all)")
    parser.add_argument("--out", type=Path, metavar="DIR",
                        help="folder of the pictures (default: beside the logs)")


def execute(options: argparse.Namespace) -> int:
    exports = [path for path in options.files if path.suffix in READERS]
    logs = [path for path in options.files if path not in exports]
    pictures = [_draw_fields(path, options) for path in exports]
    if logs:
        pictures += _draw_logs(find(logs), options)
    for picture in pictures:
        console.print(f"written: {picture}", soft_wrap=True)
    return OK


def _draw_fields(path: Path, options: argparse.Namespace) -> Path:
    from isthmus.plot.fields import fields_picture

    surface = read_surface(path)
    names = options.data or list(surface.point_data)
    for name in names:
        if name not in surface.point_data:
            raise IsthmusError(f"{path}: there is no data {name}; there is {', '.join(surface.point_data)}")
    return fields_picture((options.out or path.parent) / f"{path.stem}.png", surface, path.name, names)


def _draw_logs(paths: list[Path], options: argparse.Namespace) -> list[Path]:
    from isthmus.plot.convergence import log_picture  # takes a while

    summary = table("", "participant", "log", "rows", "what it says")
    pictures = []
    for path in paths:
        log = read(path)
        pictures.append(log_picture((options.out or path.parent) / f"{path.stem}.png", log))
        summary.add_row(log.participant, f"{log.kind} {log.name}".strip(), f"{len(log.values):,}", _says(log))
    console.print(summary)
    return pictures


def _says(log: RunLog) -> str:
    if len(log.values) == 0:
        return "nothing yet"
    if log.kind == "iterations":
        iterations = log["Iterations"]
        words = f"{iterations.mean():.3g} iterations per window, {iterations.max():.0f} at most"
        failed = int(np.sum(log["Convergence"] == 0)) if "Convergence" in log.columns else 0
        return f"{words}, {failed} windows without convergence" if failed else words
    if log.kind == "convergence":
        worst = max(log.measured, key=lambda column: log[column][-1], default="")
        return f"at last {worst} = {log[worst][-1]:.2e}" if worst else "no measures"
    return f"until t = {log['Time'][-1]:g}"
