# SPDX-License-Identifier: BSD-3-Clause
"""Files of a flow that are written while it is solved: how long they hold the solver up.

Density, velocity and pressure of all snapshots of 256 unequal blocks in harmonic balance, by the ways of
Jackson, Campobasso, Drofelnik 2018 (doi 10.1016/j.compfluid.2018.03.007), by one collective call per rank,
and in the background. Into the system's cache, on two ranks; times of the slowest one."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from isthmus import programs
from isthmus.bench.framework import Context
from isthmus.bench.kit.files import COPY, HELD_UP, INDEX, WAYS
from isthmus.bench.measurement import Measurement, Median
from isthmus.bench.reference import TARGET
from isthmus.bench.solvers.flow_blocks import LIMIT, UNEQUAL, case_text
from isthmus.console import console
from isthmus.errors import IsthmusError

RANKS = 2
OURS = {"collective": "one call per rank", "background": "threads in the background"}
HOLD_UP = "a file holds up the solver"
SHARED = "threads that write share the two cores with the solver"


def measure(context: Context) -> list[Measurement]:
    folder = context.out / "runs" / "flow_files"
    folder.mkdir(parents=True, exist_ok=True)
    return list(compare({way: _run(folder, way, 4 if context.full else 1) for way in WAYS | OURS}))


def compare(found: dict[str, tuple[Median, float]]) -> Iterator[Measurement]:
    """By way: seconds of a file, and of an iteration with its share of them."""
    best = min(WAYS, key=lambda way: found[way][0])
    for way, words in (WAYS | OURS).items():
        seconds, iteration = found[way]
        is_ours = way == "collective"
        yield Measurement(words, HOLD_UP, "s", seconds, found[best][0] if is_ours else None,
                          f"{WAYS[best]}, the best other way in the same run", why=INDEX)
        yield Measurement(words, "iteration with its share of files", "s", iteration, why=SHARED)
    held = found["background"][0] / found["collective"][0]
    yield Measurement(OURS["background"], "hold-up over the time of writing", "", held, HELD_UP, TARGET,
                      why=COPY)


def _run(folder: Path, way: str, harmonics: int) -> tuple[Median, float]:
    iterations = 60
    words: dict[str, object] = {"plot-every": 2, "plot-by": way}  # 30 files
    case = folder / "case.toml"
    case.write_text(case_text(UNEQUAL, harmonics, iterations, words, folder / "out"))
    console.print(f"flow with files by {way}", style="dim")
    command = [*programs.mpi_launcher(), "-n", str(RANKS), str(programs.find("isthmus-flow")), str(case)]
    text = programs.output("isthmus-flow", command, LIMIT, programs.mpi_environment())
    seconds = re.search(r"; ([0-9.]+) s per iteration", text)
    if seconds is None:
        raise IsthmusError("isthmus-flow is of another version: it says no time per iteration")
    with (folder / "out" / "files.csv").open(newline="") as file:
        held = Median.of(float(row["seconds"]) for row in csv.DictReader(file))
    for file_written in (folder / "out").glob("plot-*.blocks"):
        file_written.unlink()
    return held, float(seconds[1])
