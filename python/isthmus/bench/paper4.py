# SPDX-License-Identifier: BSD-3-Clause
"""Sums over nodes that ranks share, orders of nodes, and the halo beside plain MPI.

The meshes of Elias, Camata, Aveleda, Coutinho 2009: a box 4:1:1 of 81 x 21 x 21 cells with five tetrahedra each
(178,605 tetrahedra, 39,688 nodes); --full: also 501 x 125 x 125 cells on 2 ranks (39,140,625 tetrahedra), and
misses of simulated caches. Every strategy does the same work in one run; the first, a reduction of the whole
interface on all ranks, is the reference. Simulated clusters divide the small mesh."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from isthmus.bench.framework import Context, Measurement
from isthmus.bench.interfaces import Counted, Sums, counted, halo, orders, sums_here, sums_simulated
from isthmus.bench.reference import (
    EDGECFD,
    ORIGINAL_ORDER,
    RCM_SPEEDUP,
    TARGET,
    TARGET_HALO,
    TARGET_INTERFACE_BYTES,
)

SMALL, LARGE = (81, 21, 21), (501, 125, 125)
NAIVE = "allreduce of the whole interface in the same run"
REDUCTION = "allreduce of the whole interface, the algorithm with the fewest bytes"
WAYS = ("allgather", "two_stage", "one_round", "shared_memory", "automatic")
LOADED = "ranks share two cores with other programs: a rank that waits must be woken"
WHY = {"shared_memory": "the message of a few values costs no more than looking at the other's counter",
       "two_stage": "two messages wait for one another"}


def measure(context: Context) -> list[Measurement]:
    found: list[Measurement] = []
    for ranks in (2, 4):
        found += here(sums_here(ranks, SMALL, 20 * context.repeat))
    if context.full:
        found += here(sums_here(2, LARGE, context.repeat))
    for ranks in (16, 64, 256, 1024) if context.full else (16, 64, 256):
        if sums := sums_simulated(ranks, SMALL):
            found += simulated(sums)
    for ranks in (1, 2):
        found += order_times(ranks, orders(ranks, SMALL, 4 * context.repeat))
    if context.full:
        found += misses({name: counted(name, SMALL) for name in ("original", "rcm, edges", "rcm", "hilbert")})
    return found + list(halo_times(halo(2, 20 * context.repeat)))


def draw(folder: Path, measurements: list[Measurement]) -> Path:
    """Curves over the number of ranks."""
    from isthmus.plot.interfaces import interface_picture  # takes a while

    return interface_picture(folder / "paper4-ranks.png", measurements)


def here(sums: Sums) -> Iterator[Measurement]:
    """Times on this machine; every strategy beside the reduction."""
    where = f"{sums.tets:,} tetrahedra, {sums.ranks} ranks"
    for way in WAYS:
        case = f"{where}, {way}"
        yield Measurement(case, "interface sum", "s", 1e-6 * sums.figure(way, "sum_us"),
                          1e-6 * sums.figure("allreduce", "sum_us"), NAIVE, why=WHY.get(way, LOADED))
        yield Measurement(case, "operator with interface sum", "s", 1e-6 * sums.figure(way, "apply_us"),
                          1e-6 * sums.figure("allreduce", "apply_us"), NAIVE, tolerance=0.02, why=LOADED)
    yield Measurement(where, "share of the edges that hide the exchange", "", sums.mesh["interior_edges"], 0.8, TARGET,
                      more_is_better=True)


def simulated(sums: Sums) -> Iterator[Measurement]:
    """Exact counts, and simulated times of those strategies that were simulated."""
    for way in ("allreduce", *WAYS):
        if way not in sums.by_strategy or way == "shared_memory":
            continue
        case, naive = f"{way}, {sums.ranks:,} simulated ranks", way == "allreduce"
        yield Measurement(case, "bytes sent by the busiest rank", "B", sums.figure(way, "bytes_max"),
                          None if naive else sums.reduction_bytes, "" if naive else REDUCTION)
        reduction = sums.by_strategy.get("allreduce")
        known = reduction is not None and not naive
        yield Measurement(case, "simulated time of a sum", "s", 1e-6 * sums.figure(way, "sum_us"),
                          1e-6 * sums.figure("allreduce", "sum_us") if known else None, NAIVE if known else "")
        yield Measurement(case, "messages sent by the busiest rank", "", sums.figure(way, "messages_max"))
        target = way == "one_round"
        yield Measurement(case, "rounds", "", sums.figure(way, "rounds"), 1 if target else None,
                          TARGET if target else "")
    many = sums.ranks >= 64
    ratio = sums.reduction_bytes * sums.ranks / sums.figure("one_round", "bytes_sum")
    yield Measurement(f"one_round, {sums.ranks:,} simulated ranks", "bytes of a reduction over ours, all ranks", "",
                      ratio, TARGET_INTERFACE_BYTES if many else None, TARGET if many else "", more_is_better=True)
    yield Measurement(f"{sums.ranks:,} simulated ranks", "messages of the busiest rank to find all sharers", "",
                      sums.mesh["plan_messages_max"])


def order_times(ranks: int, found: dict[str, dict[str, str]]) -> Iterator[Measurement]:
    """One application of the operator in each order; the original one is that of a generator."""
    original = float(found["original"]["apply_us"])
    for name, row in found.items():
        case = f"{ranks} rank{'s'[:ranks > 1]}, {name}"
        if name != "original":
            yield Measurement(case, "operator, gain over the original order", "", original / float(row["apply_us"]),
                              RCM_SPEEDUP, f"{EDGECFD}, whole solver on 8 cores", more_is_better=True,
                              why="a loop over edges waits for what it has just stored; the caches here hold the mesh")
        yield Measurement(case, "operator without exchange", "s", 1e-6 * float(row["apply_us"]),
                          None if name == "original" else 1e-6 * original, "" if name == "original" else ORIGINAL_ORDER)
        yield Measurement(case, "bandwidth", "", int(row["bandwidth"]),
                          None if name == "original" else int(found["original"]["bandwidth"]),
                          "" if name == "original" else ORIGINAL_ORDER)


def misses(found: dict[str, Counted]) -> Iterator[Measurement]:
    """Of caches of 32 KiB and 1 MiB, simulated."""
    for name, of in found.items():
        for quantity, ours, naive in (("instructions", of.instructions, found["original"].instructions),
                                      ("D1 misses", of.d1_misses, found["original"].d1_misses),
                                      ("LL misses", of.ll_misses, found["original"].ll_misses)):
            yield Measurement(f"cachegrind, {name}", quantity, "", ours, None if name == "original" else naive,
                              "" if name == "original" else ORIGINAL_ORDER,
                              why="edges in rows need a loop over nodes" if quantity == "instructions" else "")


def halo_times(rows: list[dict[str, str]]) -> Iterator[Measurement]:
    """Ours over the same exchange by hand."""
    for row in rows:
        values = int(row["values"])
        case = f"{row['ranks']} ranks, {values:,} values"
        yield Measurement(case, "halo over plain MPI", "", float(row["ratio"]), TARGET_HALO.get(values),
                          TARGET if values in TARGET_HALO else "", tolerance=0.02, why=LOADED)
        yield Measurement(case, "halo", "s", 1e-6 * float(row["halo_us"]))
