# SPDX-License-Identifier: BSD-3-Clause
"""Messages of the whole solver of flow with heat on simulated clusters whose nodes have more or fewer cores.

The arrangements of Elias et al. (2009): 8 ranks on 1 to 8 nodes, 64 ranks on 8 and 16. Computation takes no
time there, so that what a step takes is its exchange: sums over interfaces and reductions of GMRES(25)."""

from __future__ import annotations

from collections.abc import Iterator

from isthmus.bench import simulated
from isthmus.bench.kit.interface import kind_of
from isthmus.bench.kit.interface_runs import SIMULATION
from isthmus.bench.measurement import Measurement
from isthmus.bench.reference import ALLOWED

PROGRAM = "bench_heat_sums"
LIMIT = 600  # seconds of one way
FASTEST = "the fastest of the three of Elias et al."
LINEAR = f"{ALLOWED} linear tolerances"
OTHERS = ("allreduce", "allgather", "two_stage")  # ways of the publication
WAYS = (*OTHERS, "one_round", "automatic")
ARRANGEMENTS = ((8, 8), (8, 4), (8, 2), (8, 1), (64, 8), (64, 4))  # ranks, of them on a node
NODES = "another message to ranks that share only an edge or a corner costs more than a round here"


def words_of(ranks: int, cores: int) -> str:
    nodes = ranks // cores
    return f"{ranks} ranks on {nodes} node{'s'[:nodes > 1]}"


def parts(cells: list[int]) -> dict[str, Iterator[Measurement]]:
    """Each arrangement by the words that its cases begin with."""
    return {words_of(*of): measure(cells, *of) for of in ARRANGEMENTS}


def measure(cells: list[int], ranks: int, cores: int) -> Iterator[Measurement]:
    """Each of our ways beside the fastest of the publication, and how far the flow is from one rank's."""
    found = {way: row for way in WAYS for row in simulate(cells, ranks, cores, way)}
    alone = simulate(cells, 1, cores, "one_round")
    seconds = {way: float(row["seconds"]) for way, row in found.items()}
    best = min((way for way in OTHERS if way in seconds), key=seconds.__getitem__, default="")
    for way, row in found.items():
        case = f"{words_of(ranks, cores)}, {way.replace('_', '-')}"
        yield Measurement(case, "simulated exchange of a step", "s", seconds[way],
                          seconds[best] if best and way not in OTHERS else None,
                          f"{best.replace('_', '-')}, {FASTEST}", kind="simulated",
                          why=NODES)
        yield Measurement(case, "sums of a step", "", float(row["sums"]), kind="simulated")
        for what, unit in (("messages", ""), ("bytes", "B")):
            yield Measurement(case, f"{what} of a sum, busiest rank", unit, float(row[what]),
                              kind=kind_of(way, "counted"))
        for other in alone:
            yield Measurement(case, "difference of the speed from one rank's", "",
                              abs(float(row["speed"]) / float(other["speed"]) - 1), 1e-5, LINEAR,
                              kind="simulated")


def simulate(cells: list[int], ranks: int, cores: int, way: str) -> list[dict[str, str]]:
    """One step; none, with a warning, where that takes too long. Reductions are timed by the algorithm whose
    bytes are said."""
    return simulated.rows(PROGRAM, ranks, [*map(str, cells), "1", way], LIMIT, SIMULATION | {
        "ISTHMUS_SIMULATED_RENDEZVOUS": "0", "ISTHMUS_SIMULATED_CORES": str(cores)})
