# SPDX-License-Identifier: BSD-3-Clause
"""Draws the logs that a coupled run leaves where it was started, one picture each: residuals over the
iterations, iterations and quasi-Newton columns per time window, watch points and integrals over time."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from isthmus.console import console, table
from isthmus.errors import OK
from isthmus.run_logs import RunLog, find, read


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("logs", type=Path, nargs="+", metavar="LOG",
                        help="precice-<participant>-{convergence,iterations,watchpoint-…,watchintegral-…}"
                             ".log, or a folder with them")
    parser.add_argument("--out", type=Path, metavar="DIR", help="of the pictures (default: beside the logs)")


def execute(options: argparse.Namespace) -> int:
    from isthmus.plot.convergence import log_picture  # takes a while

    summary = table("", "participant", "log", "rows", "what it says")
    pictures = []
    for path in find(options.logs):
        log = read(path)
        pictures.append(log_picture((options.out or path.parent) / f"{path.stem}.png", log))
        summary.add_row(log.participant, f"{log.kind} {log.name}".strip(), f"{len(log.values):,}", _says(log))
    console.print(summary)
    for picture in pictures:
        console.print(f"written: {picture}", soft_wrap=True)
    return OK


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
