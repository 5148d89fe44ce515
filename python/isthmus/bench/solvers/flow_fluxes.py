# SPDX-License-Identifier: BSD-3-Clause
"""Fluxes of the flow solver beside the bandwidth of the same core.

Per cell and evaluation, in a plane and in space: the time, beside what the bytes that must be read and
written at least (each array once, as STREAM counts) take at the bandwidth of STREAM's triad, which is
measured between the evaluations, on the same core under the same load. A block that caches hold says what of
it is memory. Where valgrind is installed, also instructions per cell, and misses of a simulated cache."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass

from isthmus import programs
from isthmus.bench.framework import Context
from isthmus.bench.kit.interface_runs import cachegrind
from isthmus.bench.measurement import Measurement, Median
from isthmus.bench.reference import TARGET
from isthmus.console import console

LIMIT = 600  # seconds
COUNTED = {"plane, in caches": 6144, "space, in caches": 8192}  # flow: its cells
SHARE = "share of what the bandwidth allows"
WHY = "arithmetic limits it: a block that caches hold takes as long"


@dataclass(frozen=True)
class Line:
    """What the program says of one flow."""

    case: str
    bytes_per_cell: int
    time: Median  # ns per cell
    bandwidth: Median  # GB/s


def measure(context: Context) -> list[Measurement]:
    repeat = max(context.repeat, 30)
    console.print("fluxes of the flow solver", style="dim")
    text = programs.output("bench_fluxes", [str(programs.find("bench_fluxes")), str(repeat)], LIMIT,
                           programs.mpi_environment())
    return [*figures(lines_of(text, repeat)), *counted()]


def counted() -> Iterator[Measurement]:
    """Of flows that caches hold: the difference of runs that evaluate them once and five times."""
    for name, cells in COUNTED.items() if shutil.which("valgrind") else ():
        few, many = (cachegrind("bench_fluxes", [str(calls), name]) for calls in (1, 5))
        instructions, misses, _ = ((b - a) / 4 / cells for a, b in zip(few, many, strict=True))
        case = f"fluxes, {name}, {cells:,} cells"
        yield Measurement(case, "instructions per cell", "", instructions, kind="counted")
        yield Measurement(case, "misses of a first cache of 32 KiB per cell", "", misses, kind="simulated")


def lines_of(text: str, repeat: int) -> Iterator[Line]:
    for line in text.splitlines():
        *words, cells, size, t0, t, t1, b0, b, b1 = line.split(",")
        yield Line(f"{','.join(words)}, {int(cells):,} cells", int(size), _median(t0, t, t1, repeat),
                   _median(b0, b, b1, repeat))


def figures(lines: Iterator[Line]) -> Iterator[Measurement]:
    for line in lines:
        case = f"fluxes, {line.case}"
        yield Measurement(case, "time per cell", "s", line.time.times(1e-9))
        yield Measurement(case, "bytes per cell, at least", "B", line.bytes_per_cell)
        yield Measurement(case, "triad on the same core", "GB/s", line.bandwidth, more_is_better=True)
        if "in caches" not in line.case:
            share = line.bytes_per_cell / line.bandwidth / line.time
            yield Measurement(case, SHARE, "", share, 0.5, TARGET, more_is_better=True, why=WHY)


def _median(low: str, middle: str, high: str, runs: int) -> Median:
    found = Median(float(middle))
    found.low, found.high, found.runs = float(low), float(high), runs
    return found
