# SPDX-License-Identifier: BSD-3-Clause
"""Runs bench_krylov on simulated clusters: simulated time per iteration of each method."""

from __future__ import annotations

import csv
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from isthmus.console import console, print_warning

TREE = Path(__file__).resolve().parents[3]
PROGRAM = TREE / "build" / "smpi" / "bench" / "bench_krylov"
PLATFORM = "--cores 1 --latency 1500"  # a reduction over 1,024 ranks takes 55 us
ITERATIONS = 8


@dataclass(frozen=True)
class Iterations:
    """Of one method on one number of ranks."""

    ranks: int
    work: float  # of an iteration of plain conjugate gradients, microseconds
    method: str
    ran: str  # what automatic chose
    seconds: float  # simulated, of one iteration
    messages: float  # of one iteration, by one rank, for reductions
    polls: float  # of one iteration


def simulate(ranks: int, work: float, methods: tuple[str, ...], limit: int) -> list[Iterations]:
    """As many methods as end within the limit in seconds."""
    if not PROGRAM.is_file():
        print_warning(f"no simulated clusters: {PROGRAM} is not there; tools/build.sh smpi 2 bench_krylov "
                      "builds it")
        return []
    found = []
    for method in methods:
        console.print(f"simulating {method} on {ranks:,} ranks, {work:g} us of work", style="dim")
        command = ["timeout", str(limit), str(TREE / "tools" / "smpirun.sh"), str(ranks), str(PROGRAM),
                   str(work), str(ITERATIONS), method]
        environment = os.environ | {"ISTHMUS_SIMULATED_SHARED": "1", "ISTHMUS_SIMULATED_RENDEZVOUS": "1",
                                    "ISTHMUS_SIMULATED_PLATFORM": PLATFORM}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        if done.returncode != 0:
            print_warning(f"{method} on {ranks:,} ranks does not end within {limit} s here")
            continue
        for row in csv.DictReader(done.stdout.splitlines()):
            found.append(Iterations(ranks, work, method, row["ran"], 1e-6 * float(row["microseconds"]),
                                    float(row["messages"]), float(row["polls"])))
    return found
