# SPDX-License-Identifier: BSD-3-Clause
"""Sums over nodes that ranks share, orders of nodes, the halo beside plain MPI, and convection in a box.

The meshes of Elias, Camata, Aveleda, Coutinho 2009: a box 4:1:1 of 81 x 21 x 21 cells of five tetrahedra
(178,605 tetrahedra, 39,688 nodes); --full: also 501 x 125 x 125 cells on 2 ranks (39,140,625 tetrahedra),
misses of simulated caches, 1,024 simulated ranks. Every strategy does the same work in one run; a reduction
of the whole interface on all ranks is the reference. Simulated clusters divide the small mesh."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from isthmus.bench import interfaces
from isthmus.bench.framework import Context, Measurement
from isthmus.bench.interfaces import Counted, Steady, Sums
from isthmus.bench.reference import (
    EDGECFD,
    NUSSELT,
    NUSSELT_LIMIT,
    ORIGINAL_ORDER,
    RCM_SPEEDUP,
    SAME_SCHEME,
    TARGET,
    TARGET_HALO,
    TARGET_INTERFACE_BYTES,
)

SMALL, LARGE = (81, 21, 21), (501, 125, 125)
NAIVE = "allreduce of the whole interface in the same run"
REDUCTION = "allreduce of the whole interface, the algorithm with the fewest bytes"
WAYS = ("allgather", "two_stage", "one_round", "shared_memory", "automatic")
LOADED = "ranks share two cores with other programs: a rank that waits must be woken"
SHARERS = ("one round tells ranks that share only an edge or a corner, too, whom two stages reach by the "
           "owner; such messages cost more than a round here, so automatic takes two stages")
SMALL_PARTS = ("parts of {:,.0f} tetrahedra are mostly interface; those of the large mesh on 64 cores "
               "had 611,572")
WHY = {"shared_memory": f"a few values cost as much by message as by memory; {LOADED}",
       "two_stage": "two messages wait for one another", "one_round": LOADED}
HIDDEN = "share of the edges that hide the exchange"
CHOICE = "strategy that is chosen by itself, simulated time"
LOOP = "a loop over edges waits for what it has just stored; the caches here hold the mesh"


def measure(context: Context) -> list[Measurement]:
    found: list[Measurement] = []
    for ranks in (2, 4):
        found += here(interfaces.sums_here(ranks, SMALL, 20 * context.repeat))
    if context.full:
        found += here(interfaces.sums_here(2, LARGE, context.repeat))
    for ranks in (16, 64, 256, 1024) if context.full else (16, 64, 256):
        if sums := interfaces.sums_simulated(ranks, SMALL):
            found += simulated(sums)
    for ranks in (1, 2):
        found += order_times(ranks, interfaces.orders(ranks, SMALL, 4 * context.repeat))
    if context.full:
        names = ("original", "rcm, edges", "rcm", "hilbert")
        found += misses({name: interfaces.counted(name, SMALL) for name in names})
    found += halo_times(interfaces.halo(2, 20 * context.repeat))
    return found + convection(context)


def draw(folder: Path, measurements: list[Measurement]) -> Path:
    """Curves over the number of ranks, and orders."""
    from isthmus.plot.interfaces import interface_picture  # takes a while

    return interface_picture(folder / "paper4-ranks.png", measurements)


def beside(case: str, quantity: str, unit: str, ours: float, reference: float | None, source: str,
           **more: Any) -> Measurement:
    """With the source only if there is a reference."""
    return Measurement(case, quantity, unit, ours, reference, "" if reference is None else source, **more)


def here(sums: Sums) -> Iterator[Measurement]:
    """Times on this machine; every strategy beside the reduction."""
    where = f"{sums.tets:,} tetrahedra, {sums.ranks} ranks"
    for way in WAYS:
        for quantity, name in (("interface sum", "sum_us"), ("operator with interface sum", "apply_us")):
            ours, theirs = (1e-6 * sums.figure(one, name) for one in (way, "allreduce"))
            yield Measurement(f"{where}, {way}", quantity, "s", ours, theirs, NAIVE, tolerance=0.02,
                              why=WHY.get(way, LOADED))
    yield Measurement(where, HIDDEN, "", sums.mesh["interior_edges"], 0.8, TARGET, more_is_better=True)


def simulated(sums: Sums) -> Iterator[Measurement]:
    """Exact counts, and simulated times of those strategies that were simulated."""
    where = f"{sums.ranks:,} simulated ranks"
    reduction = sums.by_strategy.get("allreduce")
    for way in ("allreduce", *WAYS):
        if way not in sums.by_strategy or way == "shared_memory":
            continue
        case, is_ours = f"{way}, {where}", way not in ("allreduce", "allgather")
        yield beside(case, "bytes sent by the busiest rank", "B", sums.figure(way, "bytes_max"),
                     sums.reduction_bytes if is_ours else None, REDUCTION)
        yield beside(case, "simulated time of a sum", "s", 1e-6 * sums.figure(way, "sum_us"),
                     1e-6 * float(reduction["sum_us"]) if reduction and is_ours else None, NAIVE)
        yield Measurement(case, "messages sent by the busiest rank", "", sums.figure(way, "messages_max"))
        rounds = 1 if way == "one_round" else None
        yield beside(case, "rounds", "", sums.figure(way, "rounds"), rounds, TARGET)
    one, two = (1e-6 * sums.figure(way, "sum_us") for way in ("one_round", "two_stage"))
    if "automatic" in sums.by_strategy:
        yield Measurement(f"automatic, {where}", CHOICE, "s", 1e-6 * sums.figure("automatic", "sum_us"),
                          min(one, two), "the better of one_round and two_stage", tolerance=0.05)
    yield Measurement(f"one_round beside two_stage, {where}", "one round or two, simulated time", "s",
                      one, two, "to the owner and back, as in the paper", why=SHARERS)
    yield Measurement(where, HIDDEN, "", sums.mesh["interior_edges"], 0.8, TARGET, more_is_better=True,
                      why=SMALL_PARTS.format(sums.tets / sums.ranks))
    ratio = sums.reduction_bytes * sums.ranks / sums.figure("one_round", "bytes_sum")
    yield beside(f"one_round, {where}", "bytes of a reduction over ours, all ranks", "", ratio,
                 TARGET_INTERFACE_BYTES if sums.ranks >= 64 else None, TARGET, more_is_better=True)
    yield Measurement(where, "messages of the busiest rank to find all sharers", "",
                      sums.mesh["plan_messages_max"])


def order_times(ranks: int, found: dict[str, dict[str, str]]) -> Iterator[Measurement]:
    """One application of the operator in each order; the original one is that of a generator."""
    first = found["original"]
    for name, row in found.items():
        case, is_other = f"{ranks} rank{'s'[:ranks > 1]}, {name}", name != "original"
        ours, theirs = (1e-6 * float(one["apply_us"]) for one in (row, first))
        if is_other:
            yield Measurement(case, "gain over the original order", "", theirs / ours, RCM_SPEEDUP,
                              f"{EDGECFD}, whole solver on 8 cores", more_is_better=True, why=LOOP)
        yield beside(case, "operator without exchange", "s", ours, theirs if is_other else None,
                     ORIGINAL_ORDER, why=LOOP)
        yield beside(case, "bandwidth", "", int(row["bandwidth"]),
                     int(first["bandwidth"]) if is_other else None, ORIGINAL_ORDER)


def misses(found: dict[str, Counted]) -> Iterator[Measurement]:
    """Of simulated caches of 32 KiB and 1 MiB."""
    first = found["original"]
    for name, of in found.items():
        case, is_other = f"cachegrind, {name}", name != "original"
        for quantity, ours, theirs in (("instructions", of.instructions, first.instructions),
                                       ("D1 misses", of.d1_misses, first.d1_misses),
                                       ("LL misses", of.ll_misses, first.ll_misses)):
            yield beside(case, quantity, "", ours, theirs if is_other else None, ORIGINAL_ORDER,
                         why="rows need a loop over nodes, too" if quantity == "instructions" else "")


def convection(context: Context) -> list[Measurement]:
    """Rayleigh-Benard convection on finer and finer grids, and its picture."""
    from isthmus.plot.interfaces import rolls_picture  # takes a while

    plane = context.out / "runs" / "plane.csv"
    sizes = (12, 16) if context.full else (8, 12)
    found = {n: interfaces.convection(n, 2, plane) for n in sizes}
    rolls_picture((context.results or context.out) / "paper4-rolls.png", found[max(found)])
    return list(steady(found))


def steady(found: dict[int, Steady]) -> Iterator[Measurement]:
    """Heat flux over that of conduction, the number of rolls, heat that is neither lost nor made."""
    for n, one in found.items():
        case = f"convection, {4 * n} x {n} x {n} cells"
        yield beside(case, "Nusselt number", "", one.nu_floor, NUSSELT.get(n), SAME_SCHEME, tolerance=1e-5)
        yield Measurement(case, "rolls", "", one.rolls, 4, EDGECFD)
        lost = abs(one.nu_floor / one.nu_ceiling - 1)
        yield Measurement(case, "heat lost between floor and ceiling", "", lost, 1e-6, TARGET)
    coarse, fine = sorted(found)[-2:]
    limit = (fine**2 * found[fine].nu_floor - coarse**2 * found[coarse].nu_floor) / (fine**2 - coarse**2)
    case = f"convection, extrapolated from n = {coarse}, {fine}"
    yield Measurement(case, "Nusselt number", "", limit)
    yield Measurement(case, "distance to the known limit", "", abs(limit / NUSSELT_LIMIT - 1), 0.01, TARGET)


def halo_times(rows: list[dict[str, str]]) -> Iterator[Measurement]:
    """Ours over the same exchange by hand."""
    for row in rows:
        values = int(row["values"])
        case = f"{row['ranks']} ranks, {values:,} values"
        yield beside(case, "halo over plain MPI", "", float(row["ratio"]), TARGET_HALO.get(values), TARGET,
                     tolerance=0.02, why=LOADED)
        yield Measurement(case, "halo", "s", 1e-6 * float(row["halo_us"]))
