# SPDX-License-Identifier: BSD-3-Clause
"""What harmonic balance costs beside runs in time that are as right."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from isthmus.bench.framework import in_turns
from isthmus.bench.measurement import Measurement, Median
from isthmus.bench.reference import ALLOWED, TARGET
from isthmus.bench.solvers.flow_cases import Outcome, Tables, solve
from isthmus.solvers.flow import through_snapshots

IN_TIME = "its own run in time"
OFF_AT_MOST = f"{ALLOWED} of the difference from {IN_TIME}"
TENTH = f"{TARGET}: a tenth of the quickest of the runs in time, all of which are within 1 %"
SHARE = "nine snapshots take 15 to 80 iterations, and the quickest run in time 18 in each of its 96 steps"
OFF = "largest difference of the {} by the amplitude of the lift"
CASE = "NACA 0012 pitching by 8 degrees, M 0.5, Re 1000, 64 x 32 cells"
FEWER = "4 harmonics, fewer before"
BASE: Tables = {
    "flow": {"mach": 0.5, "reynolds": 1000},
    "grid": {"shape": "naca", "cells": [64, 32], "radius": 15, "first": 0.01},
    "motion": {"amplitude": 8, "reduced-frequency": 0.5, "pivot": [0.25, 0]},
    "scheme": {"limiter": "none", "cfl": 3, "levels": 3, "cycle": "w"}}
STEPS = 64  # per period of the reference


def in_time(steps: int, periods: int, residual: float) -> Tables:
    return {"time": {"kind": "dual", "steps-per-period": steps, "steps": steps * periods},
            "run": {"iterations": 50, "residual": residual}}


def balanced(harmonics: int, **words: object) -> Tables:
    return {"time": {"kind": "harmonic", "harmonics": harmonics}, "run": words | {"residual": 1e-6}}


REFERENCE = in_time(STEPS, 5, 1e-3)
RIVALS = {f"in time, {steps} steps, {periods} periods to 0.01": in_time(steps, periods, 1e-2)
          for steps, periods in ((STEPS, 3), (48, 3), (48, 2))}
BALANCED = {"4 harmonics": balanced(4, iterations=80),
            FEWER: balanced(4, **{"fewer-harmonics": [50, 25, 15], "iterations": 15})}
TOO_FEW = {f"{n} harmonic{'s'[:n > 1]}": balanced(n, iterations=80) for n in (1, 2, 3)}
WAYS = RIVALS | BALANCED | TOO_FEW


def harmonics(folder: Path, repeat: int) -> Iterator[Measurement]:
    """NACA 0012 pitching by 8 degrees, M 0.5, Re 1000: difference from the run in time, and cost."""
    reference = run(folder, "in time", REFERENCE)
    yield Measurement(f"{CASE}, in time", "processor time", "s", reference.seconds)
    found = in_turns(ways_of(folder, RIVALS | BALANCED), repeat) | in_turns(ways_of(folder, TOO_FEW), 1)
    times = {name: Median.of(outcome.seconds for outcome in outcomes) for name, outcomes in found.items()}
    most = 0.1 * min(times[name] for name in RIVALS)
    wanted = {load: reference.column(load)[-STEPS:] for load in ("lift", "drag")}
    swing = float(np.ptp(wanted["lift"])) / 2
    for name, outcomes in found.items():
        steps = WAYS[name]["time"].get("steps-per-period")  # of a run in time
        for load, values in wanted.items():
            off = difference(outcomes[0].column(load), values, steps) / swing
            yield Measurement(f"{CASE}, {name}", OFF.format(load), "", off,
                              *((0.01, OFF_AT_MOST) if name in BALANCED else ()))
        yield Measurement(f"{CASE}, {name}", "processor time", "s", times[name],
                          *((most, TENTH) if name in BALANCED else ()), why=SHARE)


def ways_of(folder: Path, ways: dict[str, Tables]) -> dict[str, Callable[[], Outcome]]:
    return {name: partial(run, folder, name, tables) for name, tables in ways.items()}


def run(folder: Path, name: str, tables: Tables) -> Outcome:
    return solve(folder, name.replace(",", "").replace(" ", "-"), BASE | tables)


def difference(found: np.ndarray, wanted: np.ndarray, steps: int | None) -> float:
    """The largest one in a period: at the moments that both have, or anywhere between snapshots."""
    if steps is None:
        turn = 2 * np.pi * (np.arange(1, len(wanted) + 1) / len(wanted))
        return float(abs(through_snapshots(found, turn) - wanted).max())
    shared = math.gcd(steps, len(wanted))
    return float(abs(every(found[-steps:], shared) - every(wanted, shared)).max())


def every(period: np.ndarray, count: int) -> np.ndarray:
    """So many equally spaced values of a period, of which the last is its end."""
    apart = len(period) // count
    return period[apart - 1::apart]
