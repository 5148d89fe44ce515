# SPDX-License-Identifier: BSD-3-Clause
"""The solver of moving particles beside exact and published results, its balance, its exchange.

Disturbed water that comes to rest (10 s), a vortex of Taylor and Green that decays, the front of a column
that collapses (Martin and Moyce), the pressure where it hits a wall (Buchner; Lobovsky et al.); the busy
time of ranks through the collapse; each way in which ranks learn what comes to them. --full: finer, 16 ranks.
free_surface.md beside the results is the table of the page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from isthmus.bench import reference
from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement, Median
from isthmus.bench.reference import TARGET
from isthmus.bench.solvers.flow import table_of
from isthmus.bench.solvers.flow_cases import Known, compared, is_asked, once
from isthmus.console import console
from isthmus.solvers import elastic_gate, particles

Tables = dict[str, dict[str, object] | list[dict[str, object]]]
Part = Callable[[], Iterator[Measurement]]
GRAVITY = 9.81
REST = "water at rest, "
BUCHNER = ("Buchner (2002), Green Water on Ship-type Offshore Structures, Delft, as digitised by "
           "TrixiParticles.jl")
# pressure over that of the column's depth, over time sqrt(depth / gravity)
BUCHNER_PRESSURE = ((2.42553, -0.01511), (2.47263, 0.07666), (2.49148, 0.15352), (2.55271, 0.26544),
                    (2.61552, 0.37138), (2.65007, 0.56241), (2.68932, 0.66239), (2.77411, 0.68698),
                    (2.90287, 0.66081), (3.02221, 0.64285), (3.13212, 0.57862), (3.23105, 0.54574),
                    (3.36765, 0.54121), (3.51996, 0.54487), (3.67856, 0.54108), (3.90467, 0.54396),
                    (4.06012, 0.55584), (4.22342, 0.55801), (4.45267, 0.55119), (4.71961, 0.53765),
                    (4.91745, 0.51293), (5.0, 0.5138))
# where the sensor is in m: as reported, and as codes place it that compare with it, after Greco (Adami et al.
# 2012, doi 10.1016/j.jcp.2012.05.005; Marrone et al. 2011, doi 10.1016/j.cma.2010.12.016)
SENSOR_MIDDLES = {"": 0.16, ", sensor 45 mm lower": 0.115}
# Lobovsky et al. (2014), 100 runs: height of the sensor in m, peak in Pa: median, 2.5 and 97.5 %
LOBOVSKY = "Lobovsky et al. (2014), doi:10.1016/j.jfluidstructs.2014.03.009, table 2, as quoted by warpSPH"
LOBOVSKY_PEAKS = ((0.003, 9144, 7506, 13098), (0.015, 5749, 5326, 6331), (0.030, 4376, 3979, 4962),
                  (0.080, 3015, 2418, 3632))
GATE = "in the experiment a gate is drawn, and the water wets dry walls"
KLEEFSMAN = ("Kleefsman et al. (2005), doi:10.1016/j.jcp.2004.12.007, sensor P1 as measured, test case 2 of "
             "SPHERIC")
ANTOCI = ("Antoci, Gallati, Sibilla (2007), doi:10.1016/j.compstruc.2007.01.002, as digitised by Project "
          "Chrono")
SOFTER = "gate of softer rubber, 7.8 MPa and 0.47"  # as SPHinXsys takes it in its elastic_gate
RAYLEIGH = "Rayleigh (1879), doi:10.1098/rspl.1879.0015, for small swings"
COARSE, FINE = 20, 40  # particles across a column
WAYS = ("payload", "all-to-all", "put-fence", "put-passive", "consensus")


@dataclass
class Outcome:
    """A run and what it said of its costs."""

    solved: particles.Solved

    def column(self, name: str) -> np.ndarray:
        return np.array([line[name] for line in self.solved.history])

    def cost(self, what: str) -> float:
        """Seconds per step, seconds of a "migrations", "messages", "bytes" of one."""
        words = {"step": r"([0-9.e+-]+) s per step", "migration": r"migrations ([0-9.e+-]+) s",
                 "messages": r"([0-9.e+-]+) messages", "bytes": r"([0-9.e+-]+) bytes"}
        found = re.search(words[what], " ".join(self.solved.remarks))
        return float(found[1]) if found else float("nan")


def measure(context: Context) -> list[Measurement]:
    folder = context.out / "free_surface"
    parts = short(folder) | (long(folder) if context.full or context.only else {})
    found = [m for head, part in parts.items() if is_asked(context.only, head) for m in part()]
    verified = once([m for m in found if not isinstance(m.ours, Median)])
    if not context.only:
        path = (context.results or context.out) / "free_surface.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(table_of([m for m in verified if m.tolerance]))  # targets are no results
        console.print(f"written: {path}", soft_wrap=True)
    busy = {f"column 64 particles across, {ranks} ranks": ranks for ranks in (8, 16)} if (
        context.full or context.only) else {"column 40 particles across, 4 ranks": 4}
    costs = [m for head, ranks in busy.items() if is_asked(context.only, head)
             for m in balance(folder, ranks)]
    if is_asked(context.only, "column 40 particles across, 4 ranks, "):
        costs += discovery(folder, 4)
    return [*verified, *costs]


def short(folder: Path) -> dict[str, Part]:
    """By what their cases begin with."""
    return {REST: partial(rest, folder), "block of 20 x 5": partial(slide, folder),
            "vortex of Taylor and Green, Re 100, 50": partial(vortex, folder, 50),
            **{f"drop of water, {n}": partial(drop, folder, n) for n in (10, 20)},
            **{f"column twice as high as wide, {n}": partial(front, folder, n) for n in (COARSE, FINE)},
            **{f"column half as high as wide, {n}": partial(impact, folder, n) for n in (COARSE, 30)},
            "column 0.3 m high, 30": partial(sensors, folder, 30)}


def long(folder: Path) -> dict[str, Part]:
    """Of --full."""
    return {**{f"vortex of Taylor and Green, Re 100, {n}": partial(vortex, folder, n) for n in (25, 100)},
            f"column twice as high as wide, {2 * FINE}": partial(front, folder, 2 * FINE),
            f"column half as high as wide, {2 * FINE}": partial(impact, folder, 2 * FINE),
            "column 0.3 m high, 60": partial(sensors, folder, 60),
            **{f"box in the way of a column, {round(1 / spacing)}": partial(box, folder, spacing)
               for spacing in (0.04, 0.025)},
            "gate of rubber, water 0.14 m deep": partial(gate, folder, "gate of rubber", None),
            SOFTER: partial(gate, folder, SOFTER, 7.8e6 / (1 - 0.47**2))}


def text_of(tables: Tables) -> str:
    """A case file."""
    lines = []
    for name, content in tables.items():
        for words in content if isinstance(content, list) else [content]:
            lines.append(f"[[{name}]]" if isinstance(content, list) else f"[{name}]")
            lines += [f"{word} = {json.dumps(value)}" for word, value in words.items()]
    return "\n".join(lines) + "\n"


def solve(folder: Path, name: str, tables: Tables, ranks: int = 1) -> Outcome:
    console.print(f"solving {name}", style="dim")
    folder.mkdir(parents=True, exist_ok=True)
    case = folder / f"{name}.toml"
    case.write_text(text_of(tables))
    return Outcome(particles.solve(case, {}, ranks, lambda _: None))


def tank(width: float, height: float, water: tuple[float, float], spacing: float, **more: object) -> Tables:
    """Water in the lower left corner of a tank, whose top is open; what leaves it is removed."""
    return {"particles": {"spacing": spacing}, "liquid": {"gravity": [0, -GRAVITY]},
            "tank": {"lower": [0, 0], "upper": [width, height], "open": ["top"], "outside": "delete"},
            "water": [{"lower": [0, 0], "upper": list(water), **more}]}


def rest(folder: Path) -> Iterator[Measurement]:
    """Water whose particles are off the lattice, 10 s: the pressure at the bottom."""
    depth, spacing = 0.2, 0.01
    tables = tank(0.3, 0.4, (0.3, depth), spacing, disturbance=0.2)
    tables |= {"time": {"end": 10}, "gauge": [{"lower": [0.05, 0], "upper": [0.25, 0]}]}
    found = solve(folder, "rest", tables)
    time, pressure = found.column("time"), found.column("gauge1")
    exact = 1000 * GRAVITY * depth
    case = f"{REST}{round(depth / spacing)} particles deep, disturbed by 0.2 spacings"
    late = pressure[time > 8]
    yield compared(case, "pressure at the bottom, 8 to 10 s, in Pa", float(late.mean()),
                   Known(exact, "exact", 0.01))
    early = pressure[(time > 2) & (time < 4)]
    yield Measurement(case, "drift of the pressure, 2 to 4 s against 8 to 10 s", "",
                      float(abs(late.mean() - early.mean()) / exact), 0.01, TARGET)
    yield Measurement(case, "standard deviation of the pressure, 8 to 10 s", "",
                      float(late.std() / exact), 0.01, TARGET)
    yield Measurement(case, "particles lost", "", found.solved.left, 0, TARGET)


def vortex(folder: Path, across: int) -> Iterator[Measurement]:
    """Between slip walls the flow is exact, too: no shear stress and no flow through them."""
    viscosity = 0.01
    tables: Tables = {
        "particles": {"spacing": 1 / across}, "liquid": {"viscosity": viscosity},
        "tank": {"lower": [0, 0], "upper": [1, 1]},
        "water": [{"lower": [0, 0], "upper": [1, 1], "vortex": 1}], "time": {"end": 1}}
    found = solve(folder, f"vortex-{across}", tables)
    time, energy = found.column("time"), found.column("energy")
    rate = -float(np.polyfit(time, np.log(energy), 1)[0])
    yield compared(f"vortex of Taylor and Green, Re 100, {across} particles across",
                   "rate at which the energy decays, in 1/s", rate,
                   Known(4 * viscosity * np.pi**2, "exact", 0.05))


def slope(time: np.ndarray, reach: np.ndarray, first: float = 2, last: float = 3.6) -> float:
    """Between two places of the front."""
    at = [float(np.interp(place, reach, time)) for place in (first, last)]
    return (last - first) / (at[1] - at[0])


def slide(folder: Path) -> Iterator[Measurement]:
    """A block that slides along the bottom without gravity, by its own length."""
    for sides in ("planes", "particles"):
        tables: Tables = {
            "particles": {"spacing": 0.01},
            "tank": {"lower": [0, 0], "upper": [0.8, 0.2], "open": ["top"], "sides": sides},
            "water": [{"lower": [0.1, 0], "upper": [0.3, 0.05], "velocity": [1, 0]}], "time": {"end": 0.2}}
        speed = solve(folder, f"slide-{sides}", tables).column("speed")
        case = f"block of 20 x 5 particles that slides along a wall of {sides}"
        yield compared(case, "largest speed after a way of its length", float(speed[-1]),
                       Known(1, "exact", 0.01))


def drop(folder: Path, radius: int) -> Iterator[Measurement]:
    """An ellipse without weight in two dimensions that its tension lets swing about a circle."""
    spacing, tension, stretch = 0.02 / radius, 0.07, 1.1
    half = (0.02 * stretch, 0.02 / stretch)
    period = 2 * np.pi * np.sqrt(1000 * 0.02**3 / (6 * tension))
    tables: Tables = {
        "particles": {"spacing": spacing}, "liquid": {"tension": tension},
        "tank": {"lower": [0, 0], "upper": [0.08, 0.08]}, "time": {"end": 0.75 * period},
        "water": [{"lower": [0.04 - far for far in half], "upper": [0.04 + far for far in half],
                   "round": True}]}
    found = solve(folder, f"drop-{radius}", tables)
    time, energy = found.column("time"), found.column("energy")
    swing = (time > 0.35 * period) & (time < 0.65 * period)
    still = np.polynomial.Polynomial.fit(time[swing], energy[swing], 2).convert().coef  # it stops at the end
    fluid = found.solved.particles * spacing**2 / np.pi / 0.02**2  # area over that of the circle
    yield compared(f"drop of water, {radius} particles in its radius", "period of its swings, in s",
                   float(-still[1] / still[2]), Known(period * fluid**0.75, RAYLEIGH, 0.1))


def front(folder: Path, across: int) -> Iterator[Measurement]:
    """A column twice as high as wide."""
    width = 0.146
    tables = tank(4 * width, 4 * width, (width, 2 * width), width / across)
    tables["time"] = {"end": 0.26}
    found = solve(folder, f"front-{across}", tables)
    time = found.column("time") * np.sqrt(2 * GRAVITY / width)
    reach = np.maximum.accumulate(found.column("front") / width)
    case = f"column twice as high as wide, {across} particles across"
    ours = slope(time, reach)
    yield compared(case, "speed of the front from 2 to 3.6 widths", ours,
                   Known(reference.MARTIN_SLOPE, reference.MARTIN, 0.05))


def impact(folder: Path, across: int) -> Iterator[Measurement]:
    """A column half as high as wide, which hits a wall 5.366 depths away."""
    depth = 0.6
    spacing = depth / across
    end = round(5.366 * across) * spacing
    tables = tank(end, 3 * depth, (2 * depth, depth), spacing)
    tables |= {"time": {"end": 5 * np.sqrt(depth / GRAVITY)},
               "gauge": [{"lower": [end, middle - 0.045], "upper": [end, middle + 0.045]}
                         for middle in SENSOR_MIDDLES.values()]}  # with a diameter of 90 mm
    found = solve(folder, f"impact-{across}", tables)
    time = found.column("time") * np.sqrt(GRAVITY / depth)
    known_time, known = np.array(BUCHNER_PRESSURE).T
    pressure = found.column("gauge1") / (1000 * GRAVITY * depth)
    case = f"column half as high as wide, {across} particles deep, on a wall"
    yield compared(case, "time of the impact, of sqrt(depth / gravity)",
                   float(time[np.argmax(pressure > 0.1)]),
                   Known(float(np.interp(0.1, known[:6], known_time[:6])), BUCHNER, 0.05, GATE))
    for n, place in enumerate(SENSOR_MIDDLES, 1):
        pressure = found.column(f"gauge{n}") / (1000 * GRAVITY * depth)
        for first, last in ((2.7, 3.2), (3.2, 5.0)):
            rows, span = (time > first) & (time < last), np.linspace(first, last, 50)
            yield compared(case + place, f"mean pressure from {first} to {last}, of that of the depth",
                           float(pressure[rows].mean()),
                           Known(float(np.interp(span, known_time, known).mean()), BUCHNER, 0.1))


def peak(time: np.ndarray, pressure: np.ndarray, span: float = 0.005) -> float:
    """The largest mean over a span of time: no single step."""
    sums = np.concatenate([[0], np.cumsum(pressure)])
    ends = np.searchsorted(time, time + span)
    return float(((sums[ends] - sums[:-1]) / (ends - np.arange(len(time)))).max())


def sensors(folder: Path, across: int) -> Iterator[Measurement]:
    """The tank of Lobovsky et al.: 0.6 m by 0.3 m of water, a wall 1 m away with four sensors."""
    depth = 0.3
    spacing = depth / across
    tables = tank(1.61, 0.6, (0.6, depth), spacing)
    tables |= {"time": {"end": 0.75},
               "gauge": [{"lower": [1.61, z], "upper": [1.61, z]} for z, *_ in LOBOVSKY_PEAKS]}
    found = solve(folder, f"sensors-{across}", tables)
    for n, (height, middle, low, high) in enumerate(LOBOVSKY_PEAKS, 1):
        case = f"column 0.3 m high, {across} particles deep, sensor {1000 * height:.0f} mm above the bed"
        known = Known(middle, LOBOVSKY, (high - low) / 2 / middle, GATE)
        yield compared(case, "peak of the pressure, mean of 5 ms, in Pa",
                       peak(found.column("time"), found.column(f"gauge{n}")), known)


def box(folder: Path, spacing: float) -> Iterator[Measurement]:
    """The tank of Kleefsman et al. in three dimensions, its lengths rounded to the spacing."""
    def near(length: float) -> float:
        return round(length / spacing) * spacing

    face = near(2.3955)
    tables: Tables = {
        "particles": {"dimensions": "3d", "spacing": spacing}, "liquid": {"gravity": [0, 0, -GRAVITY]},
        "tank": {"lower": [0, 0, 0], "upper": [near(3.22), 1, 1], "open": ["back"], "outside": "delete"},
        "water": [{"lower": [0, 0, 0], "upper": [near(1.228), 1, near(0.55)]}],
        "obstacle": [{"lower": [face, near(0.2955), 0],
                      "upper": [face + near(0.161), 1 - near(0.2955), near(0.161)]}],
        "gauge": [{"lower": [face, 0.45, 0.021], "upper": [face + spacing / 4, 0.55, 0.021]}],
        "time": {"end": 0.6}, "output": {"folder": "box", "every": 0.1}}
    found = solve(folder, f"box-{round(1 / spacing)}", tables)
    time, pressure = found.column("time"), found.column("gauge1")
    case = f"box in the way of a column, {round(1 / spacing)} particles across the tank"
    yield compared(case, "time when it is hit, in s", float(time[np.argmax(pressure > 2810)]),
                   Known(0.3945, KLEEFSMAN, 0.05, GATE))
    yield compared(case, "peak of the pressure 21 mm above the bed, mean of 5 ms, in Pa",
                   peak(time, pressure), Known(10620, KLEEFSMAN, 0.2))
    late = (time > 0.45) & (time < 0.54)
    yield compared(case, "pressure there, mean from 0.45 to 0.54 s, in Pa", float(pressure[late].mean()),
                   Known(6840, KLEEFSMAN, 0.1))


def collapse(across: int, end: float, **words: object) -> Tables:
    width = 0.146
    tables = tank(4 * width, 4 * width, (width, 2 * width), width / across)
    tables["time"] = {"end": end, **words}
    return tables


def balance(folder: Path, ranks: int) -> Iterator[Measurement]:
    """Largest over mean busy time between two cuts of the domains, through the collapse."""
    every, across = 20, 64 if ranks > 4 else 40
    found = solve(folder, f"balance-{ranks}", collapse(across, 0.5, **{"balance-every": every}), ranks)
    steps = found.column("step")
    case = f"column {across} particles across, {ranks} ranks"
    for column, what in (("imbalance", "busy time"), ("pairs", "pairs of neighbours")):
        spans = found.column(column)[(steps % every == 0) & (steps > every)]
        yield Measurement(case, f"{what} of the busiest rank over the mean", "", Median.of(spans), 1.1,
                          TARGET)
        yield Measurement(case, f"{what} of the busiest rank over the mean, the worst {every} steps of all",
                          "", Median.of([spans.max()]), 1.1, TARGET)
        yield Measurement(case, f"{what} of the busiest rank above 1.1 of the mean, share of the spans", "",
                          Median.of([np.mean(spans > 1.1)]))


def gate(folder: Path, name: str, modulus: float | None) -> Iterator[Measurement]:
    """The example of an elastic gate, whole, on one rank: the end of the gate beside the experiment."""
    console.print(f"water opens a {name}", style="dim")
    here = folder / name.split(",")[0].replace(" ", "-")
    time, aside, up = elastic_gate.run(here, 0.3, 1, modulus)
    measured = elastic_gate.measured(here)
    case = f"{name}, water 0.14 m deep"
    for way, side, (when, there) in ((aside, "aside", measured[:2]), (up, "up", measured[2:])):
        seen = when < time[-1]
        off = np.interp(when[seen], time, way) - there[seen]
        yield compared(case, f"way of its end {side} where it is furthest, in mm", 1e3 * float(way.max()),
                       Known(1e3 * float(there.max()), ANTOCI, 0.1))
        yield Measurement(case, f"its end {side}, root of mean square difference, in mm", "",
                          1e3 * float(np.sqrt((off**2).mean())))
    yield compared(case, "time when it is furthest aside, in s", float(time[aside.argmax()]),
                   Known(float(measured[0][measured[1].argmax()]), ANTOCI, 0.1))


def discovery(folder: Path, ranks: int) -> Iterator[Measurement]:
    """The same collapse, once for each way in which ranks learn what comes to them."""
    found = {way: solve(folder, f"discovery-{way}",
                        collapse(40, 0.05, discovery=way, balance="counted"), ranks) for way in WAYS}
    others = min((way for way in WAYS if way != "payload"), key=lambda way: found[way].cost("migration"))
    for way, outcome in found.items():
        case = f"column 40 particles across, {ranks} ranks, {way}"
        ours = way == "payload"
        yield Measurement(case, "migration and ghosts of a step", "s", outcome.cost("migration"),
                          found[others].cost("migration") if ours else None,
                          f"{others}, the fastest other way, in the same run")
        yield Measurement(case, "messages of a step, of all ranks", "", outcome.cost("messages"))
        yield Measurement(case, "bytes of a step, of all ranks", "B", outcome.cost("bytes"))
