# SPDX-License-Identifier: BSD-3-Clause
"""Cost of a mesh that changes, beside the first initialization.

Two participants, nearest-neighbor read both ways; one of them resets its mesh in every other window with 0,
1, 10 and 100 % of its vertices moved, in a corner or scattered. CPU time of the busiest rank (medians of
--repeat runs), messages and bytes of all ranks, each without those of a step. On simulated clusters messages
of all kinds, those among the ranks of a participant included."""

from __future__ import annotations

import csv
from collections.abc import Sequence

from isthmus import programs
from isthmus.bench import simulated
from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement, Median
from isthmus.bench.reference import TARGET
from isthmus.console import console

LIMIT = 120  # seconds of one run
RESETS = 3  # of a run
SHARE = 0.05  # of the first initialization, for 1 % of the vertices
LOCAL = "passes over all vertices stay: defining the mesh, comparing it with the last one, the fields"
FEW = ("a message and an answer for each pair of ranks that sees something of it; with few ranks the first "
       "initialization has few messages, too")
SIMULATED = (32, 128, 512)
OWN_GLOBALS = {"ISTHMUS_SIMULATED_SHARED": "0"}  # each rank counts its messages
PER_RANK = 1_000  # vertices of a simulated rank


def measure(context: Context) -> list[Measurement]:
    found = []
    sizes = [(2, 250_000), (4, 250_000)] + ([(2, 1_000_000)] if context.full else [])
    for ranks, vertices in sizes:
        console.print(f"measuring {vertices:,} vertices on {ranks} ranks", style="dim")
        command = [*programs.mpi_launcher(), "-n", str(ranks), str(programs.find("bench_remesh")),
                   str(vertices), str(RESETS)]
        outputs = [programs.output("bench_remesh", command, LIMIT, programs.mpi_environment())
                   for _ in range(context.repeat)]
        for rows in zip(*(csv.DictReader(output.splitlines()) for output in outputs), strict=True):
            found += compared(rows)
    for ranks in SIMULATED if context.full else SIMULATED[:2]:
        arguments = [str(PER_RANK * ranks), "1", "1"]
        for row in simulated.rows("bench_remesh", ranks, arguments, LIMIT, OWN_GLOBALS):
            number = counts(row)
            case = f"{row['case']}, {ranks} simulated ranks"
            for name, kind in (("messages", "between participants"), ("mpi", "of all kinds")):
                share = (number[f"reset_{name}"] - number[f"step_{name}"]) / number[f"first_{name}"]
                found.append(Measurement(case, f"messages {kind}, share of the first", "", share, SHARE,
                                         TARGET, why=FEW))
    return found


def counts(row: dict[str, str]) -> dict[str, float]:
    return {name: float(text) for name, text in row.items() if name != "case"}


def compared(rows: Sequence[dict[str, str]]) -> list[Measurement]:
    """A case in each run; what is counted is the same in all."""
    case = f"{rows[0]['case']}, {int(rows[0]['ranks'])} ranks, {int(rows[0]['vertices']):,} vertices"
    runs = [counts(row) for row in rows]
    why = {"CPU": LOCAL, "messages": FEW, "bytes": "what has moved, and data that travel again"}
    found = []
    for name, of in (("CPU", "cpu_s"), ("messages", "messages"), ("bytes", "bytes")):
        shares = [(run[f"reset_{of}"] - run[f"step_{of}"]) / run[f"first_{of}"] for run in runs]
        is_aimed = rows[0]["case"].startswith("1 %") and name != "bytes"
        found.append(Measurement(case, f"{name}, share of the first", "",
                                 Median.of(shares) if name == "CPU" else shares[0],
                                 *((SHARE, TARGET) if is_aimed else ()), why=why[name]))
    return [*found,
            *(Measurement(case, quantity, "s", Median.of(run[f"{of}_cpu_s"] for run in runs))
              for quantity, of in (("first initialization, CPU", "first"), ("reset and step, CPU", "reset")))]
