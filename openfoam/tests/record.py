# SPDX-License-Identifier: BSD-3-Clause
"""Records the calls of MPI of a case with the packaged library and with ours, and replays them on a simulated
cluster: record.py LIBRARIES FOLDER CASE REFINED RANKS…

CASE: cavity, damBreak, or cavitatingBullet, with PCG in place of multigrid; REFINED: how often the cells of
the first two are divided along each edge; two numbers of RANKS at least. The calls are those of each run. The
work between them has two prices: of a step without its solutions by gradients, which all layers do alike, and
of an iteration of each solver. A price is so much and so much per cell, through the medians of the recordings
on the first two numbers of ranks, that of a step from the original alone. So noise of the machine is the same
for all layers and numbers of ranks. One line for each: microseconds of a step without the work, with it, and
the work, mean of the ranks."""

from __future__ import annotations

import csv
import os
import re
import statistics
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import survey
import tutorials

from isthmus import programs
from isthmus.openfoam import case as cases
from isthmus.openfoam import runs

TREE = Path(__file__).resolve().parents[2]
STEPS = 5  # of which three are replayed
LIMIT = 1500
# the last one without the limiter where the program has none
LAYERS = (("original", "PCG"), ("supporting", "PCG"), ("both", "predictedPCG"),
          ("both+limiter+schemes", "deflatedPCG"))


def refined(name: str, folder: Path, times: float) -> tuple[cases.Case, float]:
    """The case, meshed, and its time step; less than once is coarser."""
    if name == survey.HEAD_FORM:
        case, _ = tutorials.bullet(folder)
        survey.conjugate_gradients(case)
        return case, tutorials.BULLET_STEP
    path, step = {"cavity": ("incompressible/icoFoam/cavity/cavity", 0.005),
                  "damBreak": ("multiphase/interFoam/laminar/damBreak/damBreak", 0.001)}[name]
    case = tutorials.unpack(path, folder)

    def divided(cells: str) -> int:
        return max(1, round(times * int(cells)))

    mesh = re.sub(r"\((\d+) (\d+) 1\) simple",
                  lambda n: f"({divided(n[1])} {divided(n[2])} 1) simple",
                  case.text("system/blockMeshDict"))
    (folder / "system/blockMeshDict").write_text(mesh, encoding="utf-8")
    tutorials.edit(case, "system/controlDict", (r"deltaT\s+\S+;", f"deltaT {step / times:g};"))
    text = re.sub(r"#sinclude.*|adjustTimeStep.*", "", case.text("system/controlDict"))
    (folder / "system/controlDict").write_text(text, encoding="utf-8")
    tutorials.tool(case, "blockMesh")
    if name == "damBreak":
        tutorials.tool(case, "setFields")
    return case, step / times


def decompose(case: cases.Case, ranks: int) -> None:
    across = 2 ** (ranks.bit_length() // 2)
    while ranks % across:
        across -= 1
    text = tutorials.DECOMPOSE.format(ranks=ranks, method="hierarchical", n=f"{ranks // across} {across} 1")
    (case.folder / "system/decomposeParDict").write_text(text.replace("n (", "order xyz; n ("))
    tutorials.tool(case, "decomposePar", "-force")


@dataclass(frozen=True)
class Recording:
    """The calls of each rank, as the work before each and the rest of its line; the cells of each rank, and
    the iterations of each solution by gradients."""

    prefix: Path
    calls: list[list[tuple[float, str]]]
    cells: list[int]
    iterations: list[int]

    def parts(self, rank: int) -> list[str]:
        """Of each call: the number of the step that it belongs to, or of the solution."""
        found, step, solution, is_solving = [], 0, -1, False
        for _, text in self.calls[rank]:
            found.append(f"solution {solution}" if is_solving else f"step {step}")
            step += text == "t"
            if text in "bf":  # their own work belongs to what was before
                solution += text == "b"
                is_solving = text == "b"
        return found

    def work(self, rank: int) -> dict[str, float]:
        sums: dict[str, float] = {}
        for part, (work, _) in zip(self.parts(rank), self.calls[rank], strict=True):
            sums[part] = sums.get(part, 0) + work
        return sums

    def mean_cells(self) -> float:
        return statistics.mean(self.cells)

    def of_step(self) -> float:
        """Microseconds of a rank, without solutions; the median."""
        sums = [self.work(rank) for rank in range(len(self.cells))]
        last = len([part for part in sums[0] if part.startswith("step")]) - 1
        return statistics.median(work[f"step {i}"] for work in sums for i in range(1, last))

    def of_iteration(self) -> float:
        """Microseconds of a rank; the median of all solutions, whose first residual counts as one."""
        sums = [self.work(rank) for rank in range(len(self.cells))]
        return statistics.median(work[f"solution {k}"] / (number + 1)
                                 for work in sums for k, number in enumerate(self.iterations))

    def write_priced(self, step: Price, iteration: Price) -> Path:
        """Files with the same calls and between them work of these prices, spread as it was; their prefix."""
        prefix = self.prefix.with_name("priced")
        for rank, cells in enumerate(self.cells):
            sums = self.work(rank)
            prices = {part: iteration.of(cells) * (self.iterations[int(part.split()[1])] + 1)
                      if part.startswith("solution") else step.of(cells) for part in sums}
            lines = [f"{work * prices[part] / max(sums[part], 1e-9):.3f} {text}\n"
                     for part, (work, text) in zip(self.parts(rank), self.calls[rank], strict=True)]
            Path(f"{prefix}.{rank}").write_text("".join(lines))
        return prefix


@dataclass(frozen=True)
class Price:
    """Microseconds: so much, and so much per cell."""

    fixed: float
    per_cell: float

    def of(self, cells: int) -> float:
        return self.fixed + self.per_cell * cells

    @staticmethod
    def through(more: tuple[float, float], less: tuple[float, float]) -> Price:
        """Two points, cells and microseconds; neither part is negative."""
        per_cell = max(0.0, min((more[1] - less[1]) / (more[0] - less[0]), more[1] / more[0]))
        return Price(max(0.0, less[1] - per_cell * less[0]), per_cell)


def record(copy: cases.Case, layer: runs.Layer, solver: str, libraries: Path) -> Recording:
    if copy.application not in cases.LIMITED:
        layer = replace(layer, limiter=False)
    layer.set_up(copy, solver)
    variables = runs.environment()
    if layer.solvers or layer.asymmetric:
        variables["LD_LIBRARY_PATH"] = runs._solvers_alone(copy.folder, libraries)
    preloaded = [f"{libraries}/{name}" for name in ("libmpi_record.so", *layer.preloaded)]
    prefix = copy.folder.resolve() / "recorded"
    command = [*programs.mpi_launcher(), "-n", str(copy.ranks), "env", f"LD_PRELOAD={':'.join(preloaded)}",
               f"MPI_RECORD={prefix}", runs.program(copy.application, libraries), "-parallel"]
    done = subprocess.run(command, cwd=copy.folder, env=variables, capture_output=True, text=True,
                          check=False, timeout=LIMIT)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-2000:]
    calls, cells = [], []
    for rank in range(copy.ranks):
        lines = Path(f"{prefix}.{rank}").read_text().splitlines()
        calls.append([(float(work), text) for work, _, text in (line.partition(" ") for line in lines)])
        owner = (copy.folder / f"processor{rank}/constant/polyMesh/owner").read_text(encoding="latin-1")
        cells.append(int(re.search(r"nCells:\s*(\d+)", owner)[1]))
    found = re.findall(r"^\w*PCG:  Solving for .*No Iterations (\d+)", done.stdout, re.MULTILINE)
    return Recording(prefix, calls, cells, [int(number) for number in found])


def replay(prefix: Path, ranks: int, cores: int, work: float) -> dict[str, str]:
    variables = os.environ | {"ISTHMUS_SIMULATED_SHARED": "1", "ISTHMUS_SIMULATED_CORES": str(cores),
                              "ISTHMUS_SIMULATED_OPTIONS": "smpi/wtime:0 smpi/cpu-threshold:0"}
    program = TREE / "build/smpi/bench/bench_calls"
    command = [str(TREE / "tools/smpirun.sh"), str(ranks), str(program), str(prefix), f"{work:g}"]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False, timeout=LIMIT)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-2000:]
    return next(csv.DictReader(done.stdout.splitlines()))


def main() -> None:
    tutorials.skip_without("icoFoam", "interFoam", "blockMesh", "decomposePar")
    libraries, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    name, times, numbers = sys.argv[3], int(sys.argv[4]), [int(number) for number in sys.argv[5:]]
    case, step = refined(name, folder / name / "case", times)

    def recorded(ranks: int, layer: str, solver: str) -> Recording:
        decompose(case, ranks)
        copy = runs.copy_of(case, folder / name / f"{layer}-{ranks}", STEPS * step)
        return record(copy, runs.Layer.of(layer), solver, libraries)

    known = {(ranks, layer): recorded(ranks, layer, solver)
             for ranks in numbers[:2] for layer, solver in LAYERS}
    both = [[known[ranks, layer] for ranks in numbers[:2]] for layer, _ in LAYERS]
    of_step = Price.through(*((found.mean_cells(), found.of_step()) for found in both[0]))
    of_iteration = {layer: Price.through(*((found.mean_cells(), found.of_iteration()) for found in pair))
                    for (layer, _), pair in zip(LAYERS, both, strict=True)}
    of_iteration["supporting"] = of_iteration["original"]
    print(f"{name} * {times}, microseconds of a rank: a step {of_step}, an iteration {of_iteration}",
          flush=True)
    for ranks in numbers:
        for layer, solver in LAYERS:
            found = known.get((ranks, layer)) or recorded(ranks, layer, solver)
            prefix = found.write_priced(of_step, of_iteration[layer])
            alone, whole = (replay(prefix, ranks, min(24, ranks), work) for work in (0, 1))
            us = [float(row["microseconds"]) for row in (alone, whole)]
            print(f"{name} * {times}, {ranks} ranks, {layer}, {solver}: {us[0]:.0f} us without the work, "
                  f"{us[1]:.0f} with it, work {float(whole['work']):.0f}; {sum(found.iterations)} iterations "
                  f"in {len(found.iterations)} solutions", flush=True)


if __name__ == "__main__":
    main()
