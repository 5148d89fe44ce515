# SPDX-License-Identifier: BSD-3-Clause
"""Starts all participants of a case from one small file, shows them side by side, writes their logs, and
ends the others with the reason when one fails."""

from __future__ import annotations

import argparse
from pathlib import Path

from isthmus.errors import IsthmusError
from isthmus.run import case, load, report, run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("case", type=Path, help="file of the case (TOML), or a folder with a case.toml")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="end everything after this")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the logs")
    parser.epilog = f"case file:\n{(case.__doc__ or '').partition(chr(10) * 2)[2]}\n{parser.epilog}"


def execute(options: argparse.Namespace) -> int:
    if options.timeout is not None and options.timeout <= 0:
        raise IsthmusError(f"--timeout {options.timeout:g}: give a number of seconds above 0")
    path = options.case / "case.toml" if options.case.is_dir() else options.case
    loaded = load(path)
    if options.out:
        loaded.out = options.out.resolve()
    return report(loaded, run(loaded, options.timeout))
