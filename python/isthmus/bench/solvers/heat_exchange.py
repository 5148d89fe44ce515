# SPDX-License-Identifier: BSD-3-Clause
"""The experiment of Elias et al. (2009) in the whole solver of flow with heat: ways of summing, orders.

Convection in the box 4:1:1 from noise, the same steps once per way on 1 to 8 ranks: time, the share of sums
over interfaces in it, and the heat that enters, which is the same. Then in several orders of the nodes, on
one rank: a structured generator's, Gmsh's where its Python module is installed. Ways are compared with
the best of the paper's three, orders with the generator's. --full: its small mesh."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from isthmus.bench.framework import Context
from isthmus.bench.kit.orders import GMSH, STRUCTURED
from isthmus.bench.measurement import Measurement, Median
from isthmus.bench.solvers.heat_cases import Outcome, Tables, gmsh_file, solve

PAPER = ("allreduce", "allgather", "two-stage")  # ways of the publication
WAYS = (*PAPER, "one-round", "shared-memory")
ORDERS = ("given", "reverse-cuthill-mckee", "hilbert")
SIZE = 0.0475  # of an edge in the box of Gmsh, which gives about as many tetrahedra as the paper's small mesh
STEPS = 3


def measure(context: Context) -> list[Measurement]:
    folder = context.out / "heat-exchange"
    cells = 31 if context.full else 12
    box = {"box": [4, 1, 1], "cells": [4 * cells, cells, cells]}
    found = [*ways(folder, box, context.repeat),
             *orders(folder, "structured", STRUCTURED, box, context.repeat)]
    path = gmsh_file(folder / "box.msh", SIZE if context.full else 0.1)
    if path is not None:
        found += orders(folder, "Gmsh", GMSH, {"file": path.name}, context.repeat)
    return found


def one(folder: Path, name: str, mesh: dict, ranks: int) -> Outcome:
    case: Tables = {
        "mesh": mesh, "fluid": {"rayleigh": 30000, "prandtl": 0.71},
        "start": {"temperature": 0.5, "gradient": [0, 0, -1], "noise": 0.05},
        "time": {"step": 0.01, "steps": STEPS, "steady": 0},
        "solver": {"preconditioner": "blocks", "residual": 1e-6, "heat-residual": 1e-8}}
    sides = ("x-min", "x-max", "y-min", "y-max")
    return solve(folder, name, case, {"z-min": {"temperature": 0.5}, "z-max": {"temperature": -0.5},
                                      **{side: {} for side in sides}}, ranks)


def ways(folder: Path, box: dict, repeat: int) -> Iterator[Measurement]:
    """Of the blocks of the paper, whose iterations are the same on any ranks."""
    wanted = None
    words = " x ".join(map(str, box["cells"]))
    for ranks in (1, 2, 4, 8):
        runs = {way: [] for way in WAYS}
        for _ in range(repeat):  # in turn: what else the machine does meets all of them
            for way, of_way in runs.items():
                of_way.append(one(folder, f"{way}-{ranks}", box | {"sums": way}, ranks))
        times = {way: Median.of(run.solved.seconds / STEPS for run in of) for way, of in runs.items()}
        best = min(PAPER, key=times.__getitem__)
        for way, of in runs.items():
            case = f"box of {words} cells, {ranks} ranks, {way}"
            is_ours = way not in PAPER and ranks > 1
            yield Measurement(case, "time of a step", "s", times[way], times[best] if is_ours else None,
                              f"{best}, the fastest of the paper's three, in the same run")
            yield Measurement(case, "share of the sums in it", "",
                              Median.of(run.solved.shares[1] for run in of))
            heat = of[-1].solved.heat()["z-min"]
            wanted = heat if wanted is None else wanted
            yield Measurement(case, "difference of the heat from one rank's", "", abs(heat / wanted - 1),
                              1e-5, "linear tolerances")


def orders(folder: Path, name: str, original: str, mesh: dict, repeat: int) -> Iterator[Measurement]:
    """The whole solver on one rank."""
    runs = {order: [] for order in ORDERS}
    for _ in range(repeat):
        for order, of_order in runs.items():
            of_order.append(one(folder, f"{name}-{order}", mesh | {"order": order}, 1))
    times = {order: Median.of(run.solved.seconds / STEPS for run in of) for order, of in runs.items()}
    for order, of in runs.items():
        is_other = order != "given"
        yield Measurement(f"{name}, one rank, {order}", "time of a step", "s", times[order],
                          times["given"] if is_other else None, f"{original}, in the same run")
        yield Measurement(f"{name}, one rank, {order}", "iterations to the end of all steps", "",
                          sum(line["flow_gmres"] for line in of[-1].solved.history))
