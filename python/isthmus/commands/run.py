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
    parser.add_argument("--restart", nargs="?", const="latest", type=window, metavar="WINDOW",
                        help="continue the run that wrote restart files, after this window or the latest")
    parser.add_argument("--restart-every", type=int, metavar="N",
                        help="write restart files every N time windows")
    parser.epilog = f"case file:\n{(case.__doc__ or '').partition(chr(10) * 2)[2]}\n{parser.epilog}"


def window(text: str) -> str:
    if text != "latest" and not text.isdecimal():
        raise argparse.ArgumentTypeError(
            f'"{text}" is neither a time window nor "latest"; put the case first')
    return text


def execute(options: argparse.Namespace) -> int:
    if options.timeout is not None and options.timeout <= 0:
        raise IsthmusError(f"--timeout {options.timeout:g}: give a number of seconds above 0")
    path = options.case / "case.toml" if options.case.is_dir() else options.case
    loaded = load(path)
    if options.out:
        loaded.out = options.out.resolve()
    if options.restart is not None:
        loaded.env["ISTHMUS_RESTART"] = options.restart
    if options.restart_every is not None:
        if options.restart_every < 0:
            raise IsthmusError(f"--restart-every {options.restart_every}: give a number of time windows")
        loaded.env["ISTHMUS_RESTART_EVERY"] = str(options.restart_every)
    return report(loaded, run(loaded, options.timeout))
