# SPDX-License-Identifier: BSD-3-Clause
"""Time of one step of many values, and how many bytes it moves per second.

Two processes, parallel-explicit, one scalar one way or both ways, 10,000 to 1,000,000 values. The benchmark
`mapping` has steps of blades."""

from __future__ import annotations

from isthmus.bench.coupler import peer
from isthmus.bench.coupler.steps import TRANSPORTS, steps
from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement
from isthmus.bench.reference import (
    PEER,
    PEER_STEP_100K,
    PEER_STEP_BYTES_PER_S,
    TARGET,
    TARGET_STEP_BYTES_PER_S,
)

SIZES = (10_000, 100_000, 1_000_000)  # vertices
WAYS = {"one-way": 1, "two-way": 2}
ROUND_TRIP = "tcp, round trip, 100,000 values, drop-in"
COPIES = ("write, gather, move, scatter, map and read each pass over the values once; the raw stream copies "
          "them only in and out")
AHEAD = "the sender runs ahead of the receiver, so that what it sends has to be kept"


def measure(context: Context) -> list[Measurement]:
    found: list[Measurement] = []
    sizes = [vertices for vertices in SIZES if context.wants(
        *(_case(transport, name, vertices) for transport in TRANSPORTS for name in WAYS))]
    measured = steps(context, sizes[0], sizes[-1]) if sizes else {}
    pair = peer.steps(context).get(100_000) if context.wants(ROUND_TRIP) else None
    for transport in TRANSPORTS:
        for vertices in sizes:
            for name, ways in WAYS.items():
                step, case = measured[transport, name, vertices], _case(transport, name, vertices)
                compared = vertices == 100_000 and ways == 2
                quoted = compared and pair is None
                found.append(Measurement(case, "advance, median", "s", step.median,
                                         PEER_STEP_100K if quoted else None, PEER if quoted else ""))
                rate = 8e-9 * vertices * ways / step.window
                found.append(Measurement(case, "whole step", "GB/s", rate,
                                         1e-9 * PEER_STEP_BYTES_PER_S if quoted else None,
                                         PEER if quoted else "", more_is_better=True))
                if compared:
                    found.append(Measurement(case, "whole step beside the target", "GB/s", rate,
                                             1e-9 * TARGET_STEP_BYTES_PER_S, TARGET, more_is_better=True,
                                             why=COPIES))
                found.append(Measurement(case, "advance over raw", "", step.median / step.raw))
                found.append(Measurement(case, "heap allocations", "", step.allocations, 0, TARGET,
                                         why=AHEAD if ways == 1 else ""))
    if pair:
        found.append(Measurement(ROUND_TRIP, "advance, median of runs", "s",
                                 pair.ours, pair.theirs, pair.source))
    return found


def _case(transport: str, name: str, vertices: int) -> str:
    return f"{transport}, {name}, {vertices:,} values"
