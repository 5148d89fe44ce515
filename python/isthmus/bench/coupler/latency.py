# SPDX-License-Identifier: BSD-3-Clause
"""Time of advance for a few values: what a step costs when there is nothing to move.

One scalar each way, serial-explicit, two processes, so that advance is a round trip; beside a raw round trip
of the same bytes over the same transport in the same run, which only spins."""

from __future__ import annotations

from isthmus.bench.coupler import peer
from isthmus.bench.coupler.steps import TRANSPORTS, steps
from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement
from isthmus.bench.reference import PEER_LATENCY, PEER_STEP, TARGET, TARGET_ROUND_TRIP

LARGEST = 1000  # vertices
LOADED = "with more running processes than cores a waiting rank sleeps, and waking it takes some 50 µs"
WHY = {"tcp": f"the message has 32 bytes of frame; {LOADED}",
       "shm": "the raw round trip is two cache lines that move; a frame is written, checked and unpacked "
              f"twice in a round trip; {LOADED}"}


def measure(context: Context) -> list[Measurement]:
    found = []
    measured = steps(context, 1, LARGEST)
    pair = peer.steps(context).get(1)
    for transport in TRANSPORTS:
        for vertices in (1, 10, 100, 1000):
            step = measured[transport, "ping-pong", vertices]
            case = f"{transport}, {vertices} value{'s'[:vertices > 1]}"
            quoted = PEER_LATENCY if vertices == 1 and pair is None else None
            found.append(Measurement(case, "advance, best", "s", step.advance, quoted,
                                     PEER_STEP if quoted else ""))
            found.append(Measurement(case, "advance, median", "s", step.median, quoted,
                                     PEER_STEP if quoted else "", why=LOADED))
            found.append(Measurement(case, "raw round trip, best", "s", step.raw))
            found.append(Measurement(case, "advance over raw", "", step.over_raw,
                                     TARGET_ROUND_TRIP if vertices == 1 else None,
                                     TARGET if vertices == 1 else "", why=WHY[transport]))
            found.append(Measurement(case, "heap allocations", "", step.allocations, 0, TARGET))
    if pair:
        found.append(Measurement("tcp, 1 value, drop-in", "advance, median of runs", "s", pair.ours,
                                 pair.theirs, pair.source, why=LOADED))
    return found
