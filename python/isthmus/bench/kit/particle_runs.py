# SPDX-License-Identifier: BSD-3-Clause
"""Runs bench_particles: a collapsing column of water, who would send how many particles to whom on more and
more ranks, and the exchange of them, in several ways, on simulated clusters."""

from __future__ import annotations

import csv
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from isthmus import programs
from isthmus.bench.framework import Context
from isthmus.bench.measurement import Median
from isthmus.console import console, print_warning

TREE = Path(__file__).resolve().parents[4]
SIMULATED = TREE / "build" / "smpi" / "bench" / "bench_particles"
RECORD_LIMIT = 300  # seconds
LIMIT = 600


@dataclass(frozen=True)
class Exchange:
    """Of one way on one number of ranks, over the steps in which the bricks stay."""

    seconds: Median  # simulated, over the steps, of the slowest rank
    divided: float | None  # median over the steps that begin with new bricks
    sent: int  # messages by the busiest rank, in the median step
    sent_sum: int
    partners_sum: int
    bytes_sum: int


def record(context: Context, across: int, steps: int, ranks: list[int]) -> None:
    """Writes the patterns for numbers of ranks; `across`: particles across the column."""
    context.out.mkdir(parents=True, exist_ok=True)
    console.print(f"recording a flow of {across} particles across, {steps} steps", style="dim")
    _run([str(programs.find("bench_particles")), "record", str(context.out), str(across), str(steps),
          *map(str, ranks)], RECORD_LIMIT)


def flow(ranks: int, across: int, steps: int) -> str:
    """Number, fingerprint and front of the particles after some steps on ranks of this machine."""
    program = [str(programs.find("bench_particles")), "flow", str(across), str(steps)]
    job = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)] if ranks > 1 else []
    return _run(job + program, RECORD_LIMIT).splitlines()[-1].rsplit(",", 1)[0]


def front(across: int) -> list[tuple[float, float]]:
    """Time and place of the front, in square roots of width over gravity, and in widths."""
    lines = _run([str(programs.find("bench_particles")), "front", str(across)], RECORD_LIMIT).splitlines()
    return [(float(time), float(place)) for time, place in (line.split(",") for line in lines)]


def replay(context: Context, ranks: int, steps: int, ways: list[str],
           cores: int = 48) -> dict[str, Exchange]:
    """By way, as recorded; nothing where the simulator is not there or takes too long."""
    pattern = str((context.out / f"pattern-{ranks}").resolve())
    return _simulate(ranks, [pattern, str(steps), *ways], {"ISTHMUS_SIMULATED_CORES": str(cores)})


def around(ranks: int, steps: int, ways: list[str]) -> dict[str, Exchange]:
    """By way: 1 to 8 particles to each of 8 ranks, every rank on a node of its own, one switch."""
    return _simulate(ranks, ["around", str(steps), *ways],
                     {"ISTHMUS_SIMULATED_CORES": "1", "ISTHMUS_SIMULATED_PLATFORM": "--flat"})


def _simulate(ranks: int, arguments: list[str], settings: dict[str, str]) -> dict[str, Exchange]:
    if not SIMULATED.is_file():
        print_warning(f"no simulated clusters: {SIMULATED} is not there; tools/build.sh smpi 2 "
                      "bench_particles builds it")
        return {}
    console.print(f"simulating {ranks:,} ranks, {settings['ISTHMUS_SIMULATED_CORES']} on a node", style="dim")
    environment = os.environ | {"ISTHMUS_SIMULATED_SHARED": "1"} | settings
    if ranks > 512:
        environment["ISTHMUS_SIMULATED_RENDEZVOUS"] = "1"
    command = [str(TREE / "tools" / "smpirun.sh"), str(ranks), str(SIMULATED), "replay", *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True,
                              timeout=LIMIT)
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
        print_warning(f"{ranks:,} simulated ranks do not end here: {error}")
        return {}
    return exchanges(done.stdout)


def exchanges(text: str) -> dict[str, Exchange]:
    """From the lines of bench_particles replay. The first step is none: partners are told in it."""
    rows: dict[str, list[dict[str, str]]] = {}
    for row in csv.DictReader(text.splitlines()):
        if int(row["step"]) > 0:
            rows.setdefault(row["way"], []).append(row)
    return {way: _exchange(steps) for way, steps in rows.items()}


def _exchange(rows: list[dict[str, str]]) -> Exchange:
    calm = [row for row in rows if row["divided"] == "0"]
    times = [1e-6 * float(row["microseconds"]) for row in calm]
    divided = [1e-6 * float(row["microseconds"]) for row in rows if row["divided"] == "1"]

    def middle(column: str) -> int:
        return round(median(int(row[column]) for row in calm))

    return Exchange(Median.of(times), median(divided) if divided else None, middle("messages_max"),
                    middle("messages_sum"), middle("partners_sum"), middle("bytes_sum"))


def _run(command: list[str], limit: float) -> str:
    return programs.output("bench_particles", command, limit, {
        "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_mpi_yield_when_idle": "1"})
