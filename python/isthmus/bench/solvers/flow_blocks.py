# SPDX-License-Identifier: BSD-3-Clause
"""Unequal blocks of a flow on 1 to 16 ranks: what each rank computes, measured in the solver.

256 blocks of an O-grid around a NACA 0015, as many as in Jackson, Campobasso, Drofelnik 2018
(doi 10.1016/j.compfluid.2018.03.007), which differ 7 times in size (made up: the publication does not say
which size is how frequent), dealt in five ways; and the same cells in 256 blocks as equal as can be. Harmonic
balance with one harmonic (--full: four, as published). Times are of the processor that a rank takes, without
exchange and waiting: so ranks may share cores. Before that, without a run, the cells of 2 to 128 ranks; there
METIS also deals blocks that were halved until none has over a quarter of the mean of a rank; on up to 16
ranks no block has. There the best of 12 ways with METIS counts: k-way and bisection, tolerances of 2, 3 and
10 %, edges that weigh faces or are alike. In runs METIS is k-way, 3 %, with faces; it gets the same
measured work as ours. Numbers of ranks that `only` names ("2 ranks") are run alone; "dealt to" runs none."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from isthmus import programs
from isthmus.bench.framework import Context, in_turns
from isthmus.bench.measurement import Measurement, Median
from isthmus.bench.reference import TARGET
from isthmus.bench.solvers.flow_cases import RING, text_of
from isthmus.console import console
from isthmus.errors import IsthmusError

Words = dict[str, object]  # of [run]
RANKS = (1, 2, 4, 8, 16)
COUNTED = (2, 4, 8, 16, 32, 64, 128)
# 541 x 181 cells
UNEQUAL = ([56, 46, 40, 36, 34, 32, 30, 28, 28, 29, 30, 31, 32, 33, 32, 24],
           [24, 24, 20, 13, 11, 9, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8])
EQUAL = ([34] * 13 + [33] * 3, [12] * 5 + [11] * 11)
# way: words of the case file
WAYS: dict[str, Words] = {"equal numbers of blocks": {"balance": "count"},
                          "METIS with cells": {"balance": "metis"},
                          "METIS with measured work": {"balance": "metis-measured"},
                          "measured work": {"balance": "measured"},
                          "measured work, blocks cut": {"balance": "measured", "cut": True}}
BALANCED = "blocks of equal size"
OURS = tuple(WAYS)[3:]
# how bench_blocks calls the ways, in which each cell is as much work
DEALT = {"count": "equal numbers of blocks", "metis": "METIS with cells, best of 12",
         "halves": "METIS with cells, best of 12, blocks halved", "whole": "whole blocks, changed",
         "cut": "blocks cut"}
EVEN = "busiest rank over the mean of all"
CELLS = "largest over mean cells of a rank"
LEAST = f"{TARGET}: 1.02 times what the largest block allows"
BUSY = "processor time of an iteration, busiest rank"
TWICE = "busiest rank with unequal blocks over that with equal ones"
METIS = "METIS with measured work, in the same run"
NOISE = "processor times of the same work differ where ranks share cores and caches"
FEW = "ranks have few blocks or pieces each, of at least 8 cells along the cut"
LIMIT = 900  # seconds of one run


@dataclass(frozen=True)
class Outcome:
    """Of one run."""

    busy: list[float]  # s per rank and iteration
    seconds: float  # per iteration

    @property
    def imbalance(self) -> float:
        return max(self.busy) * len(self.busy) / sum(self.busy)


def measure(context: Context) -> list[Measurement]:
    lengths = [",".join(map(str, along)) for along in UNEQUAL]
    command = [str(programs.find("bench_blocks")), *lengths, *map(str, COUNTED)]
    found = list(counted(programs.output("bench_blocks", command, LIMIT, programs.mpi_environment())))
    named = context.ranks()
    for ranks in named or RANKS:
        ways = _ways(context, ranks)
        if named or context.wants(*(f"{ranks} ranks, {way}" for way in ways)):
            runs = in_turns(ways, context.repeat)
            balanced = runs.pop(BALANCED)
            found += compare(ranks, runs, balanced)
    return found


def counted(text: str) -> Iterator[Measurement]:
    """Ours beside METIS, with whole blocks or with the better of whole and halved ones where ours cuts them,
    too; and what was asked of us."""
    rivals = {"whole": ("metis",), "cut": ("metis", "halves")}
    found: dict[tuple[str, str], float] = {}  # by ranks and way
    for line in text.splitlines():
        ranks, name, even, least, pieces = line.split(",")
        case = f"dealt to {ranks} ranks, {DEALT[name]}"
        found[ranks, name] = float(even)
        if name in rivals:
            best = min(rivals[name], key=lambda way, ranks=ranks: found[ranks, way])
            yield Measurement(case, CELLS, "", float(even), found[ranks, best],
                              f"{DEALT[best]}, in the same run")
            target = (1.05, TARGET) if name == "cut" else (1.02 * float(least), LEAST)
            yield Measurement(f"{case}, target", CELLS, "", float(even), *target, why=FEW)
        else:
            yield Measurement(case, CELLS, "", float(even))
        if name not in ("count", "metis"):
            yield Measurement(case, "pieces", "", int(pieces))


def compare(ranks: int, runs: dict[str, list[Outcome]], balanced: list[Outcome]) -> Iterator[Measurement]:
    """One number of ranks; ours beside METIS and what was asked of us."""
    metis = runs.get("METIS with measured work", [])
    yield Measurement(f"{ranks} ranks, {BALANCED}", BUSY, "s", busiest(balanced))
    for way, outcomes in runs.items():
        case, even = f"{ranks} ranks, {way}", Median.of(run.imbalance for run in outcomes)
        is_ours = way in OURS
        others = Median.of(run.imbalance for run in metis) if is_ours else None
        yield Measurement(case, EVEN, "", even, others, METIS, why=NOISE)
        yield Measurement(case, BUSY, "s", busiest(outcomes), busiest(metis) if is_ours else None, METIS,
                          why=NOISE)
        yield Measurement(case, "wall time of an iteration", "s", Median.of(run.seconds for run in outcomes),
                          shown=ranks <= 2)  # more ranks than cores otherwise
        is_last = way == OURS[-1]
        over = Median.of(max(run.busy) / max(of_turn.busy)
                         for run, of_turn in zip(outcomes, balanced, strict=True))
        yield Measurement(case, TWICE, "", over, 1.05 if is_last else None, TARGET, why=NOISE)
        if is_last:
            yield Measurement(f"{case}, target", EVEN, "", even, 1.05, TARGET, why=NOISE)


def busiest(outcomes: list[Outcome]) -> Median:
    return Median.of(max(run.busy) for run in outcomes)


def _ways(context: Context, ranks: int) -> dict[str, Callable[[], Outcome]]:
    """Equal blocks, and the ways to deal unequal ones; on one rank nothing is measured before."""
    equal = {BALANCED: partial(_run, context, BALANCED, EQUAL, WAYS["equal numbers of blocks"], ranks)}
    return equal | {way: partial(_run, context, way, UNEQUAL, words, ranks)
                    for way, words in WAYS.items() if ranks > 1 or words["balance"] in ("count", "metis")}


def _run(context: Context, way: str, lengths: tuple[list[int], list[int]], words: Words,
         ranks: int) -> Outcome:
    folder = context.out / "runs" / "flow_blocks"
    folder.mkdir(parents=True, exist_ok=True)
    iterations = 20 if context.full else 8
    case = folder / "case.toml"
    case.write_text(case_text(lengths, 4 if context.full else 1, iterations, words, folder / "out"))
    console.print(f"flow on {ranks} ranks: {way}", style="dim")
    command = [*programs.mpi_launcher(), "-n", str(ranks), str(programs.find("isthmus-flow")), str(case)]
    text = programs.output("isthmus-flow", command, LIMIT, programs.mpi_environment())
    seconds = re.search(r"; ([0-9.]+) s per iteration", text)
    if seconds is None:
        raise IsthmusError("isthmus-flow is of another version: it says no time per iteration")
    with (folder / "out" / "balance.csv").open(newline="") as file:
        busy = [float(row["busy"]) / iterations for row in csv.DictReader(file)]
    return Outcome(busy, float(seconds[1]))


def case_text(lengths: tuple[list[int], list[int]], harmonics: int, iterations: int, words: Words,
              output: Path) -> str:
    return text_of({"flow": {"mach": 0.2, "reynolds": 1100},
                    "grid": {"shape": "naca", "section": "0015", "lengths-i": lengths[0],
                             "lengths-j": lengths[1], "first": 0.002},
                    "motion": {"amplitude": 2, "reduced-frequency": 0.3},
                    "time": {"kind": "harmonic", "harmonics": harmonics},
                    "run": {"iterations": iterations, "residual": 1e-30, "report": iterations,
                            "output": str(output)} | words}, RING)
