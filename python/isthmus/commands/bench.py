# SPDX-License-Identifier: BSD-3-Clause
"""Runs a benchmark: prints a table with the published or a peer's figure beside ours, appends the figures to
a CSV file with commit, host and date, and draws a picture."""

from __future__ import annotations

import argparse
from pathlib import Path

from isthmus.bench import ALIASES, NAMES, summary
from isthmus.console import console
from isthmus.errors import OK, IsthmusError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", choices=[*NAMES, *ALIASES, "all"], metavar="NAME",
                        help="one of the list below, or all")
    parser.add_argument("--full", action="store_true", help="run all sizes, which takes long")
    parser.add_argument("--repeat", type=int, default=3, metavar="N",
                        help="runs of which the median counts (default 3; published figures take 30)")
    parser.add_argument("--out", type=Path, default=Path("out/bench"), metavar="DIR",
                        help="folder of what the runs write (default out/bench)")
    parser.add_argument("--results", type=Path, metavar="DIR",
                        help="folder of results.csv and of the pictures (default: that of --out)")
    parser.add_argument("--only", default="", metavar="TEXT",
                        help="only rows whose case has TEXT; most benchmarks measure nothing else")
    width = max(len(name) for name in NAMES)
    lines = [f"  {name:{width}}  {summary(name)}" for name in NAMES]
    parser.epilog = "benchmarks:\n" + "\n".join(lines) + f"\n\n{parser.epilog}"


def execute(options: argparse.Namespace) -> int:
    from isthmus.bench.framework import Context, run
    from isthmus.plot.benchmarks import draw  # takes a while

    if options.repeat < 1:
        raise IsthmusError(f"--repeat {options.repeat}: give at least 1")
    context = Context(options.out, options.full, options.repeat, options.results, options.only)
    names = NAMES if options.name == "all" else ALIASES.get(options.name, (options.name,))
    for name in names:
        measurements = run(name, context)
        for picture in draw(name, context.results or context.out, measurements, context.out / "runs"):
            console.print(f"written: {picture}", soft_wrap=True)
    return OK
