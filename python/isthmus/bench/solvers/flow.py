# SPDX-License-Identifier: BSD-3-Clause
"""The flow solver beside exact and published results; harmonic balance beside its own run in time.

A plate (Blasius), NACA 0012 at Re 5,000, a section that pitches (Theodorsen), errors and processor time of
harmonic balance, iterations by coarser grids and at low speed; --full: the wake of a cylinder at Re 100,
cylinders on springs in it, a foil that takes power from the flow.
Times are medians of --repeat runs that take turns. Differences are allowed as far as a row says; flow.md
beside the results is the table of the page."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from isthmus import programs
from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement
from isthmus.bench.reference import ALLOWED
from isthmus.bench.solvers import flow_convergence, flow_exact, flow_harmonics
from isthmus.bench.solvers.flow_cases import (
    Known,
    Outcome,
    Tables,
    centers,
    compared,
    grown,
    is_asked,
    once,
    period,
    solve,
    write_plot3d,
)
from isthmus.console import console
from isthmus.errors import IsthmusError
from isthmus.solvers import flow

EXAMPLE = Path(__file__).resolve().parents[4] / "examples" / "14-swinging-cylinder"
PLATE = "the speed above the layer is 1.003 U here"
BLASIUS = "Blasius (1908), exact for boundary layers"
STROUHAL = "Williamson (1989), doi:10.1017/S0022112089002429"
CYLINDER = "Park, Kwon, Choi (1998), doi:10.1007/BF02942594, incompressible"
SWING = "Shiels, Leonard, Roshko (2001), doi:10.1006/jfls.2000.0330, incompressible"
FLAPPING = "Kinsey, Dumas (2008), doi:10.2514/1.26253, incompressible"
THEODORSEN = "Theodorsen (1935), NACA report 496, exact for thin sections"


def measure(context: Context) -> list[Measurement]:
    folder = context.out / "flow"
    timed = {heads: partial(part, repeat=context.repeat) for heads, part in TIMED.items()}
    parts = SHORT | timed | (LONG if context.full or context.only else {})
    found = [m for heads, part in parts.items() if is_asked(context.only, *heads) for m in part(folder)]
    return write_table(context, "flow.md", once(found))


def write_table(context: Context, name: str, found: list[Measurement]) -> list[Measurement]:
    """Beside the results, for a page."""
    path = (context.results or context.out) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(table_of(found))
    console.print(f"written: {path}", soft_wrap=True)
    return found


def table_of(found: list[Measurement]) -> str:
    """Of the figures that have a reference, for the page."""
    lines = ["| flow | quantity | ours | reference | difference | source |", "|---|---|---|---|---|---|"]
    lines += [f"| {m.case} | {m.quantity} | {m.ours:.4g} | {m.reference:.4g} | "
              f"{100 * (m.ours / m.reference - 1):+.1f} % | {m.source} |"
              for m in found if m.reference is not None]
    return "\n".join(lines) + "\n"


def plate(folder: Path) -> Iterator[Measurement]:
    """Skin friction and profile of the laminar boundary layer, M 0.1."""
    mach, reynolds = 0.1, 1e5
    folder.mkdir(parents=True, exist_ok=True)
    ahead, along = -grown(0.003, 1, 64)[::-1], grown(0.003, 1.5, 160)
    up = grown(0.0003, 3, 128)
    write_plot3d(folder / "plate.xyz", [np.meshgrid(x, up, indexing="ij") for x in (ahead, along)])
    case = f"plate, Re 1e5, M {mach}, {len(along) - 1} x {len(up) - 1} cells"
    tables: Tables = {"flow": {"mach": mach, "reynolds": reynolds}, "grid": {"file": "plate.xyz"},
                      "scheme": {"limiter": "none", "levels": 3, "cycle": "w", "preconditioning": True},
                      "run": {"iterations": 1500, "residual": 1e-7, "warm-up": [500, 300]}}
    found = solve(folder, "plate", tables, boundaries={
        "ahead": ("symmetry", ["1:j-min"]), "plate": ("no-slip", ["2:j-min"]),
        "end": ("outflow", ["2:i-max"]), "far": ("far-field", ["1:i-min", "1:j-max", "2:j-max"])})
    field = flow.read_fields(found.solved.output)[1]
    place = centers(field.points)
    u = field.values[0, 1, :, :, 0] / field.values[0, 0, :, :, 0] / mach
    for x in (0.25, 0.5, 1.0):
        i = int(np.argmin(abs(place[:, 0, 0] - x)))
        friction = 2 * u[i, 0] / (place[i, 0, 1] * reynolds)
        exact = 0.664115 / np.sqrt(place[i, 0, 0] * reynolds)
        yield compared(case, f"friction at x = {x}", float(friction),
                       Known(float(exact), BLASIUS, 0.01, PLATE))
    i = int(np.argmin(abs(place[:, 0, 0] - 0.5)))
    eta, profile = flow_exact.blasius()
    wanted = np.interp(place[i, :, 1] * np.sqrt(reynolds / place[i, 0, 0]), eta, profile)
    layer = wanted < 0.999
    off = float(abs(u[i] - wanted)[layer].max())
    yield Measurement(case, "largest difference of u at x = 0.5, in U", "", off, 0.02,
                      f"{ALLOWED} of the difference from {BLASIUS}")


def section(folder: Path) -> Iterator[Measurement]:
    """Drag of NACA 0012 without incidence, Re 5,000, M 0.5."""
    cells = [128, 48]
    tables: Tables = {"flow": {"mach": 0.5, "reynolds": 5000},
                      "grid": {"shape": "naca", "cells": cells, "radius": 20, "first": 0.003},
                      "scheme": {"limiter": "none", "cfl": 4}, "run": {"iterations": 6000, "residual": 1e-7}}
    found = solve(folder, "naca5000", tables)
    yield Measurement(f"NACA 0012, Re 5000, M 0.5, {cells[0]} x {cells[1]} cells", "drag", "",
                      float(found.column("drag")[-1]))


def pitching(folder: Path) -> Iterator[Measurement]:
    """Lift of two sections pitching by 1 degree about a quarter of their chord, without viscosity, M 0.1, by
    one harmonic: its amplitude by that of the incidence, and by how much it leads; and what follows from both
    for a section without thickness, which is that of the exact solution."""
    k = 0.3
    exact = np.pi * (1j * k - k * k / 2) + 2 * np.pi * flow_exact.theodorsen(k) * (1 + 1j * k)
    lifts = {digits: pitching_lift(folder, digits, k) for digits in ("0006", "0003")}
    lifts["of no thickness, by the two"] = 2 * lifts["0003"] - lifts["0006"]
    for digits, lift in lifts.items():
        case = (f"NACA {digits}, pitching by 1 degree, M 0.1, reduced frequency {k}, no viscosity, "
                "one harmonic")
        why = "the thickness of the section, which the exact one has not"
        yield compared(case, "amplitude of the lift by that of the incidence", float(abs(lift)),
                       Known(float(abs(exact)), THEODORSEN, 0.02, why))
        yield compared(case, "lead of the lift in degrees", float(np.degrees(np.angle(lift))),
                       Known(float(np.degrees(np.angle(exact))), THEODORSEN, 0.03, why))


def pitching_lift(folder: Path, digits: str, k: float) -> complex:
    found = solve(folder, f"pitching{digits}", {
        "flow": {"mach": 0.1},
        "grid": {"shape": "naca", "section": digits, "cells": [96, 48], "radius": 25, "first": 0.005},
        "motion": {"amplitude": 1, "reduced-frequency": k, "pivot": [0.25, 0]},
        "scheme": {"limiter": "none", "cfl": 3, "levels": 4, "cycle": "w", "preconditioning": True},
        "time": {"kind": "harmonic", "harmonics": 1}, "run": {"iterations": 600, "residual": 1e-7}},
        boundaries={"wall": ("slip", ["*:j-min"]), "far": ("far-field", ["*:j-max"])})
    return complex(np.fft.fft(found.column("lift"))[1] / np.fft.fft(np.radians(found.column("incidence")))[1])


def cylinder(folder: Path) -> Iterator[Measurement]:
    """Vortex shedding at Re 100: a push aside, its decay, and the wake that is left."""
    mach, cells = 0.2, [128, 80]
    last: Outcome | None = None
    phases = (("push", 15, 0.8, 60), ("settle", 0, 0.8, 300), ("shed", 0, 0.4, 500))
    for name, incidence, step, steps in phases:
        last = solve(folder, f"cylinder-{name}", {
            "flow": {"mach": mach, "reynolds": 100, "incidence": incidence},
            "grid": {"shape": "cylinder", "cells": cells, "blocks": [2, 1], "radius": 40, "first": 0.012},
            "scheme": {"limiter": "none", "cfl": 4}, "time": {"kind": "dual", "step": step, "steps": steps},
            "run": {"iterations": 100, "residual": 1e-3}}, last)
    assert last is not None
    time, lift, drag = (last.column(name) for name in ("time", "lift", "drag"))
    length, rows = period(time, lift, 4)
    case = f"cylinder, Re 100, M 0.2, {cells[0]} x {cells[1]} cells"
    why = "at M 0.2 forces are those of M 0 times about 1.02 (Prandtl, Glauert)"
    yield compared(case, "Strouhal number", 1 / (length * mach), Known(0.1643, STROUHAL, 0.01))
    yield compared(case, "mean drag", float(drag[rows].mean()), Known(1.33, CYLINDER, 0.03, why))
    yield compared(case, "amplitude of the lift", float(np.ptp(lift[rows]) / 2),
                   Known(0.33, CYLINDER, 0.04, why))


def swinging(folder: Path, stiffness: float, amplitude: float, frequency: float,
             drag: float) -> Iterator[Measurement]:
    """A cylinder of five times ρD²/2 on a spring: the coupled run of the example."""
    here = folder / f"swing-{stiffness}"
    here.mkdir(parents=True, exist_ok=True)
    _make_grid(here / "grid.xyz")
    for name in ("flow.toml", "config.xml"):
        (here / name).write_text((EXAMPLE / name).read_text())
    console.print(f"coupling a spring of {stiffness}", style="dim")
    body = [sys.executable, str(EXAMPLE / "cylinder.py"), "config.xml", str(stiffness / 2), "y.csv"]
    with subprocess.Popen([str(programs.find(flow.PROGRAM)), "flow.toml"], cwd=here,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as job:
        done = subprocess.run(body, cwd=here, capture_output=True, text=True, check=False)
        code = job.wait()
    if code or done.returncode:
        raise IsthmusError(f"the coupled run in {here} failed: {done.stderr[-300:]}")
    time, y, _, force = np.loadtxt(here / "y.csv", delimiter=",", skiprows=1, unpack=True)
    length, rows = period(time, y, 5)
    case = f"cylinder on a spring of {stiffness}, Re 100, M 0.2"
    why = "the wake has not settled after these 60 D / U: its frequency falls further"
    yield compared(case, "amplitude", float(np.ptp(y[rows]) / 2), Known(amplitude, SWING, 0.05, why))
    yield compared(case, "frequency", 1 / length, Known(frequency, SWING, 0.03, why))
    yield compared(case, "mean drag", float(2 * force[rows].mean()), Known(drag, SWING, 0.05, why))


def flapping(folder: Path) -> Iterator[Measurement]:
    """NACA 0015 pitching by 76.33 degrees about a third of its chord, plunging by the chord, Re 1100: the
    power that it takes from the flow, and its part of what passes the height that it sweeps."""
    steps, periods = 100, 5
    cells, swept = [96, 40], 2.56
    found = solve(folder, "flapping", {
        "flow": {"mach": 0.2, "reynolds": 1100},
        "grid": {"shape": "naca", "section": "0015", "cells": cells, "radius": 25, "first": 0.008},
        "motion": {"amplitude": 76.33, "reduced-frequency": np.pi * 0.14, "pivot": [1 / 3, 0], "plunge": 1,
                   "phase": -90},
        "time": {"kind": "dual", "steps-per-period": steps, "steps": steps * periods},
        "scheme": {"limiter": "none", "cfl": 5}, "run": {"iterations": 80, "residual": 2e-3}})
    power = float(found.column("power")[-steps:].mean())
    case = f"flapping NACA 0015, Re 1100, M 0.2, {cells[0]} x {cells[1]} cells"
    yield compared(case, "mean power", power, Known(0.86, FLAPPING, 0.03))
    yield compared(case, "efficiency", power / swept, Known(0.337, FLAPPING, 0.03))


def _make_grid(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, str(EXAMPLE / "grid.py"), str(path)], check=True)


# What the cases of a part begin with: the part.
SHORT = {
    ("plate",): plate, ("NACA 0012, Re 5000",): section,
    ("NACA 0006, pitching", "NACA 0003, pitching", "NACA of no thickness"): pitching,
    tuple(f"cylinder, Re 40, M {mach}, 64 x 48 cells" for mach in flow_convergence.SPEEDS):
        flow_convergence.preconditioned}
# Those with times, which take turns.
TIMED = {
    ("NACA 0012 pitching",): flow_harmonics.harmonics,
    ("cylinder, Re 40, M 0.2, 64 x 48 cells, ",): flow_convergence.multigrid}
LONG = {
    ("cylinder, Re 100",): cylinder,
    ("cylinder on a spring of 9.88",):
        partial(swinging, stiffness=9.88, amplitude=0.57, frequency=0.198, drag=2.23),
    ("cylinder on a spring of 4.74",):
        partial(swinging, stiffness=4.74, amplitude=0.46, frequency=0.156, drag=1.70),
    ("flapping",): flapping}
