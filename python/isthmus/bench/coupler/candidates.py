# SPDX-License-Identifier: BSD-3-Clause
"""Nearest projection by preCICE's candidates beside the closest place of the mesh.

Blades, family B to family A: initialization on one rank each, and messages and bytes of all ranks of M1 on
2+6, where A looks for its places on the mesh of B and where vertices of B look for theirs on that of A."""

from __future__ import annotations

from dataclasses import replace

from isthmus.bench.coupler.blades import by_turns, surface
from isthmus.bench.framework import Context, counter, cpu, phase
from isthmus.bench.measurement import Measurement
from isthmus.replay import Coupling, Launch, Mapping, Result, Settings, Side

WAYS = {"candidates": "", "closest": 'search="closest"'}
SOURCE = 'search="closest", by turns in the same run'
TREES = "edges and vertices have candidates of their own where a point falls on no triangle"
NAMES = "candidates of vertices that several ranks have in reach travel, and 1 byte of every vertex"
SEARCHED = {"consistent": "on the mesh of B", "conservative": "on the mesh of A"}


def measure(context: Context) -> list[Measurement]:
    found = []
    for level in ("M1", "M2", "M3", "M4"):
        if not context.wants(f"{level} 1+1"):
            continue
        results = _by_turns(context, level, (1, 1), "consistent")
        for quantity, of in (("initialize at A", phase), ("initialize at A, CPU", cpu)):
            ours, closest = (of(results[way], "A", "initialize") for way in WAYS)
            found.append(Measurement(f"{level} 1+1", quantity, "s", ours, closest, SOURCE, why=TREES))
    for constraint, searched in SEARCHED.items():
        case = f"M1 2+6, places {searched}"
        if not context.wants(case):
            continue
        results = _by_turns(replace(context, repeat=1), "M1", (2, 6), constraint)
        for name, unit, words in (("messages_sent", "", "messages"), ("bytes_sent", "B", "bytes")):
            ours, closest = (_sum(results[way], name) for way in WAYS)
            found.append(Measurement(case, f"{words} of all ranks", unit, ours, closest, SOURCE, why=NAMES))
    return found


def _by_turns(context: Context, level: str, ranks: tuple[int, int],
              constraint: str) -> dict[str, list[Result]]:
    """B on ranks[0], A on ranks[1]; one window, so that most of what travels is of the initialization."""
    sides = [Side("A", surface(level, "A"), ranks[1]), Side("B", surface(level, "B"), ranks[0])]
    candidates, closest = (Settings(sides, context.out, name=f"{level}-{way}-{constraint}",
                                    mapping=Mapping(constraint=constraint, options=options),
                                    coupling=Coupling(vector=False), launch=Launch(one_job=True))
                           for way, options in WAYS.items())
    return dict(zip(WAYS, by_turns(context, candidates, closest), strict=True))


def _sum(results: list[Result], name: str) -> float:
    counts = [counter(results, side, name, "sum") for side in "AB"]
    return sum(count for count in counts if count is not None)
