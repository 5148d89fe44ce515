# SPDX-License-Identifier: BSD-3-Clause
"""Runs bench_discovery on simulated clusters: who must talk to whom, three ways, a quarter of the ranks
provides, counts per rank and simulated time."""

from __future__ import annotations

import csv
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from isthmus.bench.framework import Context
from isthmus.bench.simulated import QUICK
from isthmus.console import console, print_warning
from isthmus.replay.settings import INITIALIZATIONS

TREE = Path(__file__).resolve().parents[4]
PROGRAM = TREE / "build" / "smpi" / "bench" / "bench_discovery"
LIMIT = 600  # seconds of one run
SIZES = (64, 128, 256, 512, 1024, 2048, 4096, 8192, 12_288, 24_576)  # ranks
ONE_LEVEL_UP_TO = 512  # ranks: every one of them holds the whole mesh


@dataclass(frozen=True)
class Discovery:
    """Of one number of ranks; without the phase that only links the first ranks to their opposite numbers."""

    ranks: int
    sent: int  # messages, by the busiest rank
    sent_median: int
    received: int  # messages, by the busiest rank
    size: int  # bytes sent, by the busiest rank
    seconds: float  # simulated


def curves(context: Context) -> dict[str, list[Discovery]]:
    """By way of initialization, with growing numbers of ranks, as far as it runs."""
    if not PROGRAM.is_file():
        print_warning(f"no curves of simulated clusters: {PROGRAM} is not there; tools/build.sh smpi 2 "
                      "bench_discovery builds it")
        return {}
    found = {}
    for way in INITIALIZATIONS:
        largest = 24_576 if context.full else 4096
        if way == "one-level":
            largest = ONE_LEVEL_UP_TO
        sizes = [ranks for ranks in SIZES if ranks <= largest]
        found[way] = _curve(way, sizes)
    return found


def _curve(way: str, sizes: list[int]) -> list[Discovery]:
    curve = []
    for ranks in sizes:
        console.print(f"simulating {way} on {ranks:,} ranks", style="dim")
        rows = _run(ranks, way)
        if rows is None:
            console.print(f"{way} on {ranks:,} ranks does not end within {LIMIT} s here; the curve stops")
            break
        row = rows["discover"]
        curve.append(Discovery(ranks, int(row["sent_max"]), int(row["sent_median"]), int(row["received_max"]),
                               int(row["bytes_max"]), 1e-6 * float(row["microseconds"])))
    return curve


def _run(ranks: int, way: str) -> dict[str, dict[str, str]] | None:
    """Rows by phase; None if it took too long or too much memory."""
    command = ["timeout", str(LIMIT), str(TREE / "tools" / "smpirun.sh"), str(ranks), str(PROGRAM), "0.25",
               way]
    environment = os.environ | QUICK
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        return None
    return {row["phase"]: row for row in csv.DictReader(done.stdout.splitlines())}
