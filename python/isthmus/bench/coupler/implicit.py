# SPDX-License-Identifier: BSD-3-Clause
"""One iteration of an implicit scheme, and many time windows.

One vertex, serial-implicit with a measure, beside a raw round trip in the same run; advance() of the
participant that accelerates 100,000 vertices (a vector and a scalar) by IQN-ILS, 8 iterations per window;
then 100,000 windows (--full; else 5,000) with two steps each: memory and time at their end."""

from __future__ import annotations

import csv

from isthmus import programs
from isthmus.bench.coupler.steps import TRANSPORTS, steps
from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement
from isthmus.bench.reference import PEER, PEER_NEWTON_STEP, TARGET, TARGET_ITERATION, TARGET_NEWTON_STEP
from isthmus.console import console

VERTICES = 100_000
SCALARS = 1000  # largest number of vertices of the round trips, those of `latency`
LIMIT = 400  # seconds of one run
LOADED = "with more running processes than cores a waiting rank sleeps, and waking it takes some 50 µs"
BUSY = "with more running processes than cores both wait for a core; the processor time does not count that"
VERDICT = f"an iteration sends data both ways and the verdict, measures, logs and goes back in time; {LOADED}"


def measure(context: Context) -> list[Measurement]:
    found = []
    for transport in TRANSPORTS:
        step = steps(context, 1, SCALARS)[transport, "iteration", 1]
        case = f"{transport}, 1 value"
        found += [
            Measurement(case, "advance, best", "s", step.advance),
            Measurement(case, "advance over raw", "", step.advance / step.raw, TARGET_ITERATION, TARGET,
                        why=VERDICT),
            Measurement(case, "heap allocations", "", step.allocations, 0, TARGET),
        ]
    windows = 100_000 if context.full else 5_000
    console.print(f"measuring iterations of {VERTICES:,} vertices and {windows:,} windows", style="dim")
    command = [str(programs.find("bench_iterate")), str(VERTICES), str(windows)]
    rows = list(csv.DictReader(programs.output("bench_iterate", command, LIMIT).splitlines()))
    return found + [m for row in rows for m in (newton(row) if row["case"] == "quasi-newton" else many(row))]


def newton(row: dict[str, str]) -> list[Measurement]:
    reused = int(row["reused"])
    case = f"{int(row['vertices']):,} vertices, {reused} windows reused"
    seconds = 1e-6 * float(row["advance_median_us"])
    peer = PEER_NEWTON_STEP[reused]
    return [
        Measurement(case, "advance that accelerates, median", "s", seconds, peer, PEER),
        Measurement(case, "the same beside the target", "s", seconds, peer * TARGET_NEWTON_STEP, TARGET,
                    why=BUSY),
        Measurement(case, "processor time of the same", "s", 1e-6 * float(row["busy_median_us"]),
                    peer * TARGET_NEWTON_STEP, TARGET),
        Measurement(case, "the same, longest", "s", 1e-6 * float(row["advance_max_us"])),
    ]


def many(row: dict[str, str]) -> list[Measurement]:
    case = f"{int(row['windows']):,} windows, {row['case']}"
    growth = 1e6 * (float(row["mb"]) - float(row["early_mb"]))
    return [
        Measurement(case, "window", "s", float(row["seconds"]) / int(row["windows"])),
        Measurement(case, "memory gained after a tenth", "B", growth, 65536, TARGET),
        Measurement(case, "drift of the sum of steps, relative", "", float(row["drift"]), 1e-11, TARGET),
    ]
