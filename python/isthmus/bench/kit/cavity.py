# SPDX-License-Identifier: BSD-3-Clause
"""The pressure system of the lid-driven cavity at Re = 1000: accuracy that each method attains, iterations.

A staggered grid with a projection in each step, five points per row, the level fixed in one cell as OpenFOAM
does (bench/kit/lid.hpp); that of Lin et al. has 62,500 to 8,000,000 cells. --full: up to 2,000 x 2,000
cells, the size of its Table I."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from isthmus import programs
from isthmus.bench.framework import Context
from isthmus.bench.kit.krylov import OURS, WORDS
from isthmus.bench.measurement import Measurement
from isthmus.bench.reference import TARGET
from isthmus.console import console

GRADIENTS = tuple(method for method in WORDS if not method.startswith("automatic"))
PLAIN = "two reductions, in the same run"
AGGREGATION = "plain aggregation, in the same run"
RESIDUAL = "residual by its definition"
STEPS = 10
MARCHI = "Marchi et al. 2009, Re = 100"  # least velocity on the vertical centre line
LEAST_U = 0.2140417
LIMIT = 1500  # seconds of one run
Row = dict[str, str]


def measure(context: Context) -> list[Measurement]:
    found = list(floors(context))
    sizes = (62, 125, 250) if context.full else (64, 128)
    found += [m for n in sizes for m in solved(n, ("diagonal", "factor", "aggregation", "multigrid"))]
    if context.full:
        found += [m for n in (500, 1000, 2000) for m in solved(n, ("aggregation", "multigrid"))]
    return [*found, flow()]


def floors(context: Context) -> Iterator[Measurement]:
    """How far b - A x falls: many more iterations than to a limit, with the diagonal as preconditioner."""
    n, most = (250, 4000) if context.full else (128, 2000)
    rows = _run([str(n), str(STEPS), str(most), "factor", *GRADIENTS])
    curves: dict[str, list[tuple[int, float]]] = {}
    for row in rows:
        if row["what"] == "floor":
            point = (int(row["iterations"]), float(row["true_residual"]))
            curves.setdefault(row["method"], []).append(point)
    for method, curve in curves.items():
        for iterations, residual in curve:
            yield Measurement(f"cavity {n} x {n}, {WORDS[method]}, {iterations:,} iterations", RESIDUAL, "",
                              residual, shown=False)
    plain = min(value for _, value in curves["cg"])
    for method in GRADIENTS:
        least = min(value for _, value in curves[method])
        yield Measurement(f"cavity {n} x {n}, {WORDS[method]}", "attained residual", "", least,
                          plain if method == OURS else None, PLAIN if method == OURS else "", tolerance=1.0)
    counts = {row["method"]: int(row["iterations"]) for row in rows if row["what"] == "solve"}
    yield Measurement(f"cavity {n} x {n}, {WORDS[OURS]}", "iterations to 1e-6", "", counts[OURS],
                      counts["cg"], PLAIN, tolerance=0.02)


def solved(n: int, preconditioners: tuple[str, ...]) -> Iterator[Measurement]:
    """Conjugate gradients to 1e-6 with each preconditioner on one rank."""
    rows = {row["preconditioner"]: row
            for row in _run([str(n), str(STEPS), "0", ",".join(preconditioners), "cg"])}
    case = f"cavity {n} x {n}"
    for preconditioner, row in rows.items():
        other = int(rows["aggregation"]["iterations"]) if preconditioner == "multigrid" else None
        yield Measurement(f"{case}, {preconditioner}", "iterations to 1e-6 by preconditioner", "",
                          int(row["iterations"]), other, AGGREGATION if other else "")
        best = min((_seconds(other), name) for name, other in rows.items() if name != "multigrid")
        is_ours = preconditioner == "multigrid"
        yield Measurement(f"{case}, {preconditioner}", "time to solve", "s", _seconds(row),
                          best[0] if is_ours else None,
                          f"{best[1]}, the fastest other preconditioner, in the same run" if is_ours else "")


def flow() -> Measurement:
    """Whether it is the cavity: two grids extrapolated."""
    coarse, fine = (float(_run([str(n), "check"])[0]["least_u"]) for n in (32, 48))
    limit = fine + (fine - coarse) / ((48 / 32)**2 - 1)
    return Measurement("cavity, steady at Re = 100, extrapolated from 32 and 48",
                       "velocity on the centre line off the known one", "", abs(-limit / LEAST_U - 1), 0.002,
                       f"{TARGET}; {MARCHI}")


def _seconds(row: Row) -> float:
    return float(row["seconds"]) * int(row["iterations"])


def _run(arguments: list[str]) -> list[Row]:
    console.print(f"cavity {arguments[0]} x {arguments[0]}", style="dim")
    text = programs.output("bench_cavity", [str(programs.find("bench_cavity")), *arguments], LIMIT,
                           programs.mpi_environment())
    return list(csv.DictReader(text.splitlines()))
