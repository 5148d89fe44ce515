# SPDX-License-Identifier: BSD-3-Clause
"""Solvers of PETSc and of Isthmus by turns on the cavity, with the same preconditioner and norm."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from isthmus import programs
from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement
from isthmus.console import console, print_warning

PETSC = "PETSc 3.18.5 of Debian, in the same run"
SAME = 1e-5  # difference of solutions over the largest entry, of residuals below 1e-8
LIMIT = 600  # seconds of one run
WHY = {"gmres": "products of the basis with two vectors, for the stability of modified Gram-Schmidt; theirs "
                "is the classical form"}
YIELD = {"OMPI_MCA_mpi_yield_when_idle": "1"}  # ranks that wait in MPI let others run
LOADED = "two cores that other programs share: times of two ranks are those of the scheduler"


def measure(context: Context) -> list[Measurement]:
    program = programs.look_for("bench_petsc")
    if program is None:
        print_warning("no comparison with PETSc: bench_petsc is built where pkg-config finds PETSc "
                      "(libpetsc-real-dev)")
        return []
    found = []
    for ranks in (1, 2):
        n = 250 if context.full else 64 // ranks
        console.print(f"PETSc beside Isthmus, cavity {n} x {n}, {ranks} ranks", style="dim")
        launch = [] if ranks == 1 else [*programs.mpi_launcher(), "-n", str(ranks)]
        command = [*launch, str(program), str(n), "10", str(context.repeat)]
        text = programs.output("bench_petsc", command, LIMIT, programs.mpi_environment() | YIELD)
        for row in csv.DictReader(text.splitlines()):
            found += compared(row, n, ranks)
    return found


def compared(row: dict[str, str], n: int, ranks: int) -> Iterator[Measurement]:
    """One pair of solvers."""
    method = row["method"]
    case = (f"cavity {n} x {n}, {ranks} rank{'s'[:ranks > 1]}, {method} beside {row['theirs']}, "
            f"{row['preconditioner']}")
    yield Measurement(case, "iterations to 1e-8", "", int(row["iterations"]), int(row["their_iterations"]),
                      PETSC, tolerance=0.01, why=WHY.get(method, "rounding errors take another course"))
    yield Measurement(case, "time per iteration", "s", float(row["seconds"]), float(row["their_seconds"]),
                      PETSC, tolerance=0.02, why=WHY.get(method, LOADED) if ranks == 1 else LOADED)
    yield Measurement(case, "difference of the solutions", "", float(row["difference"]), SAME,
                      "limit of both, 1e-8, times the condition of the system")
