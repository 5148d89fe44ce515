# SPDX-License-Identifier: BSD-3-Clause
"""The solver of flow with heat beside dolfinx (FEniCS): time of a nonlinear iteration of the same problem.

The box 4:1:1 at Ra 30,000, three implicit steps of the same stabilized elements on the same tetrahedra, one
rank and two, by turns. dolfinx solves the flow alone, with GMRES(25) and incomplete factors of PETSc
(bench/peers/dolfinx_step.py); ours solves the heat, too. The peer is run by the Python that
ISTHMUS_PEER_PYTHON names, or python3 (Debian: python3-dolfinx). --full: 32 cells along the height."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from isthmus import programs
from isthmus.bench.framework import Context, in_turns
from isthmus.bench.measurement import Measurement, Median
from isthmus.bench.peer_python import SCRIPTS, output_of, peer_python
from isthmus.bench.solvers.heat_cases import Start, Tables, solve
from isthmus.bench.solvers.heat_exchange import WALLS
from isthmus.console import console

PEER = "dolfinx"
SCRIPT = SCRIPTS / "dolfinx_step.py"
LIMIT = 1200  # seconds of one run
STEPS = 3
PREPARATIONS = ("blocks", "schwarz", "multigrid")


def measure(context: Context) -> list[Measurement]:
    python, version = peer_python(PEER, PEER,
                                  "apt-get install python3-dolfinx, or name a Python that has it")
    folder = context.out / "heat-peer"
    return [m for ranks in (1, 2)
            for m in beside(folder, 32 if context.full else 12, ranks, context.repeat, (python, version))]


def theirs(folder: Path, cells: int, ranks: int, python: str) -> tuple[float, float]:
    """Seconds of a nonlinear iteration, and linear iterations of it, as the script prints them."""
    console.print(f"running dolfinx on {ranks} ranks", style="dim")
    launcher = [*programs.mpi_launcher(), "-n", str(ranks)] if ranks > 1 else []
    command = [*launcher, python, str(SCRIPT), str(cells), str(STEPS)]
    text = output_of(PEER, command, folder, LIMIT, programs.mpi_environment())
    lines = [line for line in text.splitlines() if "," in line]
    printed = {name: float(number) for name, number in next(csv.DictReader(lines)).items()}
    return printed["steps_s"] / printed["nonlinear"], printed["linear"] / printed["nonlinear"]


def ours(folder: Path, cells: int, ranks: int, preparation: str) -> tuple[float, float]:
    """Seconds of a nonlinear iteration with all that belongs to its step, and linear iterations of it."""
    case: Tables = {
        "mesh": {"box": [4, 1, 1], "cells": [4 * cells, cells, cells]},
        "fluid": {"rayleigh": 30000, "prandtl": 0.71},
        "start": {"temperature": 0.5, "gradient": [0, 0, -1], "noise": 0.05},
        "time": {"step": 0.01, "steps": STEPS, "steady": 0}, "solver": {"preconditioner": preparation}}
    found = solve(folder, f"{preparation}-{ranks}", case, WALLS, Start(ranks)).solved
    newton = sum(line["newton"] for line in found.history)
    return found.seconds / newton, sum(line["flow_gmres"] for line in found.history) / newton


def beside(folder: Path, cells: int, ranks: int, repeat: int, peer: tuple[str, str | None]
           ) -> Iterator[Measurement]:
    python, version = peer
    solvers = {preparation: partial(ours, folder, cells, ranks, preparation) for preparation in PREPARATIONS}
    if version is not None:
        solvers[PEER] = partial(theirs, folder, cells, ranks, python)
    found = in_turns(solvers, repeat)
    case = f"box of {4 * cells} x {cells} x {cells} cells, {ranks} rank{'s'[:ranks > 1]}"
    times = {program: Median.of(seconds for seconds, _ in runs) for program, runs in found.items()}
    for program, runs in found.items():
        yield Measurement(f"{case}, {program}", "time of a nonlinear iteration", "s", times[program],
                          times.get(PEER) if program != PEER else None,
                          f"{PEER} {version} with GMRES and incomplete factors of PETSc, in the same run")
        yield Measurement(f"{case}, {program}", "linear iterations of a nonlinear one", "", runs[-1][1])
