# SPDX-License-Identifier: BSD-3-Clause
"""How fast the flow solver comes to steady flows: coarser grids, and slow sound in pseudo time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from isthmus.bench.framework import in_turns
from isthmus.bench.measurement import Measurement, Median
from isthmus.bench.solvers.flow_cases import Known, Outcome, Tables, compared, solve

LIMIT = 1e-6  # residual of the density
GRIDS = ((1, "v"), (2, "v"), (3, "v"), (4, "w"))
ITERATIONS = 2000
SPEEDS = (0.5, 0.2, 0.05)
DRAG = Known(1.522, "Dennis, Chang (1970), doi:10.1017/S0022112070001428, incompressible", 0.01)


def cylinder(mach: float) -> Tables:
    """That of the first page of the solver."""
    return {"flow": {"mach": mach, "reynolds": 40},
            "grid": {"shape": "cylinder", "cells": [64, 48], "blocks": [4, 1], "radius": 40, "first": 0.02}}


def multigrid(folder: Path, repeat: int) -> Iterator[Measurement]:
    """Iterations and processor time by the number of grids, which take turns."""
    grids = {f"{levels} grids, cycle {cycle}": partial(on_grids, folder, levels, cycle)
             for levels, cycle in GRIDS}
    for words, runs in in_turns(grids, repeat).items():
        case = f"cylinder, Re 40, M 0.2, 64 x 48 cells, {words}"
        yield Measurement(case, "iterations to a residual of 1e-6", "", runs[0].solved.iterations)
        yield Measurement(case, "processor time to a residual of 1e-6", "s",
                          Median.of(run.seconds for run in runs))


def on_grids(folder: Path, levels: int, cycle: str) -> Outcome:
    return solve(folder, f"grids{levels}", cylinder(0.2) | {
        "scheme": {"limiter": "none", "levels": levels, "cycle": cycle},
        "run": {"iterations": 6000, "residual": LIMIT}})


def preconditioned(folder: Path) -> Iterator[Measurement]:
    """Residuals at three speeds after the same number of iterations, without and with slow sound."""
    for mach in SPEEDS:
        without, with_it = (solve(folder, f"sound{mach}-{slow}", cylinder(mach) | {
            "scheme": {"limiter": "none", "preconditioning": slow},
            "run": {"iterations": ITERATIONS, "residual": 1e-12}}) for slow in (False, True))
        last, plain = with_it.solved.history[-1], without.solved.history[-1]
        case = f"cylinder, Re 40, M {mach}, 64 x 48 cells"
        yield Measurement(f"{case}, preconditioned", f"residual after {ITERATIONS:,} iterations", "",
                          last["density"], plain["density"], "without preconditioning, in the same run")
        quantity = f"drag after {ITERATIONS:,} iterations"
        yield Measurement(case, quantity, "", plain["drag"])
        if mach == min(SPEEDS):
            yield compared(f"{case}, preconditioned", quantity, last["drag"], DRAG)
        else:
            yield Measurement(f"{case}, preconditioned", quantity, "", last["drag"])
