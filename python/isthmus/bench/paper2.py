# SPDX-License-Identifier: BSD-3-Clause
"""Conjugate gradients that hide their reductions, on simulated clusters, beside those of Lin et al.

Time per iteration over the number of ranks for plain conjugate gradients with three (OpenFOAM), two and
one reduction, the paper's PiPePCG and RePiPePCG, the predicted gradients of Isthmus and its automatic
choice; --full: up to 1,024 ranks and with 80 us of work. The solvers are those of the library, the
operator is a model (bench/krylov.cpp). The paper's figures are whole runs of another code on another
machine: only their ratios stand beside ours."""

from __future__ import annotations

from isthmus.bench import mules
from isthmus.bench.framework import Context, Measurement
from isthmus.bench.krylov import Iterations, simulate

PAPER = "Lin et al., cavity, Table I: PCG over PiPePCG"
PAPER_GAIN = {192: 0.47, 384: 0.98, 768: 1.18}  # 1684.50/3555.23, 1036.79/1062.62, 806.14/682.04
TARGET = "target"
TARGETS = {20: {"cg": 2.0, "cg_three": 2.8, "cg_merged": 1.15}, 80: {"cg_merged": 1.35}}
TARGET_RANKS = 1024
METHODS = ("cg_three", "cg", "cg_merged", "cg_pipelined", "cg_repipelined", "cg_predicted", "automatic")
OURS = "cg_predicted"
WORDS = {"cg_three": "three reductions", "cg": "two reductions", "cg_merged": "one reduction",
         "cg_pipelined": "PiPePCG of the paper", "cg_repipelined": "RePiPePCG of the paper",
         "cg_predicted": "predicted gradients", "automatic": "automatic choice"}


def measure(context: Context) -> list[Measurement]:
    cases = [(16, 20.0), (64, 20.0)]
    if context.full:
        cases += [(256, 20.0), (1024, 20.0), (1024, 80.0)]
    found = []
    for ranks, work in cases:
        runs = {run.method: run for run in simulate(ranks, work, METHODS, 600 if context.full else 30)}
        found += _compare(ranks, work, runs)
    return found + mules.measure(context)


def _compare(ranks: int, work: float, runs: dict[str, Iterations]) -> list[Measurement]:
    case = f"{ranks:,} simulated ranks, {work:g} us of work"
    found = [Measurement(f"{case}, {WORDS[run.method]}", "simulated time per iteration", "s", run.seconds)
             for run in runs.values()]
    ours = runs.get(OURS)
    if ours is None:
        return found
    for method in ("cg_three", "cg", "cg_merged"):
        if method in runs:
            target = TARGETS.get(int(work), {}).get(method) if ranks == TARGET_RANKS else None
            found.append(Measurement(f"{case}, over {WORDS[method]}", "gain of the predicted gradients", "",
                                     runs[method].seconds / ours.seconds, target, TARGET if target else "",
                                     more_is_better=True))
    if "cg" in runs and "cg_pipelined" in runs:
        found.append(Measurement(f"{case}, PiPePCG over two reductions", "gain of the paper's method", "",
                                 runs["cg"].seconds / runs["cg_pipelined"].seconds,
                                 max(PAPER_GAIN.values()), PAPER, more_is_better=True))
    found.append(Measurement(case, "looks at messages per iteration", "", ours.polls))
    if "automatic" in runs:
        least = min(run.seconds for run in runs.values() if run.method != "automatic")
        found.append(Measurement(f"{case}, chose {runs['automatic'].ran}", "automatic over the fastest", "",
                                 runs["automatic"].seconds / least, 1.02, TARGET,
                                 why="pipelined gradients without repair are not chosen for tight limits"))
    return found
