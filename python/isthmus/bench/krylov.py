# SPDX-License-Identifier: BSD-3-Clause
"""Conjugate gradients on simulated clusters: time per iteration, and the number of ranks where it is least.

The solvers are those of the library, the operator is a model (bench/krylov.cpp): its work is given, or 10 ns
for each cell of a rank, which is what the cavity takes here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from isthmus.bench import simulated
from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement, of_kind
from isthmus.bench.reference import TARGET

# a reduction over 1,024 ranks takes 55 us
CLUSTER = simulated.SHORT_WORK | {"ISTHMUS_SIMULATED_PLATFORM": "--cores 1 --latency 1500"}
ITERATIONS = 12  # of which the first tell how long messages take
LOOSE = "automatic:1e-3"  # a limit that rounding errors do not reach
WORDS = {"cg_three": "three reductions", "cg": "two reductions", "cg_merged": "one reduction",
         "cg_pipelined": "PiPePCG of the paper", "cg_repipelined": "RePiPePCG of the paper",
         "cg_predicted": "predicted gradients", "automatic": "automatic choice",
         LOOSE: "automatic choice, loose limit"}
OURS = "cg_predicted"
TIME = "simulated time per iteration"
ACCURATE = ("cg_three", "cg", "cg_merged", OURS)

TARGETS = {20: {"cg": 2.0, "cg_three": 2.8, "cg_merged": 1.15}, 80: {"cg_merged": 1.35}}
TARGET_RANKS = 1024
WHY = ("the 0.3 us of the processor that each message costs in the model, for neighbours and for the "
       "reduction, cannot be hidden")
CELL = 1e-8  # seconds per cell and iteration
# Lin et al., cavity, 4,000,000 cells, Table I: seconds of PCG and of PiPePCG by ranks
PAPER = "Lin et al., cavity, Table I: time of PCG over that of PiPePCG"
PAPER_CELLS = 4_000_000
PAPER_TIMES = {12: (141921.47, 157132.26), 24: (62009.74, 26658.99), 48: (22886.86, 46154.35),
               96: (8440.26, 14703.69), 192: (1684.50, 3555.23), 384: (1036.79, 1062.62),
               768: (806.14, 682.04), 1152: (85990.41, 35060.98), 1536: (88625.36, 36814.02)}


@dataclass(frozen=True)
class Iterations:
    """Of one method on one number of ranks."""

    ran: str  # what automatic chose
    seconds: float  # simulated, of one iteration
    polls: float  # of one iteration


Found = dict[str, Iterations]  # by method


def measure(context: Context) -> list[Measurement]:
    limit = 1200 if context.full else 120
    cases = [(16, 20.0), (64, 20.0)]
    cells, counts = 62_500, [8, 16, 32, 64, 128]  # the paper's smallest cavity
    if context.full:
        cases += [(256, 20.0), (1024, 20.0), (1024, 80.0)]
        cells, counts = PAPER_CELLS, [96, 192, 384, 768, 1536]
    found = [m for ranks, work in cases
             for m in compared(ranks, work, simulate(ranks, work, limit))]
    series = {ranks: simulate(ranks, 1e6 * CELL * cells / ranks, limit)
              for ranks in counts}
    series = {ranks: runs for ranks, runs in series.items() if runs}
    return of_kind("simulated", found + list(strong(cells, series)))


def simulate(ranks: int, work: float, limit: int) -> Found:
    """All methods, or none if they do not end within the limit in seconds; work in microseconds."""
    found = simulated.rows("bench_krylov", ranks, [str(work), str(ITERATIONS), *WORDS], limit, CLUSTER)
    return {row["method"]: Iterations(row["ran"], 1e-6 * float(row["microseconds"]), float(row["polls"]))
            for row in found}


def compared(ranks: int, work: float, runs: Found) -> Iterator[Measurement]:
    """One number of ranks and amount of work: each method, gains of ours, the automatic choice."""
    case = f"{ranks:,} ranks, {work:g} us of work"
    for method, run in runs.items():
        yield Measurement(f"{case}, {WORDS[method]}", TIME, "s", run.seconds)
    if OURS not in runs:
        return
    for method in ("cg_three", "cg", "cg_merged"):
        target = TARGETS.get(int(work), {}).get(method) if ranks == TARGET_RANKS else None
        yield Measurement(f"{case}, over {WORDS[method]}", "gain of the predicted gradients", "",
                          runs[method].seconds / runs[OURS].seconds, target, TARGET if target else "",
                          more_is_better=True, why=WHY)
    yield Measurement(case, "looks at messages per iteration", "", runs[OURS].polls)
    yield from chosen(case, runs)


def chosen(case: str, runs: Found) -> Iterator[Measurement]:
    """What automatic takes beside the fastest: of all that are accurate, and of all under a loose limit."""
    for method, others in (("automatic", ACCURATE), (LOOSE, tuple(m for m in WORDS if ":" not in m))):
        if method in runs:
            least = min(runs[other].seconds for other in others)
            words = f"{case}, {WORDS[method]}: {runs[method].ran}"
            yield Measurement(words, "automatic over the fastest", "", runs[method].seconds / least, 1.02,
                              TARGET, why="the choice models times of what an iteration is made of")


def strong(cells: int, series: dict[int, Found]) -> Iterator[Measurement]:
    """One size on more and more ranks."""
    for ranks, runs in series.items():
        case = f"{cells:,} cells on {ranks:,} ranks"
        for method, run in runs.items():
            yield Measurement(f"{case}, {WORDS[method]}", TIME, "s", run.seconds, shown=False)
        pcg, pipelined = PAPER_TIMES.get(ranks, (0.0, 0.0)) if cells == PAPER_CELLS else (0.0, 0.0)
        theirs = pcg / pipelined if pipelined else None
        for method in ("cg_pipelined", OURS):
            yield Measurement(f"{case}, {WORDS[method]}", "gain over three reductions", "",
                              runs["cg_three"].seconds / runs[method].seconds, theirs,
                              PAPER if theirs else "", more_is_better=True,
                              why="whole runs on a machine whose blocking sums take milliseconds there")
        yield from chosen(case, runs)
    for method, words in WORDS.items():
        if ":" not in method:
            times = {ranks: runs[method].seconds for ranks, runs in series.items()}
            best = min(times, key=times.__getitem__)
            yield Measurement(f"{cells:,} cells, {words}", "best number of ranks", "", best)
            yield Measurement(f"{cells:,} cells, {words}, {best:,} ranks", "least time per iteration", "s",
                              times[best])
