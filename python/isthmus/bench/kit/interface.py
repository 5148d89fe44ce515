# SPDX-License-Identifier: BSD-3-Clause
"""Sums over nodes that ranks share, in several ways.

The meshes of Elias, Camata, Aveleda, Coutinho 2009: a box 4:1:1 of 81 x 21 x 21 cells of five tetrahedra
(178,605 tetrahedra, 39,688 nodes); --full: also 501 x 125 x 125 cells on 2 ranks (39,140,625 tetrahedra),
1,024 simulated ranks. Every way does the same work in one run; each of ours stands beside the fastest of the
others, which the row names. Simulated clusters divide the small mesh; reductions there, in time and in bytes,
are those by halving and doubling. What MPI sends within a collective call is not seen: its bytes and messages
are modelled, by a formula of its algorithm."""

from __future__ import annotations

from collections.abc import Iterator

from isthmus.bench.framework import Context
from isthmus.bench.kit import interface_runs
from isthmus.bench.kit.interface_runs import Sums
from isthmus.bench.measurement import Measurement
from isthmus.bench.reference import TARGET

SMALL, LARGE = (81, 21, 21), (501, 125, 125)
OTHERS = {"allreduce": "a reduction of the whole interface", "allgather": "values gathered on all ranks",
          "two_stage": "to the owner and back, Elias et al."}
OURS = ("one_round", "shared_memory", "automatic")
MODELLED = ("allreduce", "allgather")  # collective calls
TIME, BYTES = "simulated time of a sum", "bytes sent by the busiest rank"
LOADED = "ranks share two cores with other programs: a rank that waits must be woken"
SHARERS = ("one round tells ranks that share only an edge or a corner, too, whom two stages reach by the "
           "owner; such messages cost more than a round here, so automatic takes two stages")
SMALL_PARTS = ("parts of {:,.0f} tetrahedra are mostly interface; those of the large mesh on 64 cores "
               "had 611,572")
WHY = {"shared_memory": f"a few values cost as much by message as by memory; {LOADED}", "one_round": LOADED,
       "automatic": LOADED}
HIDDEN = "share of the edges that hide the exchange"


def measure(context: Context) -> list[Measurement]:
    found: list[Measurement] = []
    for ranks in (2, 4):
        found += here(interface_runs.sums_here(ranks, SMALL, 20 * context.repeat))
    if context.full:
        found += here(interface_runs.sums_here(2, LARGE, context.repeat))
    for ranks in (16, 64, 256, 1024) if context.full else (16, 64, 256):
        if sums := interface_runs.sums_simulated(ranks, SMALL):
            found += simulated(sums)
    return found


def fastest(sums: Sums, name: str) -> tuple[float, str]:
    """Seconds of the fastest of the others, and which it is."""
    way = min((way for way in OTHERS if way in sums.by_strategy), key=lambda way: sums.figure(way, name))
    return 1e-6 * sums.figure(way, name), f"{way}, the fastest other: {OTHERS[way]}; the same run"


def here(sums: Sums) -> Iterator[Measurement]:
    """Times on this machine."""
    where = f"{sums.tets:,} tetrahedra, {sums.ranks} ranks"
    for quantity, name in (("interface sum", "sum_us"), ("operator with interface sum", "apply_us")):
        best, source = fastest(sums, name)
        for way in (*OTHERS, *OURS):
            is_ours = way in OURS
            yield Measurement(f"{where}, {way}", quantity, "s", 1e-6 * sums.figure(way, name),
                              best if is_ours else None, source, tolerance=0.02, why=WHY.get(way, ""))
    yield Measurement(where, HIDDEN, "", sums.mesh["interior_edges"], 0.8, TARGET, more_is_better=True)


def kind_of(way: str, seen: str) -> str:
    """The kind of the messages and bytes of a way whose messages are `seen`."""
    return "modelled" if way in MODELLED else seen


def simulated(sums: Sums) -> Iterator[Measurement]:
    """Counts, and simulated times of those ways that were simulated."""
    where = f"{sums.ranks:,} simulated ranks"
    best, source = fastest(sums, "sum_us")
    least, fewest = min((sums.figure(way, "bytes_max"), f"{way}, the fewest bytes of the others: {words}; "
                         + kind_of(way, "the same run"))
                        for way, words in OTHERS.items() if way in sums.by_strategy)
    for way in (*OTHERS, *OURS):
        if way not in sums.by_strategy or way == "shared_memory":
            continue
        case, is_ours = f"{way}, {where}", way in OURS
        kind = kind_of(way, "simulated")
        yield Measurement(case, BYTES, "B", sums.figure(way, "bytes_max"), least if is_ours else None, fewest,
                          why=SHARERS, kind=kind)
        yield Measurement(case, TIME, "s", 1e-6 * sums.figure(way, "sum_us"), best if is_ours else None,
                          source, tolerance=0.02, why=SHARERS, kind="simulated")
        if way != "allreduce":
            yield Measurement(case, "messages sent by the busiest rank", "", sums.figure(way, "messages_max"),
                              kind=kind)
            yield Measurement(case, "rounds", "", sums.figure(way, "rounds"), kind=kind)
    yield Measurement(where, HIDDEN, "", sums.mesh["interior_edges"], 0.8, TARGET, more_is_better=True,
                      why=SMALL_PARTS.format(sums.tets / sums.ranks), kind="simulated")
    yield Measurement(where, "messages of the busiest rank to find all sharers", "",
                      sums.mesh["plan_messages_max"], kind="simulated")
