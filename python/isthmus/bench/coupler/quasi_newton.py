# SPDX-License-Identifier: BSD-3-Clause
"""One quasi-Newton iteration: time, reductions and allocations.

100,000 values, 7 and 20 columns, on one and two ranks, beside Gram-Schmidt done twice, a reduction per
column, and beside reading the columns once, all in the same run; one advance() of a coupled run with as many
columns, beside the peer where it is installed; then what its reductions take on simulated clusters, where
computing takes no time."""

from __future__ import annotations

import csv
from pathlib import Path

from isthmus import programs
from isthmus.bench.coupler import peer
from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement, Median
from isthmus.bench.reference import PEER_QUASI_NEWTON, TARGET
from isthmus.console import console, print_warning

VALUES = 100_000
COLUMNS = (7, 20)
TREE = Path(__file__).resolve().parents[4]
SIMULATED = TREE / "build" / "smpi" / "bench" / "bench_quasi_newton"
LIMIT = 55  # seconds of one run
GRAM_SCHMIDT = "Gram-Schmidt with re-orthogonalization, column by column, in the same run"
FLOOR = "reading the columns and adding in double precision, in the same run"
Rows = dict[tuple[str, int], list[dict[str, str]]]  # by method and columns: one for each repetition


def measure(context: Context) -> list[Measurement]:
    found = []
    for ranks in (1, 2):
        if not context.wants(*(_case(columns, ranks) for columns in COLUMNS)):
            continue
        console.print(f"measuring {VALUES:,} values on {ranks} ranks", style="dim")
        launch = [] if ranks == 1 else [*programs.mpi_launcher(), "-n", str(ranks)]
        command = [*launch, str(programs.find("bench_quasi_newton")), str(VALUES), str(30 * context.repeat)]
        found += compared(_rows(command, programs.mpi_environment()), ranks)
    return found + advances(context) + simulated(context)


def advances(context: Context) -> list[Measurement]:
    """Whole calls with two data and their measures, on two ranks; what a library calls of MPI is counted."""
    found = []
    for columns in COLUMNS:
        case, quoted = f"{_case(columns, 2)}, drop-in", PEER_QUASI_NEWTON.get((columns, 2))
        if not context.wants(case):
            continue
        console.print(f"measuring advance with {columns} columns", style="dim")
        launch = [*programs.mpi_launcher(), "-n", "4"]
        runs = peer.printed(context, "peer_reductions", [VALUES, columns], launch)
        theirs = int(runs.theirs[-1][0]["reductions"]) if runs.theirs else quoted
        found += [
            Measurement(case, "reductions of an advance", "", int(runs.ours[-1][0]["reductions"]),
                        theirs or None, runs.source),  # a peer may reduce without MPI
            Measurement(case, "advance", "s", peer.median(runs.ours, "advance_us"),
                        peer.median(runs.theirs, "advance_us") if runs.theirs else None, runs.source),
        ]
    return found


def compared(rows: Rows, ranks: int) -> list[Measurement]:
    found = []
    for columns in sorted({columns for _, columns in rows}):
        case = _case(columns, ranks)
        ours, others = rows["ours", columns], rows["gram-schmidt", columns]
        floor = rows["floor", columns]
        found += [
            Measurement(case, "reductions", "", _count(ours, "reductions"), _count(others, "reductions"),
                        GRAM_SCHMIDT),
            Measurement(case, "iteration", "s", _time(ours), _time(others), GRAM_SCHMIDT),
            Measurement(case, "iteration beside the floor", "s", _time(ours), _time(floor), FLOOR,
                        why="sums with twice the digits take ten times the operations; the more the columns "
                            "exceed the cache, the more of them the memory hides"),
            Measurement(case, "heap allocations", "", _count(ours, "allocations"), 0, TARGET,
                        why="the buffers that MPI may keep when another rank fails"),
        ]
    return found


def simulated(context: Context) -> list[Measurement]:
    if not SIMULATED.is_file():
        print_warning(f"no simulated clusters: {SIMULATED} is not there; tools/build.sh smpi 2 "
                      "bench_quasi_newton builds it")
        return []
    found = []
    for ranks in (64, 512, 4096) if context.full else (64, 512):
        if not context.wants(*(_case(columns, ranks) for columns in COLUMNS)):
            continue
        console.print(f"simulating {ranks:,} ranks", style="dim")
        command = [str(TREE / "tools" / "smpirun.sh"), str(ranks), str(SIMULATED), str(VALUES), "1"]
        rows = _rows(command, {"ISTHMUS_SIMULATED_SHARED": "1"})
        for columns in sorted({columns for _, columns in rows}):
            found.append(Measurement(_case(columns, ranks), "simulated latency", "s",
                                     _time(rows["ours", columns]), _time(rows["gram-schmidt", columns]),
                                     GRAM_SCHMIDT))
    return found


def _case(columns: int, ranks: int) -> str:
    return f"{columns} columns, {ranks:,} rank{'s'[:ranks > 1]}"


def _rows(command: list[str], variables: dict[str, str]) -> Rows:
    text = programs.output("bench_quasi_newton", command, LIMIT, variables)
    found: Rows = {}
    for row in csv.DictReader(text.splitlines()):
        found.setdefault((row["method"], int(row["columns"])), []).append(row)
    return found


def _time(rows: list[dict[str, str]]) -> Median:
    return Median.of(1e-6 * float(row["iteration_us"]) for row in rows)


def _count(rows: list[dict[str, str]], column: str) -> int:
    return int(rows[-1][column])
