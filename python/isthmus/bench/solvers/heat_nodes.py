# SPDX-License-Identifier: BSD-3-Clause
"""Messages of the whole solver of flow with heat on simulated clusters whose nodes have more or fewer cores.

The arrangements of Elias et al. (2009): 8 ranks on 1 to 8 nodes, 64 ranks on 8 and 16. Computation takes no
time there, so that what a step takes is its exchange: sums over interfaces and reductions of GMRES(25)."""

from __future__ import annotations

from collections.abc import Iterator

from isthmus.bench import simulated
from isthmus.bench.measurement import Measurement

PROGRAM = "bench_heat_sums"
LIMIT = 600  # seconds
OTHERS = ("allreduce", "allgather", "two_stage")  # ways of the publication
WAYS = (*OTHERS, "one_round", "automatic")
ARRANGEMENTS = ((8, 8), (8, 4), (8, 2), (8, 1), (64, 8), (64, 4))  # ranks, of them on a node
NODES = "another message to ranks that share only an edge or a corner costs more than a round here"


def measure(cells: list[int]) -> Iterator[Measurement]:
    """Each of our ways beside the fastest of the publication."""
    for ranks, cores in ARRANGEMENTS:
        found = simulated.rows(PROGRAM, ranks, [*map(str, cells), "1", *WAYS], LIMIT, {
            "ISTHMUS_SIMULATED_RENDEZVOUS": "0", "ISTHMUS_SIMULATED_CORES": str(cores)})
        seconds = {row["way"]: float(row["seconds"]) for row in found}
        best = min((way for way in OTHERS if way in seconds), key=seconds.__getitem__, default="")
        for row in found:
            way, is_ours = row["way"], row["way"] not in OTHERS
            nodes = ranks // cores
            case = f"{ranks} ranks on {nodes} node{'s'[:nodes > 1]}, {way.replace('_', '-')}"
            yield Measurement(case, "simulated exchange of a step", "s", seconds[way],
                              seconds[best] if is_ours else None,
                              f"{best.replace('_', '-')}, the fastest of the paper's three", kind="simulated",
                              why=NODES)
            for what, unit in (("messages", ""), ("bytes", "B")):
                yield Measurement(case, f"{what} of a sum, busiest rank", unit, float(row[what]))
