# SPDX-License-Identifier: BSD-3-Clause
"""Initialization, memory and error of the mappings on one rank each.

Blades M1 and M2 (--full: to M6), nearest neighbour and nearest projection, family B to family A."""

from __future__ import annotations

from isthmus.bench.blades import replay_blade
from isthmus.bench.framework import Context, Measurement, phase
from isthmus.bench.reference import NN, NP, PEER, PEER_BLADE


def measure(context: Context) -> list[Measurement]:
    levels = ("M1", "M2", "M3", "M4", "M5", "M6") if context.full else ("M1", "M2")
    found = []
    for level in levels:
        for mapping in (NN, NP):
            results, peer = replay_blade(context, level, mapping), PEER_BLADE[level, mapping]
            case, error = f"{level} {mapping}", results[-1].sides["A"].errors["S"]
            found.append(Measurement(case, "initialize at A", "s", phase(results, "A", "initialize"),
                                     peer.initialize, PEER))
            for side, memory in (("A", peer.memory_a), ("B", peer.memory_b)):
                peaks = [result.sides[side].report.get("peak_memory_mb") for result in results]
                if None not in peaks:
                    found.append(Measurement(case, f"peak memory of {side}", "MB", min(peaks), memory, PEER))
            found.append(Measurement(case, "l2 error (root mean square)", "", error.l2, peer.l2, PEER))
            found.append(Measurement(case, "largest error", "", error.max, peer.max, PEER))
    return found
