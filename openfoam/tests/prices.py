# SPDX-License-Identifier: BSD-3-Clause
"""Measures what the work of damBreak costs a rank that never waits: prices.py LIBRARIES FOLDER REPEATS CELLS…

The case with about so many CELLS on two ranks, of which one has nearly all: what it awaits has arrived when
it asks, so its caches stay as they are where each rank has a core. One line for each layer and number of
cells: microseconds of the processor of a step without its solutions by gradients, and of an iteration: lower
quartiles of the steps and of the solutions, and of these the least of all repeats."""

from __future__ import annotations

import re
import statistics
import sys
from pathlib import Path

import record
import tutorials

from isthmus.openfoam import case as cases
from isthmus.openfoam import runs

STEPS = 40
CELLS = 2268  # of the tutorial
LAYERS = (("original", "PCG"), ("supporting", "PCG"), ("both", "predictedPCG"), ("both", "deflatedPCG"))


def meshed(folder: Path, cells: int) -> tuple[cases.Case, float]:
    """With about so many cells, decomposed; and its time step."""
    case, step = record.refined("damBreak", folder, (cells / CELLS) ** 0.5)
    owner = (folder / "constant/polyMesh/owner").read_text(encoding="latin-1")
    number = int(re.search(r"nCells:\s*(\d+)", owner)[1])
    few = max(2, number // 30)
    parts = "\n".join("1" if i >= number - few else "0" for i in range(number))
    (folder / "constant/parts").write_text(
        "FoamFile { version 2.0; format ascii; class labelList; object parts; }\n"
        f"{number}\n(\n{parts}\n)\n", encoding="utf-8")
    text = tutorials.DECOMPOSE.format(ranks=2, method="manual", n="2 1 1")
    (folder / "system/decomposeParDict").write_text(text.replace("coeffs {", 'coeffs { dataFile "parts";'))
    tutorials.tool(case, "decomposePar", "-force")
    return case, step


def quartiles(found: record.Recording) -> tuple[float, float]:
    """Of a step and of an iteration, without the first ten steps."""
    work = found.work(0)
    last = len([part for part in work if part.startswith("step")]) - 1
    steps = [work[f"step {i}"] for i in range(10, last)]
    iterations = [work[f"solution {k}"] / (number + 1) for k, number in enumerate(found.iterations)
                  if k > 30 and number > 2]
    return statistics.quantiles(steps)[0], statistics.quantiles(iterations)[0]


def main() -> None:
    tutorials.skip_without("interFoam", "blockMesh", "decomposePar")
    libraries, folder, repeats = Path(sys.argv[1]).resolve(), Path(sys.argv[2]), int(sys.argv[3])
    for cells in map(int, sys.argv[4:]):
        case, step = meshed(folder / f"{cells}/case", cells)
        least: dict[tuple[str, str], tuple[float, float]] = {}
        number = 0
        for _ in range(repeats):
            for layer, solver in LAYERS:
                copy = runs.copy_of(case, folder / f"{cells}/{layer}-{solver}", STEPS * step)
                found = record.record(copy, runs.Layer.of(layer), solver, libraries)
                before = least.get((layer, solver), (float("inf"), float("inf")))
                least[layer, solver] = tuple(map(min, before, quartiles(found)))
                number = found.cells[0]
        for (layer, solver), (of_step, of_iteration) in least.items():
            print(f"{number} cells, {layer}, {solver}: {of_step:.0f} us a step, "
                  f"{of_iteration:.2f} us an iteration", flush=True)


if __name__ == "__main__":
    main()
