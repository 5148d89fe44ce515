# SPDX-License-Identifier: BSD-3-Clause
"""Writes a minimal case that runs, with a solver to replace for each participant."""

from __future__ import annotations

import argparse
from pathlib import Path

from isthmus.errors import OK
from isthmus.new import LANGUAGES, write


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, help="folder that is made for the case")
    parser.add_argument("participants", nargs="+", metavar="NAME[:LANGUAGE]",
                        help="name of a participant and the language of its solver: "
                             f"{', '.join(LANGUAGES)} (default python); two or more")


def execute(options: argparse.Namespace) -> int:
    files = write(options.folder, options.participants)
    print("wrote " + ", ".join(str(path) for path in files))
    steps = [f"isthmus run {options.folder}"]
    if any(path.name == "CMakeLists.txt" for path in files):
        steps.insert(0, f"cmake -S {options.folder} -B {options.folder}/build -DCMAKE_PREFIX_PATH=PREFIX && "
                        f"cmake --build {options.folder}/build")
    print("next: " + "\n      ".join(steps))
    return OK
