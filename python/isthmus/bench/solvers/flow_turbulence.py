# SPDX-License-Identifier: BSD-3-Clause
"""Turbulent flow beside NASA's Turbulence Modeling Resource: k-omega SST over a plate and a section.

The plate has Re 5e6 and M 0.2, NACA 0012 Re 6e6 and M 0.15 without incidence. The figures are those of CFL3D
and FUN3D on grids of up to 900 x 260 cells; ours are coarser (--full: half the size of cells, too,
the section at 10 degrees on four grids, and one that pitches: harmonic balance beside its run in time)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement
from isthmus.bench.solvers.flow_cases import (
    Known,
    Outcome,
    Tables,
    centers,
    compared,
    grown,
    is_asked,
    once,
    solve,
    write_plot3d,
)
from isthmus.bench.solvers.flow_harmonics import IN_TIME, OFF, OFF_AT_MOST
from isthmus.console import print_warning
from isthmus.errors import IsthmusError
from isthmus.solvers import flow
from isthmus.solvers.flow import through_snapshots

PLATE = "NASA Turbulence Modeling Resource, SST on a plate, CFL3D and FUN3D"
SECTION = "NASA Turbulence Modeling Resource, SST on NACA 0012, CFL3D"
TARGET = 0.03
HALVED = (32, 64, 128)  # cells outwards of those of INCLINED with cells of half the size each
PITCHING = "NACA 0012 pitching by 2 degrees, Re 1e6, M 0.3, SST, 96 x 32 cells"
COARSE = "the grid is coarser than those of the reference"
SCHEME: dict[str, object] = {"cfl": 2, "levels": 3, "cycle": "w", "limiter": "none", "preconditioning": True}
# cells of one side of the section, of one side of its wake, outwards; iterations on coarser grids, on it
INCLINED = ((32, 16, 32, [600, 600], 2500), (48, 24, 48, [600, 800], 2500), (64, 32, 64, [1000, 1000], 4200),
            (128, 64, 128, [2000, 4000], 7000))


def measure(context: Context) -> list[Measurement]:
    folder, only = context.out / "flow_turbulence", context.only
    found: list[Measurement] = []
    for finer in (1, 2) if context.full or only else (1,):
        if is_asked(only, of_plate(finer)):
            found += plate(folder, finer)
        if is_asked(only, of_section(finer)):
            found += section(folder, finer)
    inclined = {sizes[2]: list(section_at_ten(folder, *sizes)) for sizes in INCLINED
                if (context.full or only) and is_asked(only, of_inclined(*sizes[:3]))}
    found += [m for of_grid in inclined.values() for m in of_grid]
    if inclined.keys() >= set(HALVED):
        found += extrapolated([inclined[up] for up in HALVED])
    if (context.full or only) and is_asked(only, PITCHING):
        found += pitching(folder)
    return once(found)


def of_plate(finer: int) -> str:
    """The name of its case."""
    return f"plate, Re 5e6, M 0.2, SST, {72 * finer} x {48 * finer} cells"


def of_section(finer: int) -> str:
    return f"NACA 0012, Re 6e6, M 0.15, SST, {192 * finer} x {64 * finer} cells"


def of_inclined(around: int, wake: int, up: int) -> str:
    return f"NACA 0012 at 10 degrees, Re 6e6, M 0.15, SST, {2 * (around + wake)} x {up} cells"


def plate(folder: Path, finer: int) -> Iterator[Measurement]:
    """Skin friction at Re_x 4.85e6."""
    reynolds, cells = 5e6, [72 * finer, 48 * finer]
    tables: Tables = {
        "flow": {"mach": 0.2, "reynolds": reynolds}, "turbulence": {"model": "sst"},
        "grid": {"shape": "plate", "lengths-i": [16 * finer, 56 * finer], "cells": [*cells, 1],
                 "size": [2, 1, 1], "first": 4e-6 / finer, "edge": 0.004 / finer},
        "scheme": SCHEME, "run": {"iterations": 1500, "residual": 1e-9, "warm-up": [2000, 1000]}}
    found = solve(folder, f"plate{finer}", tables, boundaries={
        "ahead": ("symmetry", ["1:j-min"]), "plate": ("no-slip", ["2:j-min"]),
        "end": ("outflow", ["2:i-max"]), "far": ("far-field", ["1:i-min", "1:j-max", "2:j-max"])})
    field = flow.read_fields(found.solved.output)[1]
    place = centers(field.points)
    i = int(np.argmin(abs(place[:, 0, 0] - 0.97)))
    u = field.values[0, 1, i, 0, 0] / field.values[0, 0, i, 0, 0] / 0.2
    case = of_plate(finer)
    yield compared(case, "friction at x = 0.97", float(2 * u / (place[i, 0, 1] * reynolds)),
                   Known(0.0027, PLATE, TARGET, COARSE))
    yield Measurement(case, "processor time", "s", found.seconds)


def section(folder: Path, finer: int) -> Iterator[Measurement]:
    """Drag of NACA 0012."""
    folder.mkdir(parents=True, exist_ok=True)
    around, wake, up = 64 * finer, 32 * finer, 64 * finer
    write_plot3d(folder / "section.xyz", c_grid(around, wake, up, 2e-6 / finer))
    case = of_section(finer)
    found = solve(folder, f"section{finer}", {
        "flow": {"mach": 0.15, "reynolds": 6e6}, "turbulence": {"model": "sst"},
        "grid": {"file": "section.xyz"}, "scheme": SCHEME,
        "run": {"iterations": 1000, "residual": 1e-9, "warm-up": [1000, 500]}},
        boundaries={"wall": ("no-slip", ["2:j-min"]),
                    "far": ("far-field", ["1:i-min", "3:i-max", "*:j-max"])})
    yield compared(case, "drag at 0 degrees", float(found.column("drag")[-1]),
                   Known(0.00809, SECTION, TARGET, COARSE))
    yield Measurement(case, "processor time", "s", found.seconds)


def section_at_ten(folder: Path, around: int, wake: int, up: int, warm_up: list[int],
                   iterations: int) -> Iterator[Measurement]:
    """Drag and lift of NACA 0012 at 10 degrees; on one rank, which makes the bits of any ranks."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"section10-{around}"
    write_plot3d(folder / f"{name}.xyz", c_grid(around, wake, up, 1e-5 * (growth(up) - 1)))
    case = of_inclined(around, wake, up)
    found = solve(folder, name, {
        "flow": {"mach": 0.15, "reynolds": 6e6, "incidence": 10}, "turbulence": {"model": "sst"},
        "grid": {"file": f"{name}.xyz"}, "scheme": {"cfl": 1, "levels": 3, "cycle": "w", "limiter": "none"},
        "run": {"iterations": iterations, "residual": 1e-9, "warm-up": warm_up}},
        boundaries={"wall": ("no-slip", ["2:j-min"]),
                    "far": ("far-field", ["1:i-min", "3:i-max", "*:j-max"])})
    for quantity, known in (("drag", 0.0124), ("lift", 1.078)):
        yield compared(case, quantity, float(found.column(quantity)[-1]),
                       Known(known, SECTION, TARGET, COARSE))
    yield Measurement(case, "residual of the density at the end", "", found.solved.history[-1]["density"])


def extrapolated(grids: list[list[Measurement]]) -> Iterator[Measurement]:
    """Drag and lift where the size of cells is 0, from three grids with cells of half the size each
    (Richardson), if differences fall from grid to grid."""
    for coarse, middle, fine in zip(*grids, strict=True):
        ratio = (coarse.ours - middle.ours) / (middle.ours - fine.ours)
        if fine.reference is None or ratio <= 1:
            continue
        case = "NACA 0012 at 10 degrees, Re 6e6, M 0.15, SST, extrapolated from three grids"
        yield compared(case, fine.quantity, fine.ours - (middle.ours - fine.ours) / (ratio - 1),
                       Known(fine.reference, SECTION, TARGET, COARSE))
        yield Measurement(case, f"order of the {fine.quantity}", "", float(np.log2(ratio)))


def pitching(folder: Path) -> Iterator[Measurement]:
    """NACA 0012 that pitches, by harmonic balance beside its run in time, which begins steady."""
    folder.mkdir(parents=True, exist_ok=True)
    write_plot3d(folder / "pitching.xyz", c_grid(32, 16, 32, 2e-5))
    steps = 40

    def run(name: str, words: Tables, begin: Outcome | None = None) -> Outcome:
        return solve(folder, name, {
            "flow": {"mach": 0.3, "reynolds": 1e6}, "turbulence": {"model": "sst"},
            "grid": {"file": "pitching.xyz"},
            "scheme": {"cfl": 1, "levels": 3, "cycle": "w", "limiter": "none"}} | words, begin,
            boundaries={"wall": ("no-slip", ["2:j-min"]),
                        "far": ("far-field", ["1:i-min", "3:i-max", "*:j-max"])})

    motion: Tables = {"motion": {"amplitude": 2, "reduced-frequency": 0.1, "pivot": [0.25, 0]}}
    steady = run("pitching-steady", {"run": {"iterations": 600, "residual": 1e-6, "warm-up": [300, 300]}})
    in_time = run("pitching-in-time", motion | {
        "time": {"kind": "dual", "steps-per-period": steps, "steps": 3 * steps},
        "run": {"iterations": 60, "residual": 1e-2}}, steady)
    lift = in_time.column("lift")[-steps:]
    turn = 2 * np.pi * np.arange(1, steps + 1) / steps
    yield Measurement(f"{PITCHING}, in time", "processor time", "s", in_time.seconds)
    for harmonics in (1, 2):
        case = f"{PITCHING}, {harmonics} harmonic{'s'[:harmonics > 1]}"
        try:
            found = run(f"pitching-{harmonics}", motion | {
                "time": {"kind": "harmonic", "harmonics": harmonics},
                "run": {"iterations": 2500, "residual": 1e-6, "warm-up": [300, 300]}})
        except IsthmusError as error:  # other rows are kept
            print_warning(f"no row of {case}: {error}")
            continue
        off = float(abs(through_snapshots(found.column("lift"), turn) - lift).max() / np.ptp(lift) * 2)
        yield Measurement(case, OFF.format("lift"), "", off, 0.01, OFF_AT_MOST)
        yield Measurement(case, "processor time", "s", found.seconds, in_time.seconds, IN_TIME)


def half_thickness(x: np.ndarray) -> np.ndarray:
    """Of NACA 0012 with a sharp trailing edge at x = 1, as the Turbulence Modeling Resource has it."""
    return 0.594689181 * (0.298222773 * np.sqrt(x) - x * (
        0.127125232 + x * (0.357907906 - x * (0.291984971 - 0.105174606 * x))))


def two_ends(first: float, last: float, cells: int) -> np.ndarray:
    """Places of nodes from 0 to 1 with these sizes of the first and the last cell: Vinokur (1983),
    doi:10.1016/0021-9991(83)90075-7."""
    low, high = 1e-9, 50.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if np.sinh(middle) / middle < 1 / (cells * np.sqrt(first * last)) else (
            low, middle)
    u = 0.5 + 0.5 * np.tanh(low * (np.arange(cells + 1) / cells - 0.5)) / np.tanh(0.5 * low)
    a = np.sqrt(last / first)
    places = u / (a + (1 - a) * u)
    places[0], places[-1] = 0, 1
    return places


def growth(up: int) -> float:
    """From cell to cell outwards near the wall: grids of twice the cells have two where these have one."""
    return float(1.2 ** (64 / up))


def c_grid(around: int, wake: int, up: int, first: float,
           far: float = 500) -> list[tuple[np.ndarray, np.ndarray]]:
    """Nodes of three blocks around NACA 0012: the wake below, the section from the trailing edge below to
    that above, the wake above. Parabolas about a point behind the leading edge, sheared to the section (as in
    Jameson, Caughey (1977), doi:10.2514/6.1977-635). `around` and `wake` are cells of one side; cells are
    smaller everywhere, the more there are."""
    focus = 0.00793
    x = 0.5 * (1 - np.cos(np.linspace(0, np.pi, 20001)))
    root = np.sqrt(x - focus + 1j * half_thickness(x))
    edge = np.sqrt(1 - focus)
    on_wall = edge * two_ends(0.512 / around, 0.064 / around, around)
    behind = edge + grown(0.064 / around, np.sqrt(far) - edge, wake)
    along = np.concatenate([on_wall, behind[1:]])
    height = np.where(along < edge, np.interp(along, root.real, root.imag), 0)
    height[around] = 0
    along = np.concatenate([-along[:0:-1], along])[:, None]
    height = np.concatenate([height[:0:-1], height])[:, None]
    layer = growth(up) ** np.arange(5 * up // 8)
    inner = first * np.concatenate([[0], np.cumsum(layer)])
    outer = grown(growth(up) * first * layer[-1], np.sqrt(far) - inner[-1], up - len(layer))
    eta = np.concatenate([inner, inner[-1] + outer[1:]])[None, :]
    w = along + 1j * (eta + height * np.exp(-2 * eta))
    z = focus + w**2
    z[0:wake, 0] = z[:-wake - 1:-1, 0].conj()
    parts = (slice(0, wake + 1), slice(wake, wake + 2 * around + 1), slice(wake + 2 * around, None))
    return [(z.real[part], z.imag[part]) for part in parts]
