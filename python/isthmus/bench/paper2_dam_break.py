# SPDX-License-Identifier: BSD-3-Clause
"""A breaking dam: whole time steps with several patterns of messages on simulated clusters, and the flow.

The step is a real one (src/isthmus/discrete/dam_break.hpp): two limited transports, three correctors with a
pressure each, on as many cells as in the paper. Two numbers of the model follow from the paper's figures for
768 ranks: the latency of a link, so that sums take the share of Fig. 3, and the iterations of a pressure, so
that limiter and solver take those of Fig. 2. A few iterations are simulated, the others take as long as they.
--full: all numbers of ranks, weak scaling, three dimensions; else a cell stands for 16."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from isthmus import programs
from isthmus.bench import simulated
from isthmus.bench.framework import Context, Measurement
from isthmus.bench.reference import TARGET
from isthmus.console import console

# 12 cores a node and 40 Gb/s as in the paper; a reduction over 768 ranks takes 50 us
CLUSTER = simulated.SHORT_WORK | {"ISTHMUS_SIMULATED_CORES": "12",
                                  "ISTHMUS_SIMULATED_PLATFORM": "--bandwidth 3.2 --latency 2200",
                                  "ISTHMUS_SIMULATED_MEMORY": "60000"}
LIMIT = 1500  # seconds of one run
WORDS = {"original": "sizes combined on all ranks, three reductions (OpenFOAM 2.3)",
         "paper": "sizes remembered, RePiPePCG (Lin et al.)",
         "paper_pipelined": "sizes remembered, PiPePCG (Lin et al.)",
         "direct": "no sizes, three reductions (ESI v2106)", "ours": "ours"}
CORRECTORS = 3
SIMULATED = 5  # iterations of each
ITERATIONS = 38  # of each, of which the others are not simulated
PAPER_CELLS = (1428, 1, 1)  # cells along a side, layers, cells that one stands for
SMALL_CELLS = (357, 1, 16)
PAPER = "Lin et al., damBreak"
# best over best, on 768 ranks, weak on 1,536: Tables I and II, targets
GAINS = {"paper": (24.16 / 15.98, 83.31 / 15.98, 640.8 / 153.96),
         "paper_pipelined": (24.16 / 14.94, 83.31 / 14.94, 640.8 / 150.88), "ours": (2.2, 8.0, 6.0)}
HEAD = "Lin et al., head form, whose grid the paper does not tell"
HEAD_GAIN = 1 / (1 - 0.6387)
HEAD_WHY = "another grid, solver and share of the limiter"
SAME_RUN = "sizes remembered, pipelined gradients, on the same cluster"
SHARES = {"limiter": 0.698, "solver": 0.208}  # Fig. 2, 768 ranks
STEP = "simulated time of a step"
LEAST = "least simulated time of a step"
GAIN = "gain over OpenFOAM 2.3"
GAIN_HERE = "gain over the paper's version"
WHY = "the products and loops of as many iterations, which all patterns have in common, remain"
# Koshizuka, Oka 1996: widths of the column over time sqrt(width / (2 gravity))
FRONT = ((0.381, 1.111), (0.769, 1.252), (1.153, 1.505), (1.537, 1.892), (1.935, 2.241), (2.323, 2.615),
         (2.719, 3.003), (3.096, 3.624))
WIDTH = 0.25  # of the column, in sides of the basin


@dataclass(frozen=True)
class Step:
    """Of one pattern on one number of ranks; seconds."""

    method: str  # of the solver
    simulated: float
    limiter: float
    iteration: float

    @property
    def solver(self) -> float:
        return CORRECTORS * ITERATIONS * self.iteration

    @property
    def whole(self) -> float:
        return self.simulated + CORRECTORS * (ITERATIONS - SIMULATED) * self.iteration


Series = dict[int, dict[str, Step]]  # by ranks and pattern


def measure(context: Context) -> list[Measurement]:
    ranks = (12, 24, 48, 96, 192, 384, 768) if context.full else (12, 24, 48)
    series = simulate(PAPER_CELLS if context.full else SMALL_CELLS, ranks, tuple(WORDS))
    found = list(strong(series))
    if context.full:
        found += weak()
        patterns = ("original", "paper_pipelined", "ours")
        found += solid(simulate((64, 64, 8), (48, 96, 192, 384, 768), patterns))
    front = flow(64 if context.full else 32)
    found += front.measurements
    from isthmus.plot.dam_break import dam_break_picture  # takes a while

    if series:
        dam_break_picture((context.results or context.out) / "paper2-dam.png", found, front.points)
    return found


def simulate(cells: tuple[int, int, int], ranks: Sequence[int], patterns: Sequence[str]) -> Series:
    """Each pattern in a run of its own: simulated times do not depend on what ran before. Without the numbers
    of ranks where one does not end within the limit."""
    n, layers, weight = cells
    series: Series = {}
    for number in ranks:
        steps = series[number] = {}
        for pattern in patterns:
            arguments = [str(n), str(layers), "1", str(SIMULATED), str(weight), pattern]
            for row in simulated.rows("bench_dam_break", number, arguments, LIMIT, CLUSTER):
                times = (1e-6 * float(row[name]) for name in ("step_us", "limiter_us", "iteration_us"))
                steps[pattern] = Step(row["method"], *times)
    return {number: steps for number, steps in series.items() if len(steps) == len(patterns)}


def strong(series: Series) -> Iterator[Measurement]:
    """One size on more and more ranks."""
    for ranks, steps in series.items():
        for pattern, step in steps.items():
            yield Measurement(f"{ranks:,} ranks, {WORDS[pattern]}", STEP, "s", step.whole)
    best = _best(series)
    for pattern, (seconds, ranks) in best.items():
        yield Measurement(f"{WORDS[pattern]}, {ranks:,} ranks", LEAST, "s", seconds)
    if 768 not in series:
        return
    for pattern, (best_gain, gain, _) in GAINS.items():
        source = TARGET if pattern == "ours" else PAPER
        yield Measurement(f"{WORDS[pattern]}, each on its best number of ranks", GAIN, "",
                          best["original"][0] / best[pattern][0], best_gain, source, more_is_better=True)
        yield Measurement(f"{WORDS[pattern]}, 768 ranks", GAIN, "",
                          series[768]["original"].whole / series[768][pattern].whole, gain, source,
                          more_is_better=True, why=WHY)
    yield Measurement("ours, 768 ranks", "gain over ESI v2106", "",
                      series[768]["direct"].whole / series[768]["ours"].whole, 1.3, TARGET,
                      more_is_better=True)
    paper = min(step.whole for pattern, step in series[768].items() if pattern.startswith("paper"))
    yield Measurement("ours, 768 ranks", GAIN_HERE, "", paper / series[768]["ours"].whole, 1.0, SAME_RUN,
                      more_is_better=True)
    original = series[768]["original"]
    for part, share in SHARES.items():
        yield Measurement(f"768 ranks, {part}", "share of OpenFOAM 2.3's step, the model's condition", "",
                          getattr(original, part) / original.whole, share, f"{PAPER}, Fig. 2",
                          more_is_better=True, tolerance=0.1)


def weak() -> Iterator[Measurement]:
    """10,631 cells on each rank, of which one stands for 4."""
    for ranks in (12, 96, 1536):
        n = round((16_329_600 / 4 * ranks / 1536)**0.5)
        for steps in simulate((n, 1, 4), (ranks,), ("original", "paper", "ours")).values():
            for pattern in ("paper", "ours"):
                gain, is_last = GAINS[pattern][2], ranks == 1536
                source = (TARGET if pattern == "ours" else PAPER) if is_last else ""
                yield Measurement(f"10,631 cells a rank, {ranks:,} ranks, {WORDS[pattern]}",
                                  "gain over OpenFOAM 2.3, weak scaling", "",
                                  steps["original"].whole / steps[pattern].whole, gain if is_last else None,
                                  source, more_is_better=True, why=WHY)
            yield Measurement(f"10,631 cells a rank, {ranks:,} ranks, ours", GAIN_HERE, "",
                              steps["paper"].whole / steps["ours"].whole, 1.0, SAME_RUN, more_is_better=True)


def solid(series: Series) -> Iterator[Measurement]:
    """Three dimensions: up to six neighbours."""
    best = _best(series)
    for pattern, (seconds, ranks) in best.items():
        yield Measurement(f"128 x 128 x 128 cells, {WORDS[pattern]}, {ranks:,} ranks",
                          LEAST, "s", seconds)
    for pattern in ("paper_pipelined", "ours"):
        yield Measurement(f"128 x 128 x 128 cells, {WORDS[pattern]}, each on its best number of ranks",
                          GAIN, "", best["original"][0] / best[pattern][0], HEAD_GAIN, HEAD,
                          more_is_better=True, why=HEAD_WHY)


@dataclass(frozen=True)
class Flow:
    """The water on the floor: time and front in units of FRONT."""

    points: list[tuple[float, float]]
    measurements: list[Measurement]


def flow(n: int) -> Flow:
    """The dam breaks on one rank until the front has passed the last of FRONT."""
    console.print(f"a dam breaks, {n} x {n} cells", style="dim")
    command = [str(programs.find("bench_dam_break")), str(n), "until", "1.11"]
    text = programs.output("bench_dam_break", command, LIMIT, programs.mpi_environment())
    lines, bounds = text.split("steps,overshoot,volume_change\n")
    scale = (2 / WIDTH)**0.5
    points = [(scale * float(time), float(front) / WIDTH) for time, front in csv.reader(lines.splitlines())]
    _, overshoot, change = (float(value) for value in bounds.split(","))
    (t0, z0), (t1, z1) = ((time, _front_at(time, points)) for time in (FRONT[-4][0], FRONT[-1][0]))
    theirs = (FRONT[-1][1] - FRONT[-4][1]) / (FRONT[-1][0] - FRONT[-4][0])
    case = f"dam break, {n} x {n} cells"
    worst = max(abs(_front_at(time, points) - front) for time, front in FRONT)
    return Flow(points, [
        Measurement(case, "speed of the front beside the experiment's", "",
                    abs((z1 - z0) / (t1 - t0) / theirs - 1), 0.1, "Koshizuka, Oka 1996"),
        Measurement(case, "front off the experiment's at most, widths of the column", "", worst),
        Measurement(case, "overshoot", "", overshoot, 1e-6, "divergence that the solver leaves"),
        Measurement(case, "volume lost", "", change, 1e-12, TARGET)])


def _front_at(time: float, points: Sequence[tuple[float, float]]) -> float:
    """Between the times when it enters cells."""
    before = max(point for point in points if point[0] <= time)
    after = min((point for point in points if point[0] > time), default=before)
    share = 0.0 if after == before else (time - before[0]) / (after[0] - before[0])
    return before[1] + share * (after[1] - before[1])


def _best(series: Series) -> dict[str, tuple[float, int]]:
    """Least time of each pattern, and on how many ranks."""
    patterns = dict.fromkeys(pattern for steps in series.values() for pattern in steps)
    return {pattern: min((steps[pattern].whole, ranks) for ranks, steps in series.items() if pattern in steps)
            for pattern in patterns}
