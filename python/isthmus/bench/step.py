# SPDX-License-Identifier: BSD-3-Clause
"""Time of one step, advance and read, on one rank each.

Scalar and vector, parallel-explicit: blades M1 and M4 (--full: M1 to M6)."""

from __future__ import annotations

from isthmus.bench.blades import replay_blade
from isthmus.bench.framework import Context, Measurement, counter, phase
from isthmus.bench.reference import NN, NP, PEER, PEER_BLADE

WINDOWS = 50


def measure(context: Context) -> list[Measurement]:
    levels = ("M1", "M2", "M3", "M4", "M5", "M6") if context.full else ("M1", "M4")
    found = []
    for level in levels:
        for mapping in (NN, NP):
            results, peer = replay_blade(context, level, mapping, windows=WINDOWS), PEER_BLADE[level, mapping]
            case = f"{level} {mapping}"
            found.append(Measurement(case, "advance at A", "s", phase(results, "A", "advance", "median"),
                                     peer.advance, PEER))
            if "read" in results[-1].sides["A"].report["phases"]:
                found.append(Measurement(case, "read at A", "s", phase(results, "A", "read", "median"),
                                         peer.read, PEER))
            for name, unit in (("messages_sent", ""), ("bytes_sent", "B")):
                count = counter(results, "B", name)
                if count is not None:
                    found.append(Measurement(case, f"{name.replace('_', ' ')} by B, whole run", unit, count))
    return found
