# SPDX-License-Identifier: BSD-3-Clause
"""Restart files written in five ways: calls, bytes, times.

All through one rank, a row at a time, a block at a time, with one header (after Jackson, Campobasso,
Drofelnik 2018, doi 10.1016/j.compfluid.2018.03.007), and ours, one collective call for everything. The
counts are exact for the grids of Jackson et al. (2,304 cells per block on average, 7 variables, 9 snapshots);
the times are of one snapshot, and of one variable on the larger grid (--full: all variables)."""

from __future__ import annotations

import csv
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from isthmus import programs
from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement, Median
from isthmus.console import console

SAME_RUN = "the same blocks in the same run"
TARGET = "target of this project"
GRIDS = (800, 16_384)  # blocks
WAYS = {"gathered": "all through rank 0", "rows": "a row at a time", "blocks": "a block at a time",
        "restructured": "one header, no halos"}  # naive; of Jackson et al.: original, optimised, restructured
OURS = {"collective": "one call per rank"}
HELD_UP = 0.10  # of the synchronous time
RANKS = 2
CALLS, BYTES = "write calls per restart file, all ranks", "bytes per restart file"
LIMIT = 6000  # seconds of one run
PATIENCE = {800: 60, 16_384: 120}  # seconds that all runs of a way may take
INDEX = "an index of all blocks and a checksum of each: any number of ranks reads it, and damage is found"
COPY = ("the copy runs at the speed of the memory, the disk of this machine at a fifth of that; "
        "values that are lent need no copy")
CACHE = ("one node has one cache, which joins small writes of others, and a collective call waits for the "
         "rank that other programs keep from its core; many nodes count calls")


@dataclass(frozen=True)
class Row:
    """What bench_files says about one way of writing."""

    calls: int
    bytes: int
    seconds: Median  # or, for `share`, of the time of writing


Rows = dict[tuple[str, str], Row]  # by what was done and the way


def measure(context: Context) -> list[Measurement]:
    folder = context.out / "files"
    folder.mkdir(parents=True, exist_ok=True)
    found: list[Measurement] = []
    grids: dict[int, Rows] = {}
    try:
        for blocks in GRIDS:
            if not context.wants(*(f"{blocks:,} blocks, {words}" for words in (WAYS | OURS).values())):
                continue
            variables = 7 if blocks == GRIDS[0] or context.full else 1
            grids[blocks] = (_run(folder, "count", Flow(blocks, 7, 9), 1)
                             | _run(folder, "write", Flow(blocks, variables), context.repeat,
                                    PATIENCE[blocks]))
            found += counts(grids[blocks], blocks) + times(grids[blocks], blocks, folder)
        if context.wants(*(f"{GRIDS[0]:,} blocks, values {way}" for way in ("copied", "lent"))):
            found += overlap(_run(folder, "overlap", Flow(GRIDS[0], 7), context.repeat), GRIDS[0])
    finally:
        shutil.rmtree(folder)
    return found


def counts(rows: Rows, blocks: int) -> list[Measurement]:
    """Of one restart file as large as that of Jackson et al."""
    ours = rows["count", "collective"]
    best = min(WAYS, key=lambda way: rows["count", way].calls)
    found = []
    for way, words in WAYS.items():
        case = f"{blocks:,} blocks, {words}"
        found.append(Measurement(case, CALLS, "", rows["count", way].calls))
        found.append(Measurement(case, BYTES, "B", rows["count", way].bytes))
    case, least = f"{blocks:,} blocks, {OURS['collective']}", min(rows["count", way].bytes for way in WAYS)
    return [*found,
            Measurement(case, CALLS, "", ours.calls, rows["count", best].calls, _beside(best)),
            Measurement(case, BYTES, "B", ours.bytes, least, f"the smallest other; {SAME_RUN}",
                        tolerance=1e-3, why=INDEX)]


def _beside(way: str) -> str:
    return f"{WAYS[way]}, the best other way; {SAME_RUN}"


def times(rows: Rows, blocks: int, folder: Path) -> list[Measurement]:
    """Of one scaled file; ours stands beside the fastest other way."""
    found = []
    for what, quantity in (("disk", "onto the disk"), ("cache", "into the system's cache")):
        best = min(WAYS, key=lambda way: rows[what, way].seconds)
        for way, words in (WAYS | OURS).items():
            is_ours = way in OURS
            found.append(Measurement(f"{blocks:,} blocks, {words}", quantity, "s", rows[what, way].seconds,
                                     rows[what, best].seconds if is_ours else None,
                                     _beside(best) if is_ours else "", why=f"{INDEX}; {CACHE}"))
    ours = rows["disk", "collective"]
    plain = dd(folder / "dd.tmp", ours.bytes)
    return [*found,
            Measurement(f"{blocks:,} blocks, {OURS['collective']}", "onto the disk, beside dd", "s",
                        ours.seconds, plain, "dd conv=fsync, same bytes, best of three, in the same run",
                        why="dd copies nothing together and sums nothing up"),
            Measurement(f"{blocks:,} blocks", "read back from the cache", "s",
                        rows["read", "collective"].seconds)]


def overlap(rows: Rows, blocks: int) -> list[Measurement]:
    """How long the solver waits for a file that is written in the background."""
    return [Measurement(f"{blocks:,} blocks, values {way}", "hold-up over the time of writing", "",
                        rows["share", way].seconds, HELD_UP, TARGET,
                        why=COPY if way == "copied" else "") for way in ("copied", "lent")]


def dd(path: Path, size: int) -> float:
    """Seconds of dd for a file of that size, onto the disk; the best of three."""
    best = float("inf")
    for _ in range(3):
        begin = time.perf_counter()
        command = ["dd", "if=/dev/zero", f"of={path}", "bs=1M", f"count={-(-size // 2**20)}", "conv=fsync"]
        subprocess.run(command, check=True, capture_output=True, timeout=LIMIT)
        best = min(best, time.perf_counter() - begin)
        path.unlink()
    return best


class Flow(NamedTuple):
    """What is in a file."""

    blocks: int
    variables: int
    snapshots: int = 1


def _run(folder: Path, mode: str, flow: Flow, repeat: int, patience: int = 5) -> Rows:
    console.print(f"files of {flow.blocks:,} blocks: {mode}", style="dim")
    command = [*programs.mpi_launcher(), "-n", str(RANKS), str(programs.find("bench_files")), mode,
               *map(str, flow), str(folder), str(repeat), str(patience)]
    text = programs.output("bench_files", command, LIMIT, programs.mpi_environment())
    return {(row["what"], row["way"]): Row(int(row["calls"]), int(row["bytes"]), _median(row))
            for row in csv.DictReader(text.splitlines())}


def _median(row: dict[str, str]) -> Median:
    """As the program tells it."""
    found = Median(row["seconds"])
    found.low, found.high, found.runs = float(row["low"]), float(row["high"]), int(row["runs"])
    return found
