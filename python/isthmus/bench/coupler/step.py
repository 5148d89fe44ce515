# SPDX-License-Identifier: BSD-3-Clause
"""Time of one step of many values, and how many bytes it moves per second.

Two processes, parallel-explicit, one scalar one way or both ways, 10,000 to 1,000,000 values; then blades of
M1 and M4 (--full: M1 to M6) with scalar and vector as the peer was measured."""

from __future__ import annotations

from isthmus.bench.coupler import peer
from isthmus.bench.coupler.steps import TRANSPORTS, steps
from isthmus.bench.framework import Context, cpu, phase
from isthmus.bench.measurement import Measurement
from isthmus.bench.reference import (
    NN,
    NP,
    PEER,
    PEER_BLADE,
    PEER_STEP_100K,
    PEER_STEP_BYTES_PER_S,
    TARGET,
    TARGET_STEP_BYTES_PER_S,
)
from isthmus.replay import Coupling, Mapping

SIZES = (10_000, 100_000, 1_000_000)  # vertices
WAYS = {"one-way": 1, "two-way": 2}
WINDOWS = 50
ROUND_TRIP = "tcp, round trip, 100,000 values, drop-in"
COPIES = ("write, gather, move, scatter, map and read each pass over the values once; the raw stream copies "
          "them only in and out")
AHEAD = "the sender runs ahead of the receiver, so that what it sends has to be kept"


def measure(context: Context) -> list[Measurement]:
    return streams(context) + blades(context)


def streams(context: Context) -> list[Measurement]:
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


def blades(context: Context) -> list[Measurement]:
    levels = ("M1", "M2", "M3", "M4", "M5", "M6") if context.full else ("M1", "M4")
    found = []
    for level in levels:
        for mapping in (NN, NP):
            if not context.wants(case := f"{level} {mapping}"):
                continue
            turns = peer.blade(context, level, Mapping(mapping), coupling=Coupling(WINDOWS))
            results, theirs = turns.ours, turns.beside(PEER_BLADE[level, mapping])
            found.append(Measurement(case, "advance at A", "s", phase(results, "A", "advance"),
                                     theirs.advance, turns.source))
            found.append(Measurement(case, "CPU of advance at A", "s", cpu(results, "A", "advance")))
            found.append(Measurement(case, "read at A", "s", phase(results, "A", "read"), theirs.read,
                                     turns.source))
    return found
