# SPDX-License-Identifier: BSD-3-Clause
"""What the work of a case costs a rank that never waits, by layer and number of cells.

The case with about so many cells on two ranks, of which one has nearly all: what it awaits has arrived when
it asks, so its caches stay as they are where each rank has a core. In recordings of many ranks on few cores
caches are empty after each wait."""

from __future__ import annotations

import csv
import re
import statistics
import subprocess
from dataclasses import dataclass
from pathlib import Path

import record
import tutorials

from isthmus.openfoam import case as cases
from isthmus.openfoam import runs

STEPS = 40
REPEATS = 101  # of a small system


def meshed(name: str, folder: Path, cells: int) -> tuple[cases.Case, float]:
    """With about so many cells, decomposed; and its time step."""
    case, step = record.refined(name, folder, (cells / record.CELLS[name]) ** 0.5)
    owner = (folder / "constant/polyMesh/owner").read_text(encoding="latin-1")
    number = int(re.search(r"nCells:\s*(\d+)", owner)[1])
    few = max(2, number // 30)
    tutorials.decompose_by(case, [int(i >= number - few) for i in range(number)])
    return case, step


def quartiles(found: record.Recording) -> tuple[float, float]:
    """Microseconds of a step without its solutions, and of an iteration, the first residual counting as one:
    lower quartiles, without the first ten steps."""
    work = found.work(0)
    last = len([part for part in work if part.startswith("step")]) - 1
    steps = [work[f"step {i}"] for i in range(10, last)]
    iterations = [work[f"solution {k}"] / (number + 1) for k, number in enumerate(found.iterations)
                  if k > 30 and number > 2]
    return statistics.quantiles(steps)[0], statistics.quantiles(iterations)[0]


@dataclass(frozen=True)
class Price:
    """Of a step without solutions and of an iteration, microseconds, on so many cells."""

    cells: int
    step: float
    iteration: float


def measure(name: str, cells: int, solvers: list[str], repeats: int, libraries: Path, folder: Path
            ) -> dict[str, Price]:
    """By solver; PCG is the original's. Runs take turns, and the least of all repeats counts."""
    case, step = meshed(name, folder / "case", cells)
    least = dict.fromkeys(solvers, (float("inf"), float("inf")))
    number = 0
    for solver in solvers * repeats:
        copy = runs.copy_of(case, folder / "run", STEPS * step)
        found = record.record(copy, runs.ORIGINAL if solver == "PCG" else runs.BOTH, solver, libraries)
        least[solver], number = tuple(map(min, least[solver], quartiles(found))), found.cells[0]
    return {solver: Price(number, *both) for solver, both in least.items()}


def small_system(ranks: int, libraries: Path) -> tuple[float, float]:
    """Of deflatedPCG in two dimensions: microseconds of its factors, and of a solution with them."""
    across, down = record.grid_of(ranks)
    functions, bits = ("4", "7") if ranks <= 128 else ("1", "1")
    program = libraries.parent / "tests/openfoam_small_system"
    done = subprocess.run([str(program), str(REPEATS), str(across), str(down), functions, bits],
                          capture_output=True, text=True, check=True)
    row = next(csv.DictReader(done.stdout.splitlines()))
    return float(row["us"]), float(row["solution us"])
