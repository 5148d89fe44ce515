# SPDX-License-Identifier: BSD-3-Clause
"""Front of the water of a breaking dam beside an experiment.

The steps are those of src/isthmus/discrete/dam_break.hpp: two limited transports, two correctors with a
pressure each. What messages of other codes would cost is not told here: that needs messages recorded from a
real solver."""

from __future__ import annotations

import csv
from collections.abc import Sequence

from isthmus import programs
from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement
from isthmus.bench.reference import DAM_FRONT as FRONT
from isthmus.bench.reference import TARGET
from isthmus.console import console

LIMIT = 1500  # seconds
AT = "front on the floor in widths of the column"
WIDTH = 0.25  # of the column, in sides of the basin


def measure(context: Context) -> list[Measurement]:
    return flow(64 if context.full else 32)


def flow(n: int) -> list[Measurement]:
    """The dam breaks on one rank until the front has passed the last of FRONT."""
    console.print(f"a dam breaks, {n} x {n} cells", style="dim")
    command = [str(programs.find("bench_dam_break")), str(n), "until", "1.11"]
    text = programs.output("bench_dam_break", command, LIMIT, programs.mpi_environment())
    lines, bounds = text.split("steps,overshoot,volume_change\n")
    scale = (2 / WIDTH)**0.5
    points = [(scale * float(time), float(front) / WIDTH) for time, front in csv.reader(lines.splitlines())]
    _, overshoot, change = (float(value) for value in bounds.split(","))
    (t0, z0), (t1, z1) = ((time, _front_at(time, points)) for time in (FRONT[-4][0], FRONT[-1][0]))
    theirs = (FRONT[-1][1] - FRONT[-4][1]) / (FRONT[-1][0] - FRONT[-4][0])
    case = f"dam break, {n} x {n} cells"
    worst = max(abs(_front_at(time, points) - front) for time, front in FRONT)
    way = [Measurement(f"{case}, time {time:.4f}", AT, "", place, shown=False) for time, place in points]
    return [*way,
        Measurement(case, "speed of the front beside the experiment's", "",
                    abs((z1 - z0) / (t1 - t0) / theirs - 1), 0.1, "Koshizuka, Oka 1996"),
        Measurement(case, "front off the experiment's at most, widths of the column", "", worst),
        Measurement(case, "overshoot", "", overshoot, 1e-6, "divergence that the solver leaves"),
        Measurement(case, "volume lost", "", change, 1e-12, TARGET)]


def _front_at(time: float, points: Sequence[tuple[float, float]]) -> float:
    """Between the times when it enters cells."""
    before = max(point for point in points if point[0] <= time)
    after = min((point for point in points if point[0] > time), default=before)
    share = 0.0 if after == before else (time - before[0]) / (after[0] - before[0])
    return before[1] + share * (after[1] - before[1])
