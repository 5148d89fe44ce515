# SPDX-License-Identifier: BSD-3-Clause
"""Time of advance for a single vertex: what a step costs when there is nothing to move.

One scalar, nearest neighbour, one rank each, serial-explicit and parallel-explicit."""

from __future__ import annotations

import numpy as np

from isthmus.bench.framework import Context, Measurement, phase
from isthmus.bench.reference import NN, PEER, PEER_LATENCY
from isthmus.mesh import Surface
from isthmus.replay import Settings, Side


def measure(context: Context) -> list[Measurement]:
    windows = 20_000 if context.full else 2_000
    vertex = Surface(np.zeros((1, 3)))
    found = []
    for scheme in ("serial-explicit", "parallel-explicit"):
        settings = Settings([Side("A", vertex), Side("B", vertex)], context.out, name=f"latency-{scheme}",
                            mapping=NN, windows=windows, scheme=scheme, vector=False, function="constant")
        results = context.replays(settings)
        reference = PEER_LATENCY if scheme == "serial-explicit" else None
        for side in ("A", "B"):
            advance = phase(results, side, "advance", "median")
            found.append(Measurement(scheme, f"advance at {side}", "s", advance, reference,
                                     PEER if reference else ""))
    return found
