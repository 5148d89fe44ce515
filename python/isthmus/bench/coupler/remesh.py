# SPDX-License-Identifier: BSD-3-Clause
"""Cost of a mesh that changes, beside the first initialization.

Two participants, nearest-neighbor read both ways; one of them resets its mesh in every other window with 0,
1, 10 and 100 % of its vertices moved, in a corner or scattered. CPU time of the busiest rank, messages and
bytes of all ranks, each without those of a step. On simulated clusters messages of all kinds, those among the
ranks of a participant included."""

from __future__ import annotations

import csv

from isthmus import programs
from isthmus.bench import simulated
from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement
from isthmus.bench.reference import TARGET
from isthmus.console import console

LIMIT = 120  # seconds of one run
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
                   str(vertices), str(context.repeat)]
        output = programs.output("bench_remesh", command, LIMIT, programs.mpi_environment())
        for row in csv.DictReader(output.splitlines()):
            found += compared(row)
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


def compared(row: dict[str, str]) -> list[Measurement]:
    case = f"{row['case']}, {int(row['ranks'])} ranks, {int(row['vertices']):,} vertices"
    number = counts(row)
    shares = {
        "CPU": (number["reset_cpu_s"] - number["step_cpu_s"]) / number["first_cpu_s"],
        "messages": (number["reset_messages"] - number["step_messages"]) / number["first_messages"],
        "bytes": (number["reset_bytes"] - number["step_bytes"]) / number["first_bytes"],
    }
    why = {"CPU": LOCAL, "messages": FEW, "bytes": "what has moved, and data that travel again"}
    is_aim = {name: row["case"].startswith("1 %") and name != "bytes" for name in shares}
    aims = {name: (SHARE, TARGET) if aimed else (None, "") for name, aimed in is_aim.items()}
    found = [Measurement(case, f"{name}, share of the first", "", share, *aims[name], why=why[name])
             for name, share in shares.items()]
    return [*found, Measurement(case, "first initialization, CPU", "s", number["first_cpu_s"]),
            Measurement(case, "reset and step, CPU", "s", number["reset_cpu_s"])]
