# SPDX-License-Identifier: BSD-3-Clause
"""Restart files: a row at a time, a block at a time, with one header, and one collective call for everything.

The counts are exact for the paper's grids (2,304 cells per block on average, 7 variables, 9 snapshots); the
times are of one snapshot, and of one variable on the larger grid (--full: all variables)."""

from __future__ import annotations

import csv
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from isthmus import programs
from isthmus.bench.framework import Context, Measurement
from isthmus.console import console

PAPER = "Jackson et al. 2018, doi 10.1016/j.compfluid.2018.03.007"
SAME_RUN = "the other way to write the same blocks, in the same run"
TARGET = "target of this project"
GRIDS = (800, 16_384)  # blocks
WAYS = {"gathered": "all through rank 0", "rows": "a row at a time", "blocks": "a block at a time",
        "restructured": "one header, no halos"}  # naive; the paper's original, optimised, restructured
OURS = {"collective": "one call per rank"}
# whole code over its original, %, at 400 processes with 800 blocks, at 8,192 with 16,384 blocks
GAINS = {"blocks": {800: 50.0, 16_384: 70.0}, "restructured": {800: 70.0, 16_384: 100.0}}
HELD_UP = 0.10  # of the synchronous time
RANKS = 2
LIMIT = 600  # seconds of one run
WHOLE_CODE = "theirs is of the whole code on 8,192 cores with Lustre, ours of the file alone on one node"
COPY = ("the copy runs at the speed of the memory, the disk of this machine at a fifth of that; "
        "values that are lent need no copy")
CACHE = ("one node has one cache, which joins small writes of others, and a collective call waits for the "
         "rank that other programs keep from its core; many nodes count calls")


@dataclass(frozen=True)
class Row:
    """What bench_files says about one way of writing."""

    calls: int
    bytes: int
    seconds: float


Rows = dict[tuple[str, str], Row]  # by what was done and the way


def measure(context: Context) -> list[Measurement]:
    folder = context.out / "files"
    folder.mkdir(parents=True, exist_ok=True)
    found: list[Measurement] = []
    grids: dict[int, Rows] = {}
    try:
        for blocks in GRIDS:
            variables = 7 if blocks == GRIDS[0] or context.full else 1
            grids[blocks] = (_run(folder, "count", blocks, 7, 9, 1)
                             | _run(folder, "write", blocks, variables, 1, context.repeat))
            found += counts(grids[blocks], blocks) + times(grids[blocks], blocks, folder)
        found += overlap(_run(folder, "overlap", GRIDS[0], 7, 1, context.repeat), GRIDS[0])
    finally:
        shutil.rmtree(folder)
    from isthmus.plot.files import files_picture  # takes a while

    files_picture((context.results or context.out) / "paper3-files.png", grids, WAYS | OURS)
    return found


def counts(rows: Rows, blocks: int) -> list[Measurement]:
    """Of one restart file of the paper's size."""
    ours = rows["count", "collective"]
    found = []
    for way, words in WAYS.items():
        other, case = rows["count", way], f"{blocks:,} blocks, {words}"
        found.append(Measurement(case, "write calls per restart file, all ranks", "", ours.calls, other.calls,
                                 SAME_RUN))
        found.append(Measurement(case, "bytes per restart file", "B", ours.bytes, other.bytes, SAME_RUN,
                                 tolerance=1e-3, why="checksums and an index"))
    return found


def times(rows: Rows, blocks: int, folder: Path) -> list[Measurement]:
    """Of one scaled file, by way."""
    found = []
    for way, words in WAYS.items():
        for what, quantity in (("disk", "onto the disk"), ("cache", "into the system's cache")):
            found.append(Measurement(f"{blocks:,} blocks, {words}", quantity, "s",
                                     rows[what, "collective"].seconds, rows[what, way].seconds, SAME_RUN,
                                     why=CACHE))
    original = rows["disk", "rows"].seconds
    for way, words in (WAYS | OURS).items():
        seconds = rows["disk", way].seconds
        gain = 100 * (original / seconds - 1)
        if way != "rows":
            paper = GAINS.get(way, {}).get(blocks)
            found.append(Measurement(f"{blocks:,} blocks, {words}", "gain over a row at a time", "%", gain,
                                     paper, PAPER if paper else "", more_is_better=True, why=WHOLE_CODE))
    ours = rows["disk", "collective"]
    plain = dd(folder / "dd.tmp", ours.bytes)
    found.append(Measurement(f"{blocks:,} blocks", "seconds of dd for the bytes of ours", "s", plain))
    for way, words in (WAYS | OURS).items():
        found.append(Measurement(f"{blocks:,} blocks, {words}", "throughput of values over dd's", "",
                                 plain / rows["disk", way].seconds,
                                 1.0 if way == "collective" else None,
                                 "dd conv=fsync, same bytes" if way == "collective" else "",
                                 more_is_better=True,
                                 why="dd copies nothing together and sums nothing up"))
    found.append(Measurement(f"{blocks:,} blocks", "read back from the cache", "s",
                             rows["read", "collective"].seconds))
    return found


def overlap(rows: Rows, blocks: int) -> list[Measurement]:
    """How long the solver waits for a file that is written in the background."""
    synchronous = rows["overlap", "synchronous"].seconds
    return [Measurement(f"{blocks:,} blocks, values {way}", "hold-up over the time of writing", "",
                        rows["overlap", way].seconds / synchronous, HELD_UP, TARGET,
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


def _run(folder: Path, mode: str, blocks: int, variables: int, snapshots: int, repeat: int) -> Rows:
    console.print(f"files of {blocks:,} blocks: {mode}", style="dim")
    command = [*programs.mpi_launcher(), "-n", str(RANKS), str(programs.find("bench_files")), mode,
               str(blocks), str(variables), str(snapshots), str(folder), str(repeat)]
    text = programs.output("bench_files", command, LIMIT, programs.mpi_environment())
    return {(row["what"], row["way"]): Row(int(row["calls"]), int(row["bytes"]), float(row["seconds"]))
            for row in csv.DictReader(text.splitlines())}
