# SPDX-License-Identifier: BSD-3-Clause
"""Makes one HTML file of what a coupled run has left: residuals, iterations, time line, who waits for whom,
watched values, pictures of the last exports, the last lines of the participants. Any browser shows it; it
needs no network.

The time line and the waits come from profiles (isthmus profile); with ISTHMUS_PROFILE=fundamental they tell
for whom a participant waits. While a run goes on, isthmus run --live shows the same."""

from __future__ import annotations

import argparse
from pathlib import Path

from isthmus.console import console
from isthmus.errors import OK, IsthmusError

LINES = 12  # of the end of a log


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, nargs="?", default=Path(),
                        help="folder of the case, in which participants ran, or in folders of their own in "
                             "it (default: the folder where you are)")
    parser.add_argument("--out", type=Path, metavar="FILE",
                        help="the file (default: report.html in the folder)")
    parser.add_argument("--title", help="its heading (default: the name of the folder)")


def execute(options: argparse.Namespace) -> int:
    from isthmus.live import Snapshots, page  # takes a while

    folder = options.folder
    if not folder.is_dir():
        raise IsthmusError(f"{folder}: there is no such folder")
    title = options.title or folder.resolve().name
    data = Snapshots(title, [folder]).take()
    data["is_live"] = False
    data["participants"] = [_participant(log) for log in sorted(folder.glob("out/*.log"))]
    if not any(data[key] for key in ("convergence", "iterations", "watched", "participants", "pictures")) \
            and not data["timeline"]["bars"]:
        raise IsthmusError(f"{folder}: a coupled run has left nothing here, nor in the folders in it")
    out = options.out or folder / "report.html"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page(title, data))
    console.print(f"written: {out}", soft_wrap=True)
    return OK


def _participant(log: Path) -> dict:
    lines = log.read_text(errors="replace").splitlines()
    return {"name": log.stem, "state": "ended", "window": "", "elapsed": None, "lines": lines[-LINES:]}
