# SPDX-License-Identifier: BSD-3-Clause
"""The solver of free-surface flow with moving particles (docs/solvers/particles.md)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from isthmus.solvers.program import Line, follow, output_folder

PROGRAM = "isthmus-particles"


@dataclass
class Solved:
    """What a run came to."""

    steps: int
    particles: int  # of fluid, at the end
    left: int  # through open sides
    output: Path | None  # folder of a series of VTP files
    history: list[Line]
    remarks: list[str]  # what a step and its messages cost


def solve(
    case: Path, tables: dict, ranks: int, on_line: Callable[[Line], None], restart: Path | None = None
) -> Solved:
    """Runs the solver; calls `on_line` with each line of its history. Raises IsthmusError with its reason."""
    arguments = [str(case)] + (["--restart", str(restart)] if restart else [])
    run = follow(PROGRAM, arguments, ranks, on_line)
    end = run.end(r"ended after (\d+) steps with (\d+) particles of fluid; (\d+) left the tank")
    folder = output_folder(case, tables)
    return Solved(int(end[1]), int(end[2]), int(end[3]), folder, run.history, run.words[:-1])
