# SPDX-License-Identifier: BSD-3-Clause
"""Runs bench_step: advance() between two processes beside the raw transport."""

from __future__ import annotations

import csv
import functools
from dataclasses import dataclass

from isthmus import programs
from isthmus.bench.framework import Context
from isthmus.bench.measurement import Median
from isthmus.console import console

TRANSPORTS = ("tcp", "shm")
LIMIT = 300  # seconds of one run


@dataclass(frozen=True)
class Step:
    """Of all runs. Times in seconds."""

    raw: float  # round trip of the same bytes without the library, best
    advance: float  # best
    median: Median  # over the runs, of the medians of their steps
    over_raw: Median  # likewise, each over the median of the raw round trips of its run
    window: float  # advance, write and read, best
    allocations: int


@functools.lru_cache
def steps(context: Context, smallest: int, largest: int) -> dict[tuple[str, str, int], Step]:
    """By transport, case (ping-pong, one-way, two-way) and number of vertices in powers of ten."""
    found: dict[tuple[str, str, int], list[dict[str, str]]] = {}
    for transport in TRANSPORTS:
        for run in range(context.repeat):
            console.print(f"measuring steps over {transport}, {run + 1} of {context.repeat}", style="dim")
            for row in csv.DictReader(_output(transport, smallest, largest).splitlines()):
                key = (transport, row["case"], int(row["vertices"]))
                found.setdefault(key, []).append(row)
    return {key: _step(rows) for key, rows in found.items()}


def _output(transport: str, smallest: int, largest: int) -> str:
    command = [str(programs.find("bench_step")), transport, str(smallest), str(largest)]
    return programs.output("bench_step", command, LIMIT)


def _step(rows: list[dict[str, str]]) -> Step:
    def times(name: str) -> list[float]:
        return [1e-6 * float(row[name]) for row in rows]

    medians = times("advance_median_us")
    over_raw = Median.of(step / raw for step, raw in zip(medians, times("raw_median_us"), strict=True))
    return Step(min(times("raw_us")), min(times("advance_us")), Median.of(medians), over_raw,
                min(times("window_us")), min(int(row["allocations"]) for row in rows))
