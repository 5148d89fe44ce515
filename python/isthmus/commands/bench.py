# SPDX-License-Identifier: BSD-3-Clause
"""Runs a benchmark: prints a table with the published or a peer's figure beside ours, appends the figures to
a CSV file with commit, host and date, and draws a picture."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

from isthmus.bench import NAMES
from isthmus.errors import OK, IsthmusError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", choices=[*NAMES, "all"], metavar="NAME", help=f"{', '.join(NAMES)}, or all")
    parser.add_argument("--full", action="store_true", help="all sizes; takes long")
    parser.add_argument("--repeat", type=int, default=3, help="runs of which the best counts (default 3)")
    parser.add_argument("--out", type=Path, default=Path("out/bench"), metavar="DIR")
    parser.add_argument("--results", type=Path, metavar="DIR",
                        help="of CSV file and pictures (default: --out)")
    lines = [f"  {name:8} {_summary(name)}" for name in NAMES]
    parser.epilog = "benchmarks:\n" + "\n".join(lines) + f"\n\n{parser.epilog}"


def _summary(name: str) -> str:
    return (import_module(f"isthmus.bench.{name}").__doc__ or "").splitlines()[0]


def execute(options: argparse.Namespace) -> int:
    from isthmus.bench.framework import Context, run

    if options.repeat < 1:
        raise IsthmusError(f"--repeat {options.repeat}: give at least 1")
    context = Context(options.out, options.full, options.repeat, options.results)
    for name in NAMES if options.name == "all" else [options.name]:
        run(name, context)
    return OK
