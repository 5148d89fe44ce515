# SPDX-License-Identifier: BSD-3-Clause
"""Exchange of particles between ranks that do not know how many will come, on simulated clusters.

A column of water collapses (explicit MPS); who sends how many particles to whom is recorded for every number of
ranks and replayed, on 36 ranks on 1 to 9 nodes and 72 ranks on 9 as in Abe et al., then on 64 and 256 ranks
(--full: 1,024 and 4,096). The ways: sizes known (payload alone), an all-to-all of counts, one-sided puts of
counts (not above 256 ranks: the simulator does not end), consensus, and counts in the payload to remembered
partners; `agreed` adds a reduction of one flag to it, for codes that have none of their own. Then the front of
the water beside published MPS, and the flow on 1 to 8 ranks, bit by bit."""

from __future__ import annotations

from isthmus.bench import particles, reference
from isthmus.bench.framework import Context, Measurement
from isthmus.bench.particles import Exchange
from isthmus.bench.reference import TARGET

OURS = "remembered"
WAYS = ["payload", "all-to-all", "put-fence", "put-passive", "consensus", OURS, "agreed"]
LARGE_WAYS = [way for way in WAYS if not way.startswith("put")]
STEPS = 34  # 30 with the same bricks, and the first
PAPER = "Abe et al., one-sided communication for the MPS method (all-to-all over put, one run on JSS3)"
MODEL = ("in this network model an all-to-all of 4-byte counts on so few ranks costs little; what remains is "
         "bounded by the payload itself")


def measure(context: Context) -> list[Measurement]:
    particles.record(context, 64, STEPS, [36, 64, 72, 256])
    found = []
    for nodes in (1, 2, 4, 6, 9):
        way = particles.replay(context, 36, STEPS, WAYS, cores=-(-36 // nodes))
        found += of_ways(f"36 ranks on {nodes} node{'s' if nodes > 1 else ''}", way,
                         {6: reference.PUT_SPEEDUP_36}.get(nodes))
    found += of_ways("72 ranks on 9 nodes", particles.replay(context, 72, STEPS, WAYS, cores=8),
                     reference.PUT_SPEEDUP_72)
    for ranks, steps in ((64, STEPS), (256, STEPS if context.full else 12)):
        found += of_ways(f"{ranks} ranks", particles.replay(context, ranks, steps, WAYS),
                         target=reference.TARGET_ALL_TO_ALL.get(ranks))
    if context.full:
        particles.record(context, 192, STEPS, [1024, 4096])
        for ranks, steps in ((1024, 12), (4096, 3)):
            found += of_ways(f"{ranks:,} ranks", particles.replay(context, ranks, steps, LARGE_WAYS),
                             target=reference.TARGET_ALL_TO_ALL[ranks])
    return found + front(context) + flows()


def of_ways(case: str, ways: dict[str, Exchange], paper: float | None = None,
            target: float | None = None) -> list[Measurement]:
    """Ratios of simulated times within one run, and counts."""
    if not ways:
        return []
    ours, payload, naive = ways[OURS], ways["payload"], ways["all-to-all"]
    found = [Measurement(case, "ours over payload alone", "", ours.seconds / payload.seconds,
                         reference.TARGET_OVER_PAYLOAD, TARGET, why="ranks next to a brick get a message even "
                         "where no particle is near"),
             Measurement(case, "all-to-all over ours", "", naive.seconds / ours.seconds, target or paper,
                         TARGET if target else PAPER, more_is_better=True, why=MODEL),
             Measurement(case, "messages beside the payload, ours, all ranks", "", ours.sent_sum - ours.partners_sum),
             Measurement(case, "messages beside the payload, all-to-all, all ranks", "",
                         naive.sent_sum - naive.partners_sum)]
    for put in ("put-fence", "put-passive"):
        if put in ways:
            found += [Measurement(case, f"{put} over ours", "", ways[put].seconds / ours.seconds, 1.0, TARGET,
                                  more_is_better=True),
                      Measurement(case, f"all-to-all over {put}", "", naive.seconds / ways[put].seconds, paper,
                                  PAPER, more_is_better=True, why="this is the paper's own method; the gain that "
                                  "it reports belongs to that machine's MPI, a latency model does not show it")]
    found.append(Measurement(case, "consensus over ours", "", ways["consensus"].seconds / ours.seconds, 1.0, TARGET,
                             more_is_better=True))
    for way, exchange in ways.items():
        for quantity, figure in (("median", exchange.seconds), ("lower quartile", exchange.low),
                                 ("upper quartile", exchange.high)):
            found.append(Measurement(case, f"simulated time, {way}, {quantity} of {exchange.steps} steps", "s", figure,
                                     shown=False))
        if exchange.divided is not None:
            found.append(Measurement(case, f"simulated time with new bricks, {way}", "s", exchange.divided,
                                     shown=False))
        found += [Measurement(case, f"messages of the busiest rank, {way}", "", exchange.sent, shown=False),
                  Measurement(case, f"bytes of all ranks, {way}", "B", exchange.bytes_sum, shown=False)]
    return found


def front(context: Context) -> list[Measurement]:
    """How fast the front runs from 2 to 3.6 widths, time in square roots of width over twice the gravity."""
    way = particles.front(32 if context.full else 24)

    def when(place: float) -> float:
        return next(time for time, reach in way if reach >= place) * 2 ** 0.5

    ours = (3.6 - 2) / (when(3.6) - when(2))
    off = abs(ours / reference.MPS_FRONT_SLOPE - 1)
    return [Measurement("column of water, height twice the width", "speed of the front", "", ours,
                        reference.MPS_FRONT_SLOPE, reference.MPS, more_is_better=True, tolerance=0.1),
            Measurement("column of water, height twice the width", "speed of the front, deviation", "", off, 0.1,
                        TARGET)]


def flows() -> list[Measurement]:
    """Numbers of ranks on which the flow ends in other bits than on one."""
    serial = particles.flow(1, 24, 200)
    differing = sum(particles.flow(ranks, 24, 200) != serial for ranks in (2, 4, 8))
    return [Measurement("1 to 8 ranks, 200 steps, new bricks every 20", "flows that differ in a bit or a particle", "",
                        differing, 0, TARGET)]
