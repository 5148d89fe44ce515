# SPDX-License-Identifier: BSD-3-Clause
"""One iteration of an implicit scheme, and many time windows.

One vertex, serial-implicit with a measure, beside a raw round trip in the same run; advance() of the
participant that accelerates 100,000 vertices (a vector and a scalar) by IQN-ILS, 8 iterations per window;
then 100,000 windows (--full; else 5,000) with two steps each: memory and time at their end. The peer plays
the same program by turns where it is installed, but not the one vertex."""

from __future__ import annotations

from isthmus.bench.coupler import peer
from isthmus.bench.coupler.peer import Printed
from isthmus.bench.coupler.steps import TRANSPORTS, steps
from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement
from isthmus.bench.reference import PEER_NEWTON_STEP, TARGET, TARGET_ITERATION, TARGET_NEWTON_STEP
from isthmus.console import console

VERTICES = 100_000
WINDOWS, WINDOWS_FULL = 5_000, 100_000
SCALARS = 1000  # largest number of vertices of the round trips, those of `latency`
LOADED = "with more running processes than cores a waiting rank sleeps, and waking it takes some 50 µs"
BUSY = "with more running processes than cores both wait for a core; the processor time does not count that"
VERDICT = f"an iteration sends data both ways and the verdict, measures, logs and goes back in time; {LOADED}"


def measure(context: Context) -> list[Measurement]:
    found = []
    for transport in TRANSPORTS:
        step = steps(context, 1, SCALARS)[transport, "iteration", 1]
        case = f"{transport}, 1 value"
        found += [
            Measurement(case, "advance, median", "s", step.median),
            Measurement(case, "advance over raw", "", step.over_raw, TARGET_ITERATION, TARGET, why=VERDICT),
            Measurement(case, "heap allocations", "", step.allocations, 0, TARGET),
        ]
    windows = WINDOWS_FULL if context.full else WINDOWS
    console.print(f"measuring iterations of {VERTICES:,} vertices and {windows:,} windows", style="dim")
    newtons = peer.printed(context, "peer_iterate", [VERTICES, 0])
    many_windows = peer.printed(context, "peer_iterate", [0, windows], repeat=1)
    return found + [m for line in (0, 1) for m in newton(newtons, line) + many(many_windows, line)]


def newton(runs: Printed, line: int) -> list[Measurement]:
    row = runs.ours[0][line]
    reused = int(row["reused"])
    case = f"{int(row['vertices']):,} vertices, {reused} windows reused"
    seconds = peer.median(runs.ours, "advance_median_us", line)
    theirs = busy = PEER_NEWTON_STEP[reused]  # which has no processor time
    if runs.theirs:
        theirs = peer.median(runs.theirs, "advance_median_us", line)
        busy = peer.median(runs.theirs, "busy_median_us", line)
    return [
        Measurement(case, "advance that accelerates, median", "s", seconds, theirs, runs.source, why=BUSY),
        Measurement(case, "the same beside the target", "s", seconds, theirs * TARGET_NEWTON_STEP, TARGET,
                    why=BUSY),
        Measurement(case, "processor time of the same", "s", peer.median(runs.ours, "busy_median_us", line),
                    busy * TARGET_NEWTON_STEP, TARGET),
        Measurement(case, "the same, longest", "s", peer.median(runs.ours, "advance_max_us", line)),
    ]


def many(runs: Printed, line: int) -> list[Measurement]:
    row = runs.ours[0][line]
    case = f"{int(row['windows']):,} windows, {row['case']}"
    growth = 1e6 * (float(row["mb"]) - float(row["early_mb"]))
    theirs = _of_a_window(runs.theirs[0][line]) if runs.theirs else None
    return [
        Measurement(case, "window", "s", _of_a_window(row), theirs, runs.source),
        Measurement(case, "memory gained after a tenth", "B", growth, 65536, TARGET),
        Measurement(case, "drift of the sum of steps, relative", "", float(row["drift"]), 1e-11, TARGET),
    ]


def _of_a_window(row: dict[str, str]) -> float:
    return float(row["seconds"]) / int(row["windows"])
