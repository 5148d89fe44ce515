# SPDX-License-Identifier: BSD-3-Clause
"""The replay that several benchmarks measure: family B to family A of a blade."""

from __future__ import annotations

import functools

from isthmus.bench.framework import Context
from isthmus.mesh import LEVELS, Surface, blade
from isthmus.mesh.blade import RATIO_A
from isthmus.replay import Result, Settings, Side


@functools.lru_cache(maxsize=4)
def surface(level: str, family: str) -> Surface:
    return blade(LEVELS[level] if family == "B" else round(RATIO_A * LEVELS[level]), family)


def replay_blade(context: Context, level: str, mapping: str, ranks: tuple[int, int] = (1, 1),
                 initialization: str | None = None, windows: int = 10) -> list[Result]:
    """B on ranks[0] sends to A on ranks[1]; one MPI job, so that both line up before each phase."""
    sides = [Side("A", surface(level, "A"), ranks[1]), Side("B", surface(level, "B"), ranks[0])]
    name = "-".join([level, mapping, f"{ranks[0]}+{ranks[1]}", initialization or "default"])
    return context.replays(Settings(sides, context.out, name=name, mapping=mapping, windows=windows,
                                    initialization=initialization, one_job=True))
