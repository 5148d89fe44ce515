# SPDX-License-Identifier: BSD-3-Clause
"""Messages, bytes and simulated time until the partners of all ranks are found, three ways.

On simulated clusters up to 4,096 ranks (--full: 24,576), a quarter of them provides, as far as a run ends in
ten minutes; one-level, where every rank holds the whole mesh, up to 512. It is the discovery of partners
alone (one-level moves the mesh meanwhile): whole initializations are in `initialization`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from isthmus.bench import reference
from isthmus.bench.framework import Context
from isthmus.bench.kit.discovery_runs import Discovery, curves
from isthmus.bench.measurement import Measurement, of_kind
from isthmus.bench.reference import TARGET

TARGET_RANKS = 4096
OURS, TIME = "rendezvous", "simulated time to find partners"


def measure(context: Context) -> list[Measurement]:
    return of_kind("simulated", simulated(curves(context)))


def simulated(found: dict[str, list[Discovery]]) -> Iterator[Measurement]:
    """Counts and simulated time of finding partners; the table shows the last point of each curve."""
    for way, curve in found.items():
        for point in curve:
            others = [(p.seconds, name) for name, c in found.items() if name != OURS for p in c
                      if p.ranks == point.ranks]
            for measurement in _of_point(way, point, min(others, default=None) if way == OURS else None):
                yield replace(measurement, shown=point is curve[-1])


def _of_point(way: str, point: Discovery, best: tuple[float, str] | None) -> Iterator[Measurement]:
    case = f"{way}, {point.ranks:,} simulated ranks"
    is_aim = way == OURS and point.ranks == TARGET_RANKS
    sent, source = (reference.TARGET_SENT, TARGET) if is_aim else (None, "")
    yield Measurement(case, "messages sent by the busiest rank", "", point.sent, sent, source)
    yield Measurement(case, "messages received by the busiest rank", "", point.received, sent, source)
    yield Measurement(case, "bytes sent by the busiest rank", "B", point.size)
    yield Measurement(case, TIME, "s", point.seconds, best and best[0],
                      f"{best[1]}, the faster other way, in the same run" if best else "")
    if way == OURS:
        yield Measurement(case, "busiest over median rank, messages", "",
                          point.sent / max(1, point.sent_median), 4, TARGET)
