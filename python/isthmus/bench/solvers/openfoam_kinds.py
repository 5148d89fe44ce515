# SPDX-License-Identifier: BSD-3-Clause
"""What OpenFOAM asks of MPI in a step, by kind of call: the original, each layer alone, all.

Recorded in cavity, damBreak and cavitatingBullet by openfoam/tests/kinds.py, and made again on a simulated
cluster without the work between; means of the ranks. Figures 3, 12 and 13 of Lin and others have the same."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement
from isthmus.bench.solvers.openfoam import record

CASES = ("cavity", "damBreak", "cavitatingBullet")
NAME = re.compile(r"kinds, 1 times, (?P<ranks>\d+) ranks, (?P<layer>\w+, \w+)")
WORDS = {"send": "sends", "receive": "receives", "wait": "waits", "allreduce": "MPI_Allreduce",
         "alltoall": "MPI_Alltoall", "allgather": "MPI_Allgather", "sum": "sums beside"}
ORIGINAL = "original, PCG"
BESIDE = "the packaged OpenFOAM, recorded the same way"


def measure(context: Context) -> list[Measurement]:
    is_full = context.full or context.only
    ranks, cases = ("16", CASES) if is_full else ("4", CASES[:2])
    cases = [case for case in cases if context.only.startswith(case)] or cases
    folder = record(context, "kinds.py", *cases, "--ranks", ranks)
    if folder is None:
        return []
    found: list[Measurement] = []
    for case in cases:
        figures = json.loads((folder / case / "figures.json").read_text(encoding="utf-8"))
        found += counted(case, int(ranks), figures)
    return found


def counted(case: str, ranks: int, figures: dict[str, dict]) -> Iterator[Measurement]:
    """Of each layer, beside the original's."""
    rows = {match["layer"]: figures[name] for name in figures
            if (match := NAME.fullmatch(name)) and int(match["ranks"]) == ranks}
    for layer, row in rows.items():
        original = None if layer == ORIGINAL else rows.get(ORIGINAL)
        where = f"{case}, {ranks} ranks, {layer}"
        for kind, words in WORDS.items():
            # more sums beside other work are neither better nor worse
            beside = original["calls"][kind] if original and kind != "sum" else None
            if row["calls"][kind] or (original and original["calls"][kind]):
                yield Measurement(where, f"{words} of a step", "", row["calls"][kind],
                                  beside, BESIDE, kind="counted",
                                  tolerance=0.03, why="calls of other kinds are fewer")
                yield Measurement(where, f"simulated time of a step in {words}", "s",
                                  1e-6 * row["microseconds"][kind], kind="simulated", shown=False)
        yield Measurement(where, "bytes sent in a step", "B", row["calls"]["bytes"],
                          original["calls"]["bytes"] if original else None, BESIDE, kind="counted",
                          tolerance=0.03, why="a pipelined iteration multiplies once more at its end")
