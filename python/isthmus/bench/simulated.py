# SPDX-License-Identifier: BSD-3-Clause
"""Runs benchmark programs of the preset smpi on simulated clusters: same input, same times."""

from __future__ import annotations

import csv
from pathlib import Path

from isthmus import programs
from isthmus.console import console, print_warning
from isthmus.errors import IsthmusError

TREE = Path(__file__).resolve().parents[3]
# all ranks share the program's globals, every send waits for its receive: many times faster
QUICK = {"ISTHMUS_SIMULATED_SHARED": "1", "ISTHMUS_SIMULATED_RENDEZVOUS": "1"}
# reading the clock is free, and no work is too short to count
SHORT_WORK = {"ISTHMUS_SIMULATED_OPTIONS": "smpi/wtime:0 smpi/cpu-threshold:0"}


def rows(name: str, ranks: int, arguments: list[str], limit: float,
         variables: dict[str, str] | None = None) -> list[dict[str, str]]:
    """The lines that a program prints, or none, with a warning, if it is not there or takes more than `limit`
    seconds."""
    program = TREE / "build" / "smpi" / "bench" / name
    if not program.is_file():
        print_warning(f"no simulated clusters: {program} is not there; tools/build.sh smpi 2 {name} "
                      "builds it")
        return []
    console.print(f"simulating {name} on {ranks:,} ranks", style="dim")
    command = [str(TREE / "tools" / "smpirun.sh"), str(ranks), str(program), *arguments]
    try:
        text = programs.output(name, command, limit, QUICK | (variables or {}))
    except IsthmusError as error:
        print_warning(f"nothing of {ranks:,} simulated ranks: {error}")
        return []
    return list(csv.DictReader(text.splitlines()))
