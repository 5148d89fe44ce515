# SPDX-License-Identifier: BSD-3-Clause
"""Solves a case: compressible flow on block-structured grids, steady, in time, or periodic by harmonic
balance. The case file is TOML (docs/solvers/flow.md). Shows residuals and loads while it runs, then a table
and a picture."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from rich.live import Live
from rich.text import Text

from isthmus import flow
from isthmus.console import console, table
from isthmus.errors import OK

MOST_ROWS = 24  # of the table of loads


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("case", type=Path, metavar="CASE", help="case.toml")
    parser.add_argument(
        "--ranks", type=int, default=1, metavar="N", help="default 1; results do not depend on it"
    )
    parser.add_argument(
        "--restart", type=Path, metavar="FILE", help="flow.blocks of an earlier run, of any ranks"
    )
    parser.add_argument("--no-picture", action="store_true")


def execute(options: argparse.Namespace) -> int:
    began = time.perf_counter()
    with Live(console=console, transient=True, auto_refresh=False) as live:

        def follow(line: dict[str, float]) -> None:
            text = Text(
                f"step {line['step']:.0f}  iteration {line['iteration']:.0f}  residual {line['density']:.2e}"
                f"  lift {line['lift']:+.5f}  drag {line['drag']:+.5f}  "
                f"{time.perf_counter() - began:.0f} s"
            )
            if console.is_terminal:
                live.update(text, refresh=True)
            else:
                console.print(text)

        solved = flow.solve(options.case, options.ranks, options.restart, follow)
    _show(options.case.stem, solved)
    if not options.no_picture:
        from isthmus.plot.flow import flow_picture  # takes a while, and only this needs it

        picture = flow_picture(
            solved.output / "flow.png", options.case.stem, solved, flow.read_fields(solved.output)
        )
        console.print(f"picture: {picture}", soft_wrap=True)
    console.print(
        f"{'converged' if solved.is_converged else 'ended'} after {solved.iterations:,} iterations, "
        f"{time.perf_counter() - began:.1f} s; files are in {solved.output}",
        soft_wrap=True,
    )
    return OK


def _show(name: str, solved: flow.Solved) -> None:
    results = table(f"{name}: loads on all walls", "time", "incidence", "lift", "drag", "moment", numbers=5)
    for row in solved.loads[-MOST_ROWS:]:
        results.add_row(
            f"{row['time']:.4f}",
            f"{row['incidence']:.3f}",
            *(f"{row[key]:.5f}" for key in ("lift", "drag", "moment")),
        )
    console.print(results)
