# SPDX-License-Identifier: BSD-3-Clause
"""Records the calls of MPI of a case and the work between them, gives that work prices, and replays it on a
simulated cluster: what series.py makes its tables of."""

from __future__ import annotations

import csv
import itertools
import json
import os
import re
import statistics
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import survey
import tutorials

from isthmus import programs
from isthmus.openfoam import case as cases
from isthmus.openfoam import runs

TREE = Path(__file__).resolve().parents[2]
LIMIT = 5400  # seconds, of many ranks beside other work
FEW = 5  # times that a place was seen
CELLS = {"cavity": 400, "damBreak": 2268}  # of the tutorials
STEPS = {"cavity": 0.005, "damBreak": 0.001, survey.HEAD_FORM: tutorials.BULLET_STEP}  # theirs, of time


def refined(name: str, folder: Path, times: float) -> tuple[cases.Case, float]:
    """The case, meshed, and its time step; less than once is coarser."""
    if name == survey.HEAD_FORM:
        case, _ = tutorials.bullet(folder)
        survey.conjugate_gradients(case)
        return case, tutorials.BULLET_STEP
    path = {"cavity": "incompressible/icoFoam/cavity/cavity",
            "damBreak": "multiphase/interFoam/laminar/damBreak/damBreak"}[name]
    step = STEPS[name]
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


def grid_of(ranks: int) -> tuple[int, int]:
    """Columns and rows that a case is divided into."""
    rows = 2 ** (ranks.bit_length() // 2)
    while ranks % rows:
        rows -= 1
    return ranks // rows, rows


def decompose(case: cases.Case, ranks: int) -> None:
    across, down = grid_of(ranks)
    text = tutorials.DECOMPOSE.format(ranks=ranks, method="hierarchical", n=f"{across} {down} 1")
    (case.folder / "system/decomposeParDict").write_text(text.replace("n (", "order xyz; n ("))
    tutorials.tool(case, "decomposePar", "-force")


def parts_of(texts: list[str]) -> list[str]:
    """Of each call of a rank: the number of the step that it belongs to, or of the solution by gradients."""
    found, step, solution, is_solving = [], 0, -1, False
    for text in texts:
        found.append(f"solution {solution}" if is_solving else f"step {step}")
        step += text == "t"
        if text in ("b", "f"):  # their own work belongs to what was before
            solution += text == "b"
            is_solving = text == "b"
    return found


def places_of(texts: list[str]) -> list[tuple]:
    """Of each call of a rank, what is the same for calls before which the program does the same, on every
    rank: in solutions the kinds of this call and of the one before it, which return in each iteration;
    elsewhere how many solutions of this step came before, the kinds of all calls from there to the next
    solution or step, and how many of these came before it."""
    kinds = [text[:1] for text in texts]
    part = parts_of(texts)
    ends = [i for i in range(1, len(texts)) if part[i] != part[i - 1]]
    found: list[tuple] = []
    number = 0
    for begin, end in itertools.pairwise([0, *ends, len(texts)]):
        if part[begin].startswith("solution"):
            found += [("solution", kinds[i - 1], kinds[i]) for i in range(begin, end)]  # after its mark
            continue
        is_new_step = begin > 0 and part[begin - 1].startswith("step")
        number = 0 if is_new_step or begin == 0 else number + 1
        section = "".join(kinds[begin:end])
        found += [(number, section, count) for count in range(end - begin)]
    return found


def kinds_at(place: tuple) -> tuple[str, str]:
    """Of the call before a place and of that there."""
    if place[0] == "solution":
        return place[1:]
    _, section, count = place
    return section[count - 1:count], section[count]


def typical(ranks: Iterable[list[tuple[float, str]]]) -> dict[tuple, float]:
    """The work before a call at each place, the median of all such calls of all ranks; where it was seen few
    times, that of all calls of its kind after one of the same kind. Of many processes on few cores each piece
    has noise that is not that of a cluster, and a rank that has more of it lets others wait."""
    works: dict[tuple, list[float]] = {}
    for calls in ranks:
        for place, (work, _) in zip(places_of([text for _, text in calls]), calls, strict=True):
            works.setdefault(place, []).append(work)
    of_kinds: dict[tuple, list[float]] = {}
    for place, found in works.items():
        if place[0] != "solution":
            of_kinds.setdefault(kinds_at(place), []).extend(found)
    medians = {kinds: statistics.median(found) for kinds, found in of_kinds.items()}
    return {place: statistics.median(found) if len(found) >= FEW or place[0] == "solution"
            else medians[kinds_at(place)] for place, found in works.items()}


def priced(calls: list[tuple[float, str]], work_at: dict[tuple, float], price: Callable[[str], float]
           ) -> list[float]:
    """The work before each call, spread within each part as is typical, such that each part costs its price;
    a part in which no work was recorded has all of it before its first call."""
    texts = [text for _, text in calls]
    parts = parts_of(texts)
    works = [work_at[place] for place in places_of(texts)]
    sums: dict[str, float] = {}
    for part, work in zip(parts, works, strict=True):
        sums[part] = sums.get(part, 0) + work
    found, is_first = [], dict.fromkeys(sums, True)
    for part, work in zip(parts, works, strict=True):
        share = work / sums[part] if sums[part] > 0 else float(is_first[part])
        is_first[part] = False
        found.append(share * price(part))
    return found


@dataclass(frozen=True)
class Recording:
    """Files with the calls of each rank; the cells of each rank, and the iterations of each solution by
    gradients."""

    prefix: Path
    cells: list[int]
    iterations: list[int]

    def calls(self, rank: int) -> list[tuple[float, str]]:
        """The work before each call, and the rest of its line."""
        lines = Path(f"{self.prefix}.{rank}").read_text().splitlines()
        return [(float(work), text) for work, _, text in (line.partition(" ") for line in lines)]

    def work(self, rank: int) -> dict[str, float]:
        calls = self.calls(rank)
        sums: dict[str, float] = {}
        for part, (work, _) in zip(parts_of([text for _, text in calls]), calls, strict=True):
            sums[part] = sums.get(part, 0) + work
        return sums

    def mean_cells(self) -> float:
        return statistics.mean(self.cells)

    def write_priced(self, price: Callable[[str], float]) -> Path:
        """Files with the same calls and between them work that costs, for each part, what `price` says; their
        prefix."""
        prefix = self.prefix.with_name("priced")
        work_at = typical(map(self.calls, range(len(self.cells))))
        for rank in range(len(self.cells)):
            calls = self.calls(rank)
            works = priced(calls, work_at, price)
            lines = [f"{work:.3f} {text}\n" for work, (_, text) in zip(works, calls, strict=True)]
            Path(f"{prefix}.{rank}").write_text("".join(lines))
        return prefix

    def save(self) -> Recording:
        text = json.dumps({"cells": self.cells, "iterations": self.iterations})
        self.prefix.with_suffix(".json").write_text(text)
        return self

    @staticmethod
    def saved(prefix: Path) -> Recording | None:
        """What save() wrote, at the end of a run that succeeded."""
        path = prefix.with_suffix(".json")
        return Recording(prefix, **json.loads(path.read_text())) if path.is_file() else None


def ends_whole(stderr: str, prefix: Path, ranks: int) -> bool:
    """Whether only the launcher says that a run has failed, of ranks that all have come to MPI_Finalize():
    where a launcher of Open MPI 4 has no time for two seconds, PMIx_Finalize() gives up waiting for its
    answer, and it takes ranks that have ended meanwhile for lost ("exiting improperly")."""
    paths = [Path(f"{prefix}.{rank}") for rank in range(ranks)]
    lines = [path.read_text().splitlines()[-1:] for path in paths if path.is_file()]
    return "exiting improperly" in stderr and [line[0].split()[-1] for line in lines if line] == ["e"] * ranks


def record(copy: cases.Case, layer: runs.Layer, solver: str, libraries: Path) -> Recording:
    """Runs a decomposed copy of a case; raises AssertionError with the end of its log if it fails."""
    if copy.application not in cases.LIMITED:
        layer = replace(layer, limiter=False)
    layer.set_up(copy, solver)
    variables = runs.environment_of(layer, copy.folder, libraries)
    preloaded = [f"{libraries}/{name}" for name in ("libmpi_record.so", *layer.preloaded)]
    prefix = copy.folder.resolve() / "recorded"
    command = [*programs.mpi_launcher(), "-n", str(copy.ranks), "env", f"LD_PRELOAD={':'.join(preloaded)}",
               f"MPI_RECORD={prefix}", runs.program(copy.application, libraries), "-parallel"]
    done = subprocess.run(command, cwd=copy.folder, env=variables, capture_output=True, text=True,
                          check=False, timeout=LIMIT)
    is_good = done.returncode == 0 or ends_whole(done.stderr, prefix, copy.ranks)
    assert is_good, done.stdout[-1000:] + done.stderr[-2000:]
    cells = []
    for rank in range(copy.ranks):
        owner = (copy.folder / f"processor{rank}/constant/polyMesh/owner").read_text(encoding="latin-1")
        cells.append(int(re.search(r"nCells:\s*(\d+)", owner)[1]))
    found = re.findall(r"^\w*PCG:  Solving for .*No Iterations (\d+)", done.stdout, re.MULTILINE)
    return Recording(prefix, cells, [int(number) for number in found]).save()


def replay(prefix: Path, ranks: int, cores: int, work: float) -> dict[str, str]:
    """Microseconds of a step with so many times the work, and of that work."""
    variables = os.environ | {"ISTHMUS_SIMULATED_SHARED": "1", "ISTHMUS_SIMULATED_CORES": str(cores),
                              "ISTHMUS_SIMULATED_OPTIONS": "smpi/wtime:0 smpi/cpu-threshold:0"}
    program = TREE / "build/smpi/bench/bench_calls"
    assert program.is_file(), f"there is no {program}; tools/build.sh smpi 2 bench_calls builds it"
    command = [str(TREE / "tools/smpirun.sh"), str(ranks), str(program), str(prefix), f"{work:g}"]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False, timeout=LIMIT)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-2000:]
    return next(csv.DictReader(done.stdout.splitlines()))
