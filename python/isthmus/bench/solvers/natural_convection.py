# SPDX-License-Identifier: BSD-3-Clause
"""The solver of flow with heat beside published results: the onset of convection, cavities, a cube, rolls.

Growth rates of noise beside the Rayleigh number at which convection sets in, the heat that crosses the cavity
of de Vahl Davis and the cube of Tric, the lid-driven cavity of Botella and Peyret, four rolls in the box
4:1:1 of Elias et al.; --full: finer grids, and that box from noise. Differences are allowed as far as a row
says; natural_convection.md beside the results is the table of the page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path

import numpy as np

from isthmus.bench.framework import Context
from isthmus.bench.kit.convection import ROLLS
from isthmus.bench.measurement import Measurement
from isthmus.bench.reference import ALLOWED, EDGECFD, NUSSELT_LIMIT
from isthmus.bench.solvers.flow import Known, compared, once, write_table
from isthmus.bench.solvers.heat_cases import SLAB, Tables, along, chosen, solve
from isthmus.solvers.series import Moment

ONSET = "Reid, Harris (1958), doi:10.1063/1.1705871, exact"
CAVITY = "de Vahl Davis (1983), doi:10.1002/fld.1650030305"
CUBE = "Tric, Labrosse, Betrouni (2000), doi:10.1016/S0017-9310(00)00037-5"
LID = "Botella, Peyret (1998), doi:10.1016/S0045-7930(98)00002-4"
LINEAR = f"{ALLOWED} the order of linear elements"
STEADY = f"{ALLOWED} a steady flow loses none"
LIMIT = "the finite differences of the kit, extrapolated"
CRITICAL = 1707.762
WAVE_NUMBER = 3.11632
RISING: Tables = {"fluid": {"rayleigh": 30000, "prandtl": 0.71}}
BELOW_ABOVE: dict[str, dict] = {"z-min": {"temperature": 0.5}, "z-max": {"temperature": -0.5}}


def measure(context: Context) -> list[Measurement]:
    folder = context.out / "natural-convection"
    parts = {
        "layer between plates": onset(folder, (12, 16, 24, 32) if context.full else (32,)),
        "heated cavity": cavities(folder),
        "heated cube": cubes(folder, 32 if context.full else 20),
        "lid-driven cavity": lid(folder, 128 if context.full else 96),
        "box 4:1:1, four rolls": four_rolls(folder, (8, 12, 16, 24, 32) if context.full else (6, 12, 24))}
    if context.full:
        parts |= {f"half of a heated cube, Ra {of.rayleigh:.0e}": half_cubes(folder, of) for of in HALVES}
        parts |= {"box 4:1:1 from noise": chain(rolls_from_noise(folder, 12), rolls_from_noise(folder, 16))}
    return write_table(context, "natural_convection.md", once(chosen(context.only, parts)))


def growth(folder: Path, cells: int, rayleigh: float) -> float:
    """Of a roll in a layer between rigid plates: the rate at which noise grows, in units of diffusion, by the
    changes in a step: a steady flow, which elements of linear pressure add to the rest, does not count."""
    case: Tables = {
        "mesh": {"box": [np.pi / WAVE_NUMBER, 1 / cells, 1], "cells": [cells, 1, cells]},
        "fluid": {"rayleigh": rayleigh, "prandtl": 1},
        "start": {"temperature": 0.5, "gradient": [0, 0, -1], "noise": 1e-3},
        "time": {"step": 0.02, "steps": 100, "order": 2, "steady": 0},
        "solver": {"residual": 1e-6, "heat-residual": 1e-8}}
    found = solve(folder, f"onset-{cells}-{rayleigh:.0f}", case, SLAB | {
        "x-min": {"kind": "slip-x"}, "x-max": {"kind": "slip-x"},
        "z-min": {"temperature": 0.5}, "z-max": {"temperature": -0.5}})
    later = found.column("time") > 1  # by then all but the slowest mode are gone
    change = found.column("flow_change")[later] * found.column("speed")[later]
    return float(np.polyfit(found.column("time")[later], np.log(change), 1)[0])


def onset(folder: Path, sizes: tuple[int, ...]) -> Iterator[Measurement]:
    """Where the growth rates of two Rayleigh numbers lead to none; only the finest grid and what the last two
    lead to are near enough to be compared."""
    below, above = 1650.0, 1770.0
    quantity, found = "Rayleigh number of the onset", {}
    for n in sizes:
        low, high = growth(folder, n, below), growth(folder, n, above)
        found[n] = below - low * (above - below) / (high - low)
        words = f"layer between plates, {n} x {n} cells"
        yield (Measurement(words, quantity, "", found[n]) if n < sizes[-1] else
               compared(words, quantity, found[n], Known(CRITICAL, ONSET, 0.01)))
    for coarse, fine in list(pairwise(sizes))[-1:]:
        yield compared(f"layer between plates, extrapolated from n = {coarse}, {fine}", quantity,
                       second_order(found, coarse, fine), Known(CRITICAL, ONSET, 0.01))


def second_order(values: dict[int, float], coarse: int, fine: int) -> float:
    """What values on two grids lead to, if errors are of second order."""
    return (fine**2 * values[fine] - coarse**2 * values[coarse]) / (fine**2 - coarse**2)


def heated(folder: Path, name: str, rayleigh: float, mesh: dict, boundaries: dict[str, dict],
           steps: tuple[float, int]) -> tuple[float, float]:
    """The heat that enters at x-min and that leaves at x-max of a box of unit height, by its depth."""
    case: Tables = {
        "mesh": mesh, "fluid": {"rayleigh": rayleigh, "prandtl": 0.71},
        "time": {"step": steps[0], "steps": steps[1], "steady": 1e-6}}
    found = solve(folder, name, case, {"x-min": {"temperature": 0.5}, "x-max": {"temperature": -0.5},
                                       "z-min": {}, "z-max": {}} | boundaries)
    heat = found.solved.heat()
    return heat["x-min"] / mesh["box"][1], -heat["x-max"] / mesh["box"][1]


def cavities(folder: Path) -> Iterator[Measurement]:
    for rayleigh, narrowing, step, known, cells in (
            (1e3, 0, 0.05, 1.118, 40), (1e4, 1, 0.02, 2.243, 40), (1e5, 1.5, 0.005, 4.519, 64),
            (1e6, 2, 0.001, 8.800, 96)):
        mesh = {"box": [1, 1 / cells, 1], "cells": [cells, 1, cells], "narrowing": [narrowing, 0, narrowing]}
        enters, leaves = heated(folder, f"cavity-{rayleigh:.0e}-{cells}", rayleigh, mesh, SLAB, (step, 400))
        case = f"heated cavity, Ra {rayleigh:.0e}, {cells} x {cells} cells"
        yield compared(case, "Nusselt number", enters, Known(known, CAVITY, 0.005))
        yield Measurement(case, "heat lost between the walls", "", abs(enters / leaves - 1), 1e-4,
                          STEADY)


def cubes(folder: Path, cells: int) -> Iterator[Measurement]:
    walls: dict[str, dict] = {"y-min": {}, "y-max": {}}
    for rayleigh, narrowing, step, known in ((1e4, 1, 0.02, 2.054), (1e5, 1.5, 0.005, 4.337)):
        mesh = {"box": [1, 1, 1], "cells": [cells] * 3, "narrowing": [narrowing] * 3}
        enters, _ = heated(folder, f"cube-{rayleigh:.0e}-{cells}", rayleigh, mesh, walls, (step, 300))
        yield compared(f"heated cube, Ra {rayleigh:.0e}, {cells} x {cells} x {cells} cells",
                       "Nusselt number", enters, Known(known, CUBE, 0.005))


@dataclass(frozen=True)
class Half:
    """Of a heated cube: its cells, the length of a step, the Nusselt number that is known, cells along x."""

    rayleigh: float
    narrowing: float
    step: float
    known: float
    sizes: tuple[int, ...]


HALVES = (Half(1e6, 2, 0.002, 8.641, (24, 32, 40)), Half(1e5, 1.5, 0.005, 4.337, (16, 24, 32)))


def half_cubes(folder: Path, of: Half) -> Iterator[Measurement]:
    """The cube is its own mirror image at y = 1/2: a half on finer and finer grids, and what they lead to."""
    fluxes, beside, begin = {}, Known(of.known, CUBE, 0.005), f"half of a heated cube, Ra {of.rayleigh:.0e}, "
    for n in of.sizes:
        mesh = {"box": [1, 0.5, 1], "cells": [n, n // 2, n], "narrowing": [of.narrowing, 1, of.narrowing]}
        fluxes[n], leaves = heated(folder, f"half-cube-{of.rayleigh:.0e}-{n}", of.rayleigh, mesh,
                                   {"y-min": {}, "y-max": {"kind": "slip-y"}}, (of.step, 300))
        words = f"{begin}{n} x {n // 2} x {n} cells"
        yield (Measurement(words, "Nusselt number", "", fluxes[n]) if n < of.sizes[-1] else
               compared(words, "Nusselt number", fluxes[n], beside))
        yield Measurement(words, "heat lost between the walls", "", abs(fluxes[n] / leaves - 1), 1e-4,
                          STEADY)
    coarse, fine = of.sizes[-2:]
    yield compared(f"{begin}extrapolated from n = {coarse}, {fine}", "Nusselt number",
                   second_order(fluxes, coarse, fine), beside)


def lid(folder: Path, cells: int) -> Iterator[Measurement]:
    """Extremes of the velocity on the lines through the centre, Reynolds number 1,000."""
    case: Tables = {
        "mesh": {"box": [1, 1 / cells, 1], "cells": [cells, 1, cells], "narrowing": [1.5, 0, 1.5]},
        "fluid": {"viscosity": 1e-3},
        "time": {"step": 1, "steps": 200, "steady": 1e-5}}
    found = solve(folder, f"lid-{cells}", case, SLAB | {
        "z-max": {"kind": "velocity", "velocity": [1, 0, 0]}, "x-min": {}, "x-max": {}, "z-min": {}})
    end = found.end()
    _, across = along(end, 2, {0: 0.5, 1: 0.0}, "velocity")
    _, upward = along(end, 0, {2: 0.5, 1: 0.0}, "velocity")
    words = f"lid-driven cavity, Re 1000, {cells} x {cells} cells"
    for name, ours, known in (("least u at x = 1/2", across[:, 0].min(), -0.3885698),
                              ("largest v at y = 1/2", upward[:, 2].max(), 0.3769447),
                              ("least v at y = 1/2", upward[:, 2].min(), -0.5270771)):
        yield compared(words, name, float(ours), Known(known, LID, 0.005))


def rolls_from_noise(folder: Path, n: int) -> Iterator[Measurement]:
    """The box 4:1:1, Rayleigh number 30,000, Prandtl number 0.71: what becomes of noise. Heat of other
    numbers of rolls than the publication's is not compared."""
    found = solve(folder, f"noise-{n}", RISING | {
        "mesh": {"box": [4, 1, 1], "cells": [4 * n, n, n]},
        "start": {"temperature": 0.5, "gradient": [0, 0, -1], "noise": 0.05},
        "time": {"step": 0.02, "steps": 1500, "steady": 1e-7}}, BELOW_ABOVE | {
        side: {} for side in ("x-min", "x-max", "y-min", "y-max")})
    heat = found.solved.heat()
    words = f"box 4:1:1 from noise, {4 * n} x {n} x {n} cells"
    yield Measurement(words, "Nusselt number", "", heat["z-min"] / 4)
    off = abs(rolls_of(found.end()) - ROLLS)
    yield Measurement(words, "rolls off the publication's", "", off, 0, EDGECFD,
                      why="several numbers of rolls are stable, also one roll along the box")
    yield lost(words, heat)


def four_rolls(folder: Path, sizes: tuple[int, ...]) -> Iterator[Measurement]:
    """The publication's flow, steady: a quarter of the box between its mirrors at x = 2 and y = 1/2, in which
    two of the rolls begin as a wave; its heat on finer and finer grids, and what that leads to."""
    fluxes = {}
    for n in sizes:
        found = solve(folder, f"quarter-{n}", RISING | {
            "mesh": {"box": [2, 0.5, 1], "cells": [2 * n, n // 2, n]},
            "start": {"temperature": 0.5, "gradient": [0, 0, -1], "swell": 0.1, "wave": [np.pi, 0, 0]},
            "time": {"step": 0.05, "steps": 600, "steady": 1e-8}}, BELOW_ABOVE | {
            "x-min": {}, "x-max": {"kind": "slip-x"}, "y-min": {}, "y-max": {"kind": "slip-y"}})
        heat = found.solved.heat()
        words = f"box 4:1:1, four rolls, steady, a quarter of {4 * n} x {n} x {n} cells"
        if rolls_of(found.end()) == ROLLS // 2:
            fluxes[n] = heat["z-min"]  # by its area, which is 1
            yield Measurement(words, "Nusselt number", "", fluxes[n])
        yield lost(words, heat)
    yield from extrapolated(fluxes)


def lost(words: str, heat: dict[str, float]) -> Measurement:
    off = abs(heat["z-min"] / heat["z-max"] + 1)
    return Measurement(words, "heat lost between floor and ceiling", "", off, 1e-6, STEADY)


def extrapolated(fluxes: dict[int, float]) -> Iterator[Measurement]:
    """The heat that four rolls carry on finer and finer grids, if errors are of second order, and the order
    that is seen where cells are halved twice."""
    for coarse, fine in pairwise(sorted(fluxes)):
        yield compared(f"box 4:1:1, four rolls, extrapolated from n = {coarse}, {fine}", "Nusselt number",
                       second_order(fluxes, coarse, fine), Known(NUSSELT_LIMIT, LIMIT, 0.01))
    for n in sorted(fluxes):
        if {2 * n, 4 * n} <= fluxes.keys():
            order = np.log2((fluxes[n] - fluxes[2 * n]) / (fluxes[2 * n] - fluxes[4 * n]))
            yield Measurement(f"box 4:1:1, four rolls, n = {n}, {2 * n}, {4 * n}",
                              "order of the Nusselt number", "", float(order), 2, LINEAR,
                              more_is_better=True)


def rolls_of(moment: Moment, middle: float = 0.5) -> int:
    """Rolls side by side along x: how often the flow in the middle changes between up and down, where it is
    not far below its largest speed; each roll goes up on one side and down on the other."""
    _, there = along(moment, 0, {1: middle, 2: middle}, "velocity")
    upward = there[:, 2]
    upward = upward[np.abs(upward) > 0.1 * np.abs(moment.data["velocity"][:, 2]).max()]
    return int(np.count_nonzero(np.diff(np.sign(upward))))
