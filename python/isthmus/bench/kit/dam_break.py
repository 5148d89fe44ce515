# SPDX-License-Identifier: BSD-3-Clause
"""Front of the water of a breaking dam beside an experiment.

The steps are those of src/isthmus/discrete/dam_break.hpp: two limited transports, two correctors with a
pressure each. What messages of other codes would cost is not told here: that needs messages recorded from a
real solver."""

from __future__ import annotations

import csv

import numpy as np

from isthmus import programs
from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement
from isthmus.bench.reference import ALLOWED, MARTIN, MARTIN_FRONT, MARTIN_SLOPE, TARGET
from isthmus.console import console
from isthmus.errors import IsthmusError

LIMIT = 1500  # seconds
AT = "front on the floor in widths of the column"
WIDTH = 0.25  # of the column, in sides of the basin; it is twice as high, as that of Martin and Moyce
FIRST, LAST = 2.0, 3.6  # places of MARTIN_SLOPE; the other wall is 4 widths away


def measure(context: Context) -> list[Measurement]:
    return flow(64 if context.full else 32)


def flow(n: int) -> list[Measurement]:
    """The dam breaks on one rank until the front has passed LAST."""
    console.print(f"a dam breaks, {n} x {n} cells", style="dim")
    command = [str(programs.find("bench_dam_break")), str(n), "until", "1.2"]
    text = programs.output("bench_dam_break", command, LIMIT, programs.mpi_environment())
    lines, bounds = text.split("steps,overshoot,volume_change\n")
    scale = (2 / WIDTH)**0.5
    points = [(scale * float(time), float(front) / WIDTH) for time, front in csv.reader(lines.splitlines())]
    _, overshoot, change = (float(value) for value in bounds.split(","))
    case = f"dam break, {n} x {n} cells"
    speed, worst = beside_experiment(points)
    way = [Measurement(f"{case}, time {time:.4f}", AT, "", place, shown=False) for time, place in points]
    return [*way,
        Measurement(case, f"speed of the front from {FIRST:g} to {LAST:g} widths", "", speed),
        Measurement(case, "speed of the front beside the experiment's", "", abs(speed / MARTIN_SLOPE - 1),
                    0.1, f"{TARGET}; {MARTIN}"),
        Measurement(case, "front off the experiment's at most, widths of the column", "", worst),
        Measurement(case, "overshoot", "", overshoot, 1e-6, f"{ALLOWED} divergence that the solver leaves"),
        Measurement(case, "volume lost", "", change, 1e-12, TARGET)]


def beside_experiment(points: list[tuple[float, float]]) -> tuple[float, float]:
    """Speed from FIRST to LAST, and how far the front is off the table at most, in widths, before LAST.

    Between the times when the front enters cells its place is interpolated."""
    times, places = np.array(points).T
    places, first = np.unique(np.maximum.accumulate(places), return_index=True)  # when it comes there
    times = times[first]
    if places[-1] < LAST:
        raise IsthmusError(f"bench_dam_break: the front comes to {places[-1]:g} widths, not to {LAST:g}")
    begin, end = np.interp((FIRST, LAST), places, times)
    worst = max(abs(np.interp(time, times, places) - place) for time, place in MARTIN_FRONT if place < LAST)
    return float((LAST - FIRST) / (end - begin)), float(worst)
