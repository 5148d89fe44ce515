# SPDX-License-Identifier: BSD-3-Clause
"""The experiment of Elias et al. (2009) in the whole solver of flow with heat: ways of summing, orders.

Convection in the box 4:1:1 from noise, the same steps once per way on 1 to 8 ranks: time, the share of sums
over interfaces in it, messages and bytes, and the heat that enters, which is the same. How much of the sums
edges inside hide, by products that work beside them and wait for them in turn. Then in several orders of
the nodes, on one rank: a structured generator's, Gmsh's where its Python module is installed. Ways are
compared with the best of the paper's three, orders with the generator's. --full: its small mesh, also until
the flow is steady and with misses of simulated caches (valgrind), and an eighth of its large one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from isthmus.bench.framework import Context
from isthmus.bench.kit.interface_runs import cachegrind
from isthmus.bench.kit.orders import GMSH, STRUCTURED
from isthmus.bench.measurement import Measurement, Median
from isthmus.bench.reference import TARGET
from isthmus.bench.solvers.heat_cases import Outcome, Tables, gmsh_file, solve, write_case
from isthmus.solvers.convection import PROGRAM

PAPER = ("allreduce", "allgather", "two-stage")  # ways of the publication
WAYS = (*PAPER, "one-round", "shared-memory")
ORDERS = ("given", "reverse-cuthill-mckee", "hilbert")
SIZE = 0.0475  # of an edge in the box of Gmsh, which gives about as many tetrahedra as the paper's small mesh
STEPS = 3
SMALL, EIGHTH = [81, 21, 21], [250, 62, 62]  # cells of five tetrahedra: the small mesh, of the large one
SIDES = ("x-min", "x-max", "y-min", "y-max")
WALLS: dict[str, dict] = {"z-min": {"temperature": 0.5}, "z-max": {"temperature": -0.5},
                          **{side: {} for side in SIDES}}


@dataclass(frozen=True)
class Task:
    """A run in the box: what stands in its case beside the defaults, and its ranks."""

    mesh: dict
    ranks: int = 1
    steps: int = STEPS
    steady: float = 0
    overlap: str = "always"
    residuals: tuple[float, float] = (1e-6, 1e-8)  # of flow and temperature

    def tables(self) -> Tables:
        return {
            "mesh": self.mesh, "fluid": {"rayleigh": 30000, "prandtl": 0.71},
            "start": {"temperature": 0.5, "gradient": [0, 0, -1], "noise": 0.05},
            "time": {"step": 0.01, "steps": self.steps, "steady": self.steady},
            "solver": {"preconditioner": "blocks", "overlap": self.overlap,
                       "residual": self.residuals[0], "heat-residual": self.residuals[1]}}


def measure(context: Context) -> list[Measurement]:
    folder = context.out / "heat-exchange"
    cells = 31 if context.full else 12
    box = {"box": [4, 1, 1], "cells": [4 * cells, cells, cells]}
    found = [*ways(folder, box, context.repeat),
             *hidden(folder, EIGHTH if context.full else SMALL),
             *orders(folder, ("structured", STRUCTURED), box, context.repeat)]
    path = gmsh_file(folder / "box.msh", SIZE if context.full else 0.1)
    if path is not None:
        found += orders(folder, ("Gmsh", GMSH), {"file": path.name}, context.repeat)
        if context.full:
            found += misses(folder, "Gmsh", GMSH, {"file": path.name})
    if context.full:
        found += small_mesh(folder)
    return found


def one(folder: Path, name: str, task: Task) -> Outcome:
    return solve(folder, name, task.tables(), WALLS, task.ranks)


def ways(folder: Path, box: dict, repeat: int) -> Iterator[Measurement]:
    """Of the blocks of the paper, whose iterations are the same on any ranks."""
    wanted = None
    words = " x ".join(map(str, box["cells"]))
    for ranks in (1, 2, 4, 8):
        runs: dict[str, list[Outcome]] = {way: [] for way in WAYS}
        for _ in range(repeat):  # in turn: what else the machine does meets all of them
            for way, of_way in runs.items():
                of_way.append(one(folder, f"{way}-{ranks}", Task(box | {"sums": way}, ranks)))
        times = {way: Median.of(run.solved.seconds / STEPS for run in of) for way, of in runs.items()}
        best = min(PAPER, key=times.__getitem__)
        for way, of in runs.items():
            case = f"box of {words} cells, {ranks} ranks, {way}"
            last = of[-1].solved
            is_ours = way not in PAPER and ranks > 1
            yield Measurement(case, "time of a step", "s", times[way], times[best] if is_ours else None,
                              f"{best}, the fastest of the paper's three, in the same run", tolerance=0.02,
                              why="ranks share two cores with other programs")
            if ranks > 1 and way != best:
                turns = Median.of(one.solved.seconds / other.solved.seconds
                                  for one, other in zip(of, runs[best], strict=True))
                yield Measurement(case, f"time over that of {best}, by turns", "", turns,
                                  1 if is_ours else None, "the fastest of the paper's three", tolerance=0.02,
                                  why="ranks share two cores with other programs")
            yield Measurement(case, "share of the sums in it", "",
                              Median.of(run.solved.shares[1] for run in of))
            yield Measurement(case, "messages of a sum, busiest rank", "", last.messages / last.sums)
            yield Measurement(case, "bytes of a sum, busiest rank", "B", last.bytes / last.sums)
            heat = last.heat()["z-min"]
            wanted = heat if wanted is None else wanted
            yield Measurement(case, "difference of the heat from one rank's", "", abs(heat / wanted - 1),
                              1e-5, "linear tolerances")


def hidden(folder: Path, cells: list[int]) -> Iterator[Measurement]:
    """Ten steps, in which every other product works on edges inside while its sum travels."""
    tets = 5 * cells[0] * cells[1] * cells[2]
    mesh = {"box": [4, 1, 1], "cells": cells, "tetrahedra-per-cell": 5}
    for way in ("two-stage", "one-round"):
        found = one(folder, f"hidden-{way}", Task(mesh | {"sums": way}, 2, 10, overlap="alternating",
                                                  residuals=(1e-3, 1e-3))).solved
        case = f"{tets:,} tetrahedra, ten steps, 2 ranks, {way}"
        yield Measurement(case, "part of the sums of products that edges inside hide", "", found.hidden(),
                          0.8, TARGET, more_is_better=True)
        yield Measurement(case, "time of a step", "s", found.seconds / 10)
        yield Measurement(case, "share of the sums in it", "", found.shares[1])


def small_mesh(folder: Path) -> Iterator[Measurement]:
    """The paper's, until the velocity changes by less than 1e-5 in a step."""
    mesh = {"box": [4, 1, 1], "cells": SMALL, "tetrahedra-per-cell": 5}
    found = one(folder, "small", Task(mesh, 1, 2000, 1e-5, residuals=(1e-3, 1e-3))).solved
    case = "178,605 tetrahedra, 39,688 nodes, until steady"
    yield Measurement(case, "Nusselt number", "", found.heat()["z-min"] / 4)
    yield Measurement(case, "steps", "", found.steps)
    yield Measurement(case, "time of a step", "s", found.seconds / found.steps)


def orders(folder: Path, names: tuple[str, str], mesh: dict, repeat: int) -> Iterator[Measurement]:
    """The whole solver on one rank; names of the mesh and of the order that it is given in."""
    name, original = names
    runs: dict[str, list[Outcome]] = {order: [] for order in ORDERS}
    for _ in range(repeat):
        for order, of_order in runs.items():
            of_order.append(one(folder, f"{name}-{order}", Task(mesh | {"order": order})))
    times = {order: Median.of(run.solved.seconds / STEPS for run in of) for order, of in runs.items()}
    for order, of in runs.items():
        is_other = order != "given"
        yield Measurement(f"{name}, one rank, {order}", "time of a step", "s", times[order],
                          times["given"] if is_other else None, f"{original}, in the same run")
        yield Measurement(f"{name}, one rank, {order}", "iterations to the end of all steps", "",
                          sum(line["flow_gmres"] for line in of[-1].solved.history))


def misses(folder: Path, name: str, original: str, mesh: dict) -> Iterator[Measurement]:
    """Of simulated caches in the second step of a run, per iteration of its flow."""
    found = {}
    for order in ORDERS:
        counts = []
        for steps in (1, 2):
            task = Task(mesh | {"order": order}, steps=steps, residuals=(1e-3, 1e-3))
            case = write_case(folder, f"{name}-{order}-{steps}", task.tables(), WALLS)
            counts.append(cachegrind(PROGRAM, [str(case)]))
        found[order] = [second - first for first, second in zip(*counts, strict=True)]
    for order, counts in found.items():
        for quantity, count, other in zip(("instructions", "D1 misses", "LL misses"), counts,
                                          found["given"], strict=True):
            yield Measurement(f"{name}, one rank, {order}, cachegrind", f"{quantity} of a step", "", count,
                              other if order != "given" else None, f"{original}, in the same run",
                              kind="simulated")
