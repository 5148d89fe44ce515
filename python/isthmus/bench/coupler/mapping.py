# SPDX-License-Identifier: BSD-3-Clause
"""Initialization, step, memory and error of the mappings on one rank each.

Blades M1 to M4 (--full: to M6), nearest neighbour and nearest projection, family B to family A; then one
million points with nearest neighbour both ways."""

from __future__ import annotations

from isthmus.bench.coupler import peer
from isthmus.bench.coupler.blades import cloud
from isthmus.bench.framework import Context, cpu, peak_memory, phase
from isthmus.bench.measurement import Measurement, Median
from isthmus.bench.reference import (
    NN,
    NP,
    PEER_BLADE,
    PEER_MILLION,
    TARGET,
    TARGET_MILLION,
)
from isthmus.replay import Coupling, Launch, Mapping, Result, Settings, Side

MILLION = 1_000_000
BOTH_WAYS = "1,000,000 points, both ways"
MEMORY = ("the values of seven components on two meshes are 112 B of it, the rest is the plan; at most: also "
          "the received mesh and the search tree")


def measure(context: Context) -> list[Measurement]:
    levels = ("M1", "M2", "M3", "M4", "M5", "M6") if context.full else ("M1", "M2", "M3", "M4")
    found = []
    for level in levels:
        for mapping in (NN, NP):
            if context.wants(f"{level} {mapping}"):
                found += _blade(context, level, mapping)
    return [*found, *(_million(context) if context.wants(BOTH_WAYS) else [])]


def _blade(context: Context, level: str, mapping: str) -> list[Measurement]:
    turns = peer.blade(context, level, Mapping(mapping))
    results, theirs, case = turns.ours, turns.beside(PEER_BLADE[level, mapping]), f"{level} {mapping}"
    error = results[-1].sides["A"].errors["S"]
    figures = [("initialize at A", "s", phase(results, "A", "initialize"), theirs.initialize),
               ("initialize at A, CPU", "s", cpu(results, "A", "initialize"), theirs.initialize_cpu),
               ("initialize at B", "s", phase(results, "B", "initialize"), theirs.initialize_b),
               ("initialize at B, CPU", "s", cpu(results, "B", "initialize"),
                cpu(turns.theirs, "B", "initialize") if turns.theirs else None),
               ("advance at A", "s", phase(results, "A", "advance"), theirs.advance),
               ("read at A", "s", phase(results, "A", "read"), theirs.read),
               ("peak memory of A", "MB", peak_memory(results, "A"), theirs.memory_a),
               ("peak memory of B", "MB", peak_memory(results, "B"), theirs.memory_b)]
    why = {"initialize at B": "it ends with A's plan, so A's search is within it; the peer's B does not wait"}
    found = [Measurement(case, quantity, unit, ours, reference, turns.source,
                         why=why.get(quantity, "")) for quantity, unit, ours, reference in figures]
    for quantity, ours, reference in (("l2 error (root mean square)", error.l2, theirs.l2),
                                      ("largest error", error.max, theirs.max)):
        found.append(Measurement(case, quantity, "", ours, reference, turns.source,
                                 tolerance=turns.tolerance))
    return found


def _million(context: Context) -> list[Measurement]:
    sides = [Side("A", cloud(MILLION, (0.21, 0.17))), Side("B", cloud(MILLION))]
    turns = peer.replays(context, Settings(sides, context.out, name="million", mapping=Mapping(NN),
                                           coupling=Coupling(windows=3, back=True),
                                           launch=Launch(one_job=True)))
    results = turns.ours
    case, (limit, limit_bytes) = BOTH_WAYS, TARGET_MILLION
    peer_time, *peer_bytes = PEER_MILLION
    if turns.theirs:
        peer_time = phase(turns.theirs, "A", "initialize")
    time, busy = phase(results, "A", "initialize"), cpu(results, "A", "initialize")
    found = [Measurement(case, "initialize at A", "s", time, peer_time, turns.source),
             Measurement(case, "initialize at A, CPU", "s", busy),
             Measurement(case, "initialize at A beside the target", "s", time, limit, TARGET,
                         why="two searches of a million points each, on a machine that others use too")]
    for side, reference in zip("AB", peer_bytes, strict=True):
        for name, key in (("kept", "grown_mb"), ("at most", "peak_grown_mb")):
            grown = _of_a_vertex(results, side, key)
            if turns.theirs:
                reference = _of_a_vertex(turns.theirs, side, key)
            quantity = f"memory of a vertex of {side}, {name}"
            found.append(Measurement(case, quantity, "B", grown, reference, turns.source,
                                     why=MEMORY))
            found.append(Measurement(case, f"{quantity}, beside the target", "B", grown, limit_bytes, TARGET,
                                     why=MEMORY))
    return found


def _of_a_vertex(results: list[Result], side: str, key: str) -> Median:
    """Bytes by which the memory of a side grew in its initialization."""
    return phase(results, side, "initialize", key).times(2**20 / MILLION)
