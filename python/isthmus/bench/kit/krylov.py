# SPDX-License-Identifier: BSD-3-Clause
"""Conjugate gradients on simulated clusters: time per iteration, and the number of ranks where it is least.

The solvers are those of the library, the operator is a model (bench/kit/krylov.cpp): its work is
given, or 10 ns for each cell of a rank, which is what the cavity takes here."""

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
         "cg_pipelined": "PiPePCG of Lin et al.", "cg_repipelined": "RePiPePCG of Lin et al.",
         "cg_predicted": "predicted gradients", "automatic": "automatic choice",
         LOOSE: "automatic choice, loose limit"}
OURS = "cg_predicted"
TIME = "simulated time per iteration"
ACCURATE = ("cg_three", "cg", "cg_merged", OURS)

OTHERS = ("cg_three", "cg", "cg_merged", "cg_pipelined", "cg_repipelined")
WHY = "those of Lin et al. stop at a residual of 5e-9 of the cavity, where ours reaches 1e-13 (see cavity)"
CELL = 1e-8  # seconds per cell and iteration
LARGE = 4_000_000  # cells, of Lin et al., Table I


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
    cells, counts = 62_500, [8, 16, 32, 64, 128]  # the smallest cavity of Lin et al.
    if context.full:
        cases += [(256, 20.0), (1024, 20.0), (1024, 80.0)]
        cells, counts = LARGE, [96, 192, 384, 768, 1536]
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
    if OURS not in runs:
        return
    yield from each(case, runs)
    for method in ("cg_three", "cg", "cg_merged"):
        yield Measurement(f"{case}, over {WORDS[method]}", "gain of the predicted gradients", "",
                          runs[method].seconds / runs[OURS].seconds, more_is_better=True)
    yield Measurement(case, "looks at messages per iteration", "", runs[OURS].polls)
    yield from chosen(case, runs)


def each(case: str, runs: Found) -> Iterator[Measurement]:
    """Each method; ours stands beside the fastest other one."""
    best = min((method for method in OTHERS if method in runs), key=lambda method: runs[method].seconds)
    for method, run in runs.items():
        yield Measurement(f"{case}, {WORDS[method]}", TIME, "s", run.seconds,
                          runs[best].seconds if method == OURS else None,
                          f"{WORDS[best]}, the fastest other method in the same run", why=WHY)


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
        if OURS in runs:
            yield from each(case, runs)
        yield from chosen(case, runs)
    for method, words in WORDS.items():
        if ":" not in method:
            times = {ranks: runs[method].seconds for ranks, runs in series.items()}
            best = min(times, key=times.__getitem__)
            yield Measurement(f"{cells:,} cells, {words}", "best number of ranks", "", best)
            yield Measurement(f"{cells:,} cells, {words}, {best:,} ranks", "least time per iteration", "s",
                              times[best])
