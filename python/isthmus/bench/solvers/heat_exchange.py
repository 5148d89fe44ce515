# SPDX-License-Identifier: BSD-3-Clause
"""The experiment of Elias et al. (2009) in the whole solver of flow with heat: sums, cores, orders.

Convection in the box 4:1:1 from noise, the same steps once per way on 1 to 8 ranks: time, the share of sums
over interfaces in it, messages and bytes, and the heat that enters, which is the same. The same steps where
ranks are held to cores in several arrangements; the messages of one step on nodes of a simulated cluster. How
much of the sums edges inside hide, by products that work beside them and wait for them in turn, on
their small mesh. Then in several orders of the nodes, on one rank: a structured generator's, Gmsh's where its
Python module is installed; misses of simulated caches where valgrind is. Ways are compared with the best
of the three of Elias et al., orders with the generator's. --full: orders on as many tetrahedra as their small
mesh has, that mesh until the flow is steady (from the restart that an earlier run has left, if there is one),
and ten steps of an eighth and a quarter of its large one, with multigrid and to a tenth of their residuals:
the whole would take 35 GB and more."""

from __future__ import annotations

import os
import resource
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from isthmus import programs
from isthmus.bench.framework import Context, in_turns
from isthmus.bench.kit.convection import ROLLS
from isthmus.bench.kit.interface import kind_of
from isthmus.bench.kit.interface_runs import callgrind
from isthmus.bench.kit.orders import GMSH, STRUCTURED
from isthmus.bench.measurement import Measurement, Median
from isthmus.bench.reference import EDGECFD, TARGET
from isthmus.bench.solvers import heat_nodes
from isthmus.bench.solvers.heat_cases import (
    Outcome,
    Start,
    Tables,
    chosen,
    gmsh_file,
    solve,
    write_case,
)
from isthmus.bench.solvers.heat_nodes import FASTEST, LINEAR
from isthmus.bench.solvers.natural_convection import rolls_of
from isthmus.console import print_warning
from isthmus.solvers.convection import PROGRAM

PAPER = ("allreduce", "allgather", "two-stage")  # ways of the publication
WAYS = (*PAPER, "one-round", "shared-memory")
ORDERS = ("given", "reverse-cuthill-mckee", "hilbert", "levels-along-hilbert")
SIZE, COARSE = 0.0475, 0.1  # of an edge in the box of Gmsh; the first gives about as many tetrahedra as SMALL
STEPS = 10
SMALL, *LARGE = [81, 21, 21], [250, 62, 62], [318, 79, 79]  # of five tetrahedra: parts of the large mesh
SIDES = ("x-min", "x-max", "y-min", "y-max")
WALLS: dict[str, dict] = {"z-min": {"temperature": 0.5}, "z-max": {"temperature": -0.5},
                          **{side: {} for side in SIDES}}
GAIN = 1077 / 1466  # 17:57 beside 24:26 (minutes and seconds)
GAINED = "Elias et al. (2009), reverse Cuthill-McKee over the original order, small mesh"
HELD = "the caches here hold the mesh"
LOCAL = "nothing hides what the processor itself packs and adds"
SHARED = "ranks share two cores with other programs"


@dataclass(frozen=True)
class Task:
    """A run in the box: what stands in its case beside the defaults, its ranks and how they are started."""

    mesh: dict
    ranks: int = 1
    steps: int = STEPS
    overlap: str = "always"
    residuals: tuple[float, float] = (1e-3, 1e-3)  # of flow and temperature
    launcher: tuple[str, ...] = ()
    other: dict = field(default_factory=dict)  # tables that replace those below

    def tables(self) -> Tables:
        return {
            "mesh": self.mesh, "fluid": {"rayleigh": 30000, "prandtl": 0.71},
            "start": {"temperature": 0.5, "gradient": [0, 0, -1], "noise": 0.05},
            "time": {"step": 0.01, "steps": self.steps, "steady": 0},
            "solver": {"preconditioner": "blocks", "overlap": self.overlap,
                       "residual": self.residuals[0], "heat-residual": self.residuals[1]}} | self.other


def measure(context: Context) -> list[Measurement]:
    folder = context.out / "heat-exchange"
    box = {"box": [4, 1, 1], "cells": [48, 12, 12]}
    small = {"box": [4, 1, 1], "cells": SMALL, "tetrahedra-per-cell": 5}
    size = SIZE if context.full else COARSE
    structured = orders(folder, ("structured", STRUCTURED), small if context.full else box, context.repeat)
    parts = {
        f"{words_of(box)}, 1 rank": alone(folder, box, context.repeat),
        "cores": cores(folder, box, context.repeat),
        "structured": structured,
        "Gmsh": orders_of_gmsh(folder, size, context.repeat), "callgrind": misses(folder, size)}
    parts |= heat_nodes.parts(box["cells"])
    for ranks in (2, 4, 8):
        parts[f"{words_of(box)}, {ranks} ranks"] = ways(folder, box, ranks, context.repeat)
    for cells in (SMALL, *LARGE) if context.full else (SMALL,):
        parts |= {ten_steps(cells, way): hidden(folder, cells, way) for way in WAYS}
    if context.full:
        parts |= {"small mesh": small_mesh(folder, small)}
    return chosen(context.only, parts)


def tetrahedra(cells: list[int]) -> int:
    return 5 * cells[0] * cells[1] * cells[2]


def ten_steps(cells: list[int], way: str) -> str:
    return f"{tetrahedra(cells):,} tetrahedra, ten steps, 2 ranks, {way}"


def one(folder: Path, name: str, task: Task, restart: Path | None = None) -> Outcome:
    return solve(folder, name, task.tables(), WALLS, Start(task.ranks, task.launcher, restart))


def step_times(runs: list[Outcome]) -> list[float]:
    """Of all steps of all runs, one after the other."""
    return [float(seconds) for run in runs for seconds in run.column("seconds")]


def by_steps(runs: list[Outcome], others: list[Outcome]) -> Median:
    """Time of each step over that of the same step of the other run of its turn."""
    return Median.of(a / b for a, b in zip(step_times(runs), step_times(others), strict=True))


def runs_of(folder: Path, tasks: dict[str, Task], repeat: int) -> dict[str, list[Outcome]]:
    """By task; they take turns."""
    return in_turns({name: partial(one, folder, f"{name.replace(' ', '-')}-{task.ranks}", task)
                     for name, task in tasks.items()}, repeat)


def words_of(box: dict) -> str:
    return f"box of {' x '.join(map(str, box['cells']))} cells"


def alone(folder: Path, box: dict, repeat: int) -> Iterator[Measurement]:
    runs = runs_of(folder, {"alone": Task(box)}, repeat)["alone"]
    yield Measurement(f"{words_of(box)}, 1 rank", "time of a step", "s", Median.of(step_times(runs)))


def ways(folder: Path, box: dict, ranks: int, repeat: int) -> Iterator[Measurement]:
    """In the box of Elias et al., whose iterations are the same on any ranks."""
    words = words_of(box)
    wanted = one(folder, "alone-1", Task(box)).solved.heat()["z-min"]
    runs = runs_of(folder, {way: Task(box | {"sums": way}, ranks) for way in WAYS}, repeat)
    times = {way: Median.of(step_times(of)) for way, of in runs.items()}
    best = min(PAPER, key=times.__getitem__)
    sums = {way: Median.of(run.solved.seconds_of_a_sum() for run in of) for way, of in runs.items()}
    least = min(PAPER, key=sums.__getitem__)
    for way, of in runs.items():
        case, last = f"{words}, {ranks} ranks, {way}", of[-1].solved
        is_ours = way not in PAPER
        yield Measurement(case, "time of a step", "s", times[way], times[best] if is_ours else None,
                          f"{best}, {FASTEST}, in the same run", tolerance=0.02,
                          why=SHARED)
        if way != best:
            yield Measurement(case, f"time over that of {best}, by steps", "", by_steps(of, runs[best]),
                              1 if is_ours else None, FASTEST, tolerance=0.02,
                              why=SHARED)
        yield Measurement(case, "share of the sums in it", "",
                          Median.of(run.solved.shares[1] for run in of))
        yield Measurement(case, "time of a sum, slowest rank", "s", sums[way],
                          sums[least] if is_ours else None,
                          f"{least}, whose sums are the shortest of the three of Elias et al.", why=SHARED)
        kind = kind_of(way, "counted")
        yield Measurement(case, "messages of a sum, busiest rank", "", last.messages / last.sums, kind=kind)
        yield Measurement(case, "bytes of a sum, busiest rank", "B", last.bytes / last.sums, kind=kind)
        yield Measurement(case, "difference of the heat from one rank's", "",
                          abs(last.heat()["z-min"] / wanted - 1), 1e-5, LINEAR)


def cores(folder: Path, box: dict, repeat: int) -> Iterator[Measurement]:
    """Ranks that are held to cores, beside those that the system puts where it likes."""
    free = programs.mpi_launcher()
    if free[-1:] != ["none"] or shutil.which("taskset") is None or (os.cpu_count() or 1) < 2:
        print_warning("ranks are not held to cores: that takes two cores, Open MPI and taskset")
        return
    spread = (*free[:-1], "core:overload-allowed", "--map-by", "core")
    packed = ("taskset", "-c", "0", *free)
    for ranks, each in ((2, "one"), (4, "two")):
        tasks = {"anywhere": Task(box, ranks, launcher=tuple(free)),
                 f"{each} on each of two cores": Task(box, ranks, launcher=spread),
                 "all on one core": Task(box, ranks, launcher=packed)}
        runs = runs_of(folder, tasks, repeat)
        for name, of in runs.items():
            case = f"cores, {ranks} ranks, {name}"
            yield Measurement(case, "time of a step", "s", Median.of(step_times(of)))
            yield Measurement(case, "share of the sums in it", "",
                              Median.of(run.solved.shares[1] for run in of))
            if name != "anywhere":
                yield Measurement(case, "time over that of ranks anywhere, by steps", "",
                                  by_steps(of, runs["anywhere"]))


def hidden(folder: Path, cells: list[int], way: str) -> Iterator[Measurement]:
    """Ten steps, in which every other product works on edges inside while its sum travels."""
    mesh = {"box": [4, 1, 1], "cells": cells, "tetrahedra-per-cell": 5, "sums": way}
    large = {"solver": {"overlap": "alternating", "residual": 0.1, "heat-residual": 0.1}}
    found = one(folder, f"hidden-{way}", Task(mesh, 2, overlap="alternating",
                                              other=large if cells in LARGE else {})).solved
    case = ten_steps(cells, way)
    beside, alone, local = found.sums_of_products()
    yield Measurement(case, "sum of a product beside work, median", "s", beside)
    yield Measurement(case, "sum of a product without, median", "s", alone)
    yield Measurement(case, "packing and adding in both, median", "s", local)
    for of, part in (("the sums of products", 1 - beside / alone),
                     ("their waits", 1 - (beside - local) / (alone - local))):
        yield Measurement(case, f"part of {of} that edges inside hide", "", part, 0.8, TARGET,
                          more_is_better=True, why=LOCAL)
    yield Measurement(case, "time of a step", "s", Median.of(line["seconds"] for line in found.history))
    yield Measurement(case, "share of the sums in it", "", found.shares[1])
    most = 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    yield Measurement(case, "memory of the larger rank, or that of an earlier run", "B", most)


def small_mesh(folder: Path, mesh: dict) -> Iterator[Measurement]:
    """That of Elias et al., until flow and temperature change by less than 1e-5 in a step."""
    left = folder / "small" / "convection.restart"
    task = Task(mesh, other={
        "solver": {}, "time": {"step": 0.05, "steps": 2000, "steady": 1e-5}, "output": {"every": 1}})
    run = one(folder, "small", task, left if left.exists() else None)
    found, heat = run.solved, run.solved.heat()
    case = "small mesh, 178,605 tetrahedra, 39,688 nodes, until steady"
    yield Measurement(case, "Nusselt number", "", heat["z-min"] / 4)
    middle = (SMALL[1] // 2) / SMALL[1]  # the plane of nodes that is next to it
    yield Measurement(case, "rolls off the publication's", "", abs(rolls_of(run.end(), middle) - ROLLS), 0,
                      EDGECFD, why="several numbers of rolls are stable")
    yield Measurement(case, "heat lost between floor and ceiling", "", abs(heat["z-min"] / heat["z-max"] + 1))
    yield Measurement(case, "steps", "", found.steps)


def orders_of_gmsh(folder: Path, size: float, repeat: int) -> Iterator[Measurement]:
    if path := gmsh_file(folder / "box.msh", size):
        yield from orders(folder, ("Gmsh", GMSH), {"file": path.name}, repeat)


def orders(folder: Path, names: tuple[str, str], mesh: dict, repeat: int) -> Iterator[Measurement]:
    """The whole solver on one rank; names of the mesh and of the order that it is given in."""
    name, original = names
    runs = runs_of(folder, {order: Task(mesh | {"order": order}) for order in ORDERS}, repeat)
    for order, of in runs.items():
        case = f"{name}, one rank, {order}"
        yield Measurement(case, "time of a step", "s", Median.of(step_times(of)))
        yield Measurement(case, "iterations to the end of all steps", "",
                          sum(line["flow_gmres"] for line in of[-1].solved.history))
        if order != "given":
            yield Measurement(case, f"time over that of {original}, by steps", "",
                              by_steps(of, runs["given"]), GAIN, GAINED, why=HELD)


def misses(folder: Path, size: float) -> Iterator[Measurement]:
    """Of simulated caches in one nonlinear iteration of the flow and the heat after it."""
    path = gmsh_file(folder / "box.msh", size) if shutil.which("valgrind") else None
    if path is None:
        return
    found = {}
    for order in ORDERS:
        task = Task({"file": path.name, "order": order}, steps=1, residuals=(0.5, 0.5))
        case = write_case(folder, f"misses-{order}", task.tables(), WALLS)
        found[order] = callgrind(PROGRAM, [str(case)], "isthmus::convection::Steps::solve(*")
    for order, counts in found.items():
        for quantity, count, other in zip(("instructions", "D1 misses", "LL misses"), counts,
                                          found["given"], strict=True):
            yield Measurement(f"callgrind, Gmsh, one rank, {order}", f"{quantity} of a step", "", count,
                              other if order != "given" else None, f"{GMSH}, in the same run",
                              kind="simulated")
