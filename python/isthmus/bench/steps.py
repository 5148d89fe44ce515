# SPDX-License-Identifier: BSD-3-Clause
"""Runs bench_step: advance() between two processes beside the raw transport."""

from __future__ import annotations

import csv
import functools
from dataclasses import dataclass

from isthmus import programs
from isthmus.bench.framework import Context
from isthmus.console import console

TRANSPORTS = ("tcp", "shm")
LIMIT = 300  # seconds of one run


@dataclass(frozen=True)
class Step:
    """The best of all runs. Times in seconds."""

    raw: float  # round trip of the same bytes without the library
    advance: float
    median: float
    window: float  # advance, write and read
    allocations: int


@functools.lru_cache
def steps(context: Context, smallest: int, largest: int) -> dict[tuple[str, str, int], Step]:
    """By transport, case (ping-pong, one-way, two-way) and number of vertices in powers of ten."""
    found: dict[tuple[str, str, int], Step] = {}
    for transport in TRANSPORTS:
        for run in range(context.repeat):
            console.print(f"measuring steps over {transport}, {run + 1} of {context.repeat}", style="dim")
            for row in csv.DictReader(_output(transport, smallest, largest).splitlines()):
                key = (transport, row["case"], int(row["vertices"]))
                new = Step(*(1e-6 * float(row[name]) for name in
                             ("raw_us", "advance_us", "advance_median_us", "window_us")),
                           int(row["allocations"]))
                found[key] = _better(found.get(key), new)
    return found


def _output(transport: str, smallest: int, largest: int) -> str:
    command = [str(programs.find("bench_step")), transport, str(smallest), str(largest)]
    return programs.output("bench_step", command, LIMIT)


def _better(old: Step | None, new: Step) -> Step:
    if old is None:
        return new
    return Step(min(old.raw, new.raw), min(old.advance, new.advance), min(old.median, new.median),
                min(old.window, new.window), min(old.allocations, new.allocations))
