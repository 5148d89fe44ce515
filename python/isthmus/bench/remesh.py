# SPDX-License-Identifier: BSD-3-Clause
"""Cost of a mesh that changes, beside the first initialization.

Two participants, nearest-neighbor read both ways; one of them resets its mesh in every other window with 0,
1, 10 and 100 % of its vertices moved, in a corner or scattered. CPU time of the busiest rank, messages and
bytes of all ranks, each without those of a step."""

from __future__ import annotations

import csv

from isthmus import programs
from isthmus.bench.framework import Context, Measurement
from isthmus.bench.reference import TARGET
from isthmus.console import console

LIMIT = 120  # seconds of one run
SHARE = 0.05  # of the first initialization, for 1 % of the vertices
LOCAL = ("the passes over all vertices stay: comparing with the last mesh, lists of the plan, the fields; "
         "a notice, and the data that crossed it")
NOTICE = "every pair of ranks sends a notice, what has changed, and the differences of the plans"


def measure(context: Context) -> list[Measurement]:
    found = []
    sizes = [(2, 250_000), (4, 250_000)] + ([(2, 1_000_000)] if context.full else [])
    for ranks, vertices in sizes:
        console.print(f"measuring {vertices:,} vertices on {ranks} ranks", style="dim")
        command = [*programs.mpi_launcher(), "-n", str(ranks), str(programs.find("bench_remesh")),
                   str(vertices), str(context.repeat)]
        output = programs.output("bench_remesh", command, LIMIT, programs.mpi_environment())
        for row in csv.DictReader(output.splitlines()):
            found += compared(row)
    return found


def compared(row: dict[str, str]) -> list[Measurement]:
    case = f"{row['case']}, {int(row['ranks'])} ranks, {int(row['vertices']):,} vertices"
    number = {name: float(text) for name, text in row.items() if name != "case"}
    shares = {
        "CPU": (number["reset_cpu_s"] - number["step_cpu_s"]) / number["first_cpu_s"],
        "messages": (number["reset_messages"] - number["step_messages"]) / number["first_messages"],
        "bytes": (number["reset_bytes"] - number["step_bytes"]) / number["first_bytes"],
    }
    why = {"CPU": LOCAL, "messages": NOTICE, "bytes": "data that were sent before the notice go again"}
    is_aim = {name: row["case"].startswith("1 %") and name != "bytes" for name in shares}
    aims = {name: (SHARE, TARGET) if aimed else (None, "") for name, aimed in is_aim.items()}
    found = [Measurement(case, f"{name}, share of the first", "", share, *aims[name], why=why[name])
             for name, share in shares.items()]
    return [*found, Measurement(case, "first initialization, CPU", "s", number["first_cpu_s"]),
            Measurement(case, "reset and step, CPU", "s", number["reset_cpu_s"])]
