# SPDX-License-Identifier: BSD-3-Clause
"""Convection in a box that is warmed from below, from noise until the heat flux stays.

Rayleigh 30,000, Prandtl 0.71, box 4:1:1, as in Elias, Camata, Aveleda, Coutinho 2009, on finer and finer
grids; the temperature of the middle plane goes to <out>/runs/plane.csv."""

from __future__ import annotations

from collections.abc import Iterator

from isthmus.bench.framework import Context
from isthmus.bench.kit import interface_runs
from isthmus.bench.kit.interface_runs import Steady
from isthmus.bench.measurement import Measurement
from isthmus.bench.reference import EDGECFD, TARGET

ROLLS = 4  # of the publication


def measure(context: Context) -> list[Measurement]:
    """On finer and finer grids."""
    plane = context.out / "runs" / "plane.csv"
    sizes = (12, 16) if context.full else (8, 12)
    return list(steady({n: interface_runs.convection(n, 2, plane) for n in sizes}))


def steady(found: dict[int, Steady]) -> Iterator[Measurement]:
    """Heat flux over that of conduction, the number of rolls, heat that is neither lost nor made."""
    for n, one in found.items():
        case = f"convection from noise, {4 * n} x {n} x {n} cells"
        yield Measurement(case, "Nusselt number", "", one.nu_floor)
        yield Measurement(case, "rolls off the publication's", "", abs(one.rolls - ROLLS), 0, EDGECFD,
                          why="it began with noise, and several numbers of rolls are stable")
        lost = abs(one.nu_floor / one.nu_ceiling - 1)
        yield Measurement(case, "heat lost between floor and ceiling", "", lost, 1e-6, TARGET)
