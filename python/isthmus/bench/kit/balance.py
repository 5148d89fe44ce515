# SPDX-License-Identifier: BSD-3-Clause
"""Blocks and coupled meshes dealt to ranks, counted.

256 blocks (--full: also 16,384) of a made-up grid, whose sizes differ 7 times as those of Jackson,
Campobasso, Drofelnik 2018 (doi 10.1016/j.compfluid.2018.03.007), whole and cut; beside METIS, which gets the
same blocks, or the same pieces and blocks that are halved again and again, each with a tolerance of 2 % and
of 10 %: the best of these counts, for each quantity; then two codes with a common interface. Counts only:
what they mean for the time of a step, a solver must tell."""

from __future__ import annotations

import csv
import math
import subprocess
from collections.abc import Iterator

from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement
from isthmus.bench.reference import TARGET
from isthmus.console import console
from isthmus.errors import IsthmusError
from isthmus.programs import find

METIS = {"whole blocks": "METIS on the same blocks, tolerances of 2 and 10 %, the better, in the same run",
         "blocks cut": "METIS on the same pieces or on halved blocks, tolerances of 2 and 10 %, the best of "
                       "four, in the same run"}
LEAST = "the least number of pairs with equal interface loads, p + q - gcd(p, q)"
RIVALS = {"balanced": "each code for itself with work and interface balanced",
          "united": "one graph of both codes"}
INDEPENDENT = "each code for itself with work and interface balanced, METIS, in the same run"

BLOCKS = 256
RANKS = (32, 64, 96, 128, BLOCKS, 2 * BLOCKS)
FULL_RANKS = (1024, 4096, 16_384)
PAIRS = ((16, 16), (32, 32), (64, 64), (16, 48), (24, 40), (16, 17))
FACES = {"aligned": "faces 32 x 32 | 40 x 40", "staggered": "faces 32 x 32 | 41 x 39",
         "nearest": "faces 32 x 32 | 41 x 39, one neighbour each"}

FEW = "16 and 25 vertices of a part cannot be divided within 5 % so that their intervals end together"
STAGGERED = "cells that straddle an edge exchange with both sides of it, whatever the partition"

RULES = tuple(METIS)
CUT = "ours cuts where balance asks for it; METIS has fewer ghost cells where its parts are less even"

EVEN = "largest over mean number of cells of a rank"
# quantity, unit, column of bench_balance
BESIDE_METIS = ((EVEN, "", "imbalance"), ("ghost cells from other ranks", "", "received"),
                ("time to deal the blocks", "s", "seconds"))
BESIDE_METIS_CUT = (("pieces", "", "pieces"), ("ghost cells of all pieces", "", "ghosts"))
Row = dict[str, str]


def measure(context: Context) -> list[Measurement]:
    ranks = RANKS + FULL_RANKS if context.full else RANKS
    blocks = _run("blocks", ranks)
    coupled = _run("coupled", [n for pair in PAIRS for n in pair])
    return list(_blocks(blocks)) + list(_coupled(coupled))


def _run(what: str, numbers: list[int] | tuple[int, ...]) -> list[Row]:
    console.print(f"dealing {what}", style="dim")
    command = [str(find("bench_balance")), what, *map(str, numbers)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode != 0:
        raise IsthmusError(f"bench_balance {what} failed: {done.stderr.strip()}")
    return list(csv.DictReader(done.stdout.splitlines()))


def _blocks(rows: list[Row]) -> Iterator[Measurement]:
    by_ranks: dict[int, dict[str, Row]] = {}
    for row in rows:
        by_ranks.setdefault(int(row["ranks"]), {})[row["way"]] = row
    for ranks, ways in by_ranks.items():
        for rule in RULES:
            if f"ours {rule}" in ways:
                metis = [row for way, row in ways.items() if way.startswith(f"METIS {rule}")]
                yield from _rule(ranks, rule, metis, ways[f"ours {rule}"])
        naive = ways["equal counts"]
        yield Measurement(_case(ranks, "equal numbers of whole blocks", naive), EVEN, "",
                          float(naive["imbalance"]))


def _case(ranks: int, rule: str, row: Row) -> str:
    """The made-up grid of 256 blocks is not named."""
    blocks = int(row["blocks"])
    return f"{ranks:,} ranks, {rule}" if blocks == BLOCKS else f"{blocks:,} blocks, {ranks:,} ranks, {rule}"


def _rule(ranks: int, rule: str, metis: list[Row], ours: Row) -> Iterator[Measurement]:
    """Both divide by the same rule: whole blocks, or pieces of blocks. METIS in several ways."""
    case, is_cut, source = _case(ranks, rule, ours), rule == RULES[1], METIS[rule]
    why = CUT if is_cut else ""
    for quantity, unit, column in BESIDE_METIS + (BESIDE_METIS_CUT if is_cut else ()):
        best = min(float(row[column]) for row in metis)
        yield Measurement(case, quantity, unit, float(ours[column]), best, source, why=why)
    if is_cut:
        target = 1.05 if ranks >= int(ours["blocks"]) else 1.03
        yield Measurement(f"{case}, target", EVEN, "", float(ours["imbalance"]), target, TARGET)


def _coupled(rows: list[Row]) -> Iterator[Measurement]:
    cases: dict[tuple[str, int, int], dict[str, Row]] = {}
    for row in rows:
        cases.setdefault((row["face"], int(row["ranks_a"]), int(row["ranks_b"])), {})[row["way"]] = row
    for (face, p, q), ways in cases.items():
        case, ours, balanced = f"{p} + {q} ranks, {FACES[face]}", ways["ours"], ways["balanced"]
        for way, row in ways.items():
            yield Measurement(f"{case}, {way}", "pairs that must talk", "", int(row["pairs"]), shown=False)
        rival = min((way for way in RIVALS if way in ways), key=lambda way: int(ways[way]["pairs"]))
        yield Measurement(case, "pairs that must talk, ours", "", int(ours["pairs"]),
                          int(ways[rival]["pairs"]), f"{RIVALS[rival]}, METIS, the better in the same run",
                          why=STAGGERED if face == "staggered" else FEW)
        if face != "staggered":
            yield Measurement(case, "pairs that must talk, beside the least", "", int(ours["pairs"]),
                              p + q - math.gcd(p, q), LEAST, why=FEW)
        if face == "nearest":  # the same grids as staggered
            continue
        yield Measurement(case, "largest over mean interface load", "",
                          max(float(ours["interface_a"]), float(ours["interface_b"])), 1.05, TARGET)
        cuts = [sum(int(row[key]) for key in ("cut_a", "cut_b")) for row in (ours, balanced)]
        yield Measurement(case, "edges cut over independent partitions", "", cuts[0] / cuts[1], 1.1, TARGET)
        yield Measurement(case, "time to divide both codes", "s", float(ours["seconds"]),
                          float(balanced["seconds"]), INDEPENDENT,
                          why="one rank divides each code around its interface, by Scotch")
