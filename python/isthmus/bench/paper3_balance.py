# SPDX-License-Identifier: BSD-3-Clause
"""Work dealt to ranks, counted by bench_balance: 256 blocks (--full: also 16,384) whose sizes differ 7 times,
and two codes with a common interface."""

from __future__ import annotations

import csv
import math
import subprocess
from collections.abc import Iterator
from pathlib import Path

from isthmus.bench.framework import Context, Measurement
from isthmus.bench.reference import TARGET
from isthmus.console import console
from isthmus.errors import IsthmusError
from isthmus.programs import find

PAPER = "Jackson et al. 2018, doi 10.1016/j.compfluid.2018.03.007, section 4.1, measured times"
PUBLISHED_WAY = "the published method on the same blocks, in the same run"
LEAST = "the least number of pairs with equal interface loads, p + q - gcd(p, q)"
INDEPENDENT = "each code for itself with work and interface balanced, METIS, in the same run"

# processes -> seconds with equal numbers of blocks, with METIS
PUBLISHED = {32: (4924, 2220), 48: (4081, 1544), 64: (3157, 1247), 72: (3231, 968), 96: (2833, 792),
             120: (2764, 714), 128: (2016, 646)}
BLOCKS = 256
RANKS = (*PUBLISHED, BLOCKS, 2 * BLOCKS)
FULL_RANKS = (1024, 4096, 16_384)
PAIRS = ((16, 16), (32, 32), (64, 64), (16, 48), (24, 40), (16, 17))
FACES = {"aligned": "faces 32 x 32 | 40 x 40", "staggered": "faces 32 x 32 | 41 x 39",
         "nearest": "faces 32 x 32 | 41 x 39, one neighbour each"}

UNEVEN = "no distribution gains more than equal numbers of blocks lose, {:.2f} times the mean here"
GHOSTS = ("blocks larger than 1.05 times the mean of a part must be cut, which alone adds {:.1%} here, "
          "however they are dealt; what does not fill a part needs the rest")
FEW = "16 and 25 vertices of a part cannot be divided within 5 % so that their intervals end together"
STAGGERED = "cells that straddle an edge exchange with both sides of it, whatever the partition"

STEP_NAIVE = "step with equal numbers of blocks over ours"
STEP_METIS = "step with METIS over ours"
STEP_PAPER = "step with equal numbers of blocks over METIS"

Row = dict[str, str]


def measure(context: Context) -> list[Measurement]:
    ranks = RANKS + FULL_RANKS if context.full else RANKS
    blocks = _run("blocks", ranks)
    coupled = _run("coupled", [n for pair in PAIRS for n in pair])
    return list(_blocks(blocks)) + list(_coupled(coupled))


def draw(folder: Path, measurements: list[Measurement]) -> Path:
    from isthmus.plot.balance import balance_picture  # takes a while

    return balance_picture(folder / "paper3-balance.png", measurements)


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
        naive, metis, ours = ways["equal counts"], ways["METIS"], ways["ours"]
        blocks = int(ours["blocks"])
        case = f"{ranks:,} ranks" if blocks == BLOCKS else f"{blocks:,} blocks, {ranks:,} ranks"
        yield from _steps(case, ranks, naive, metis, ours)
        yield Measurement(case, "largest over mean cells, ours", "", float(ours["imbalance"]),
                          1.05 if ranks >= blocks else 1.03, TARGET)
        yield Measurement(case, "largest over mean cells, METIS", "", float(metis["imbalance"]), shown=False)
        yield Measurement(case, "largest over mean cells, equal numbers of blocks", "",
                          float(naive["imbalance"]), shown=False)
        yield Measurement(case, "growth of ghost cells by cuts", "", float(ours["ghost_growth"]),
                          0.1, TARGET, why=GHOSTS.format(float(ours["least_growth"])))
        yield Measurement(case, "least growth of ghost cells that balance allows", "",
                          float(ours["least_growth"]), shown=False)
        yield Measurement(case, "pieces over blocks", "", int(ours["pieces"]) / blocks)
        if ranks < blocks:
            yield Measurement(case, "ghost cells from other ranks", "", int(ours["received"]),
                              int(metis["received"]), PUBLISHED_WAY)
        yield Measurement(case, "time to deal the blocks", "s", float(ours["seconds"]),
                          float(metis["seconds"]) if ranks < blocks else None,
                          PUBLISHED_WAY if ranks < blocks else "")


def _steps(case: str, ranks: int, naive: Row, metis: Row, ours: Row) -> Iterator[Measurement]:
    """Modelled: cells and ghost cells of the slowest rank."""
    step = float(ours["slowest"])
    slow, fast = PUBLISHED.get(ranks, (None, None))
    published = slow / fast if slow and fast else None
    target = {BLOCKS: 2.0, 96: 3.6, 120: 3.6}.get(ranks)
    gain = float(naive["slowest"]) / step
    yield Measurement(case, STEP_NAIVE, "", gain, published, PAPER if published else "", more_is_better=True,
                      why=UNEVEN.format(float(naive["imbalance"])))
    if target:
        yield Measurement(f"{case}, target", STEP_NAIVE, "", gain, target, TARGET, more_is_better=True)
    yield Measurement(case, STEP_METIS, "", float(metis["slowest"]) / step, 1.0, PUBLISHED_WAY,
                      more_is_better=True)
    yield Measurement(case, STEP_PAPER, "", float(naive["slowest"]) / float(metis["slowest"]))


def _coupled(rows: list[Row]) -> Iterator[Measurement]:
    cases: dict[tuple[str, int, int], dict[str, Row]] = {}
    for row in rows:
        cases.setdefault((row["face"], int(row["ranks_a"]), int(row["ranks_b"])), {})[row["way"]] = row
    for (face, p, q), ways in cases.items():
        case, ours, balanced = f"{p} + {q} ranks, {FACES[face]}", ways["ours"], ways["balanced"]
        for way, row in ways.items():
            yield Measurement(f"{case}, {way}", "pairs that must talk", "", int(row["pairs"]), shown=False)
        least = p + q - math.gcd(p, q)
        if face == "staggered":
            yield Measurement(case, "pairs that must talk, ours", "", int(ours["pairs"]),
                              int(balanced["pairs"]), INDEPENDENT, why=STAGGERED)
        else:
            yield Measurement(case, "pairs that must talk, ours", "", int(ours["pairs"]), least, LEAST,
                              why=FEW)
        if face != "staggered" and p == q:
            yield Measurement(case, "fewer pairs than independent partitions", "",
                              1 - int(ours["pairs"]) / int(balanced["pairs"]), 0.7, TARGET,
                              more_is_better=True, why=FEW)
        if face == "nearest":  # the same grids as staggered
            continue
        yield Measurement(case, "largest over mean interface load", "",
                          max(float(ours["interface_a"]), float(ours["interface_b"])), 1.05, TARGET)
        cuts = [sum(int(row[key]) for key in ("cut_a", "cut_b")) for row in (ours, balanced)]
        yield Measurement(case, "edges cut over independent partitions", "", cuts[0] / cuts[1], 1.1, TARGET)
        yield Measurement(case, "time to divide both codes", "s", float(ours["seconds"]),
                          float(balanced["seconds"]), INDEPENDENT,
                          why="one rank divides each code around its interface, by Scotch")
