# SPDX-License-Identifier: BSD-3-Clause
"""Exchange of particles between ranks that do not know how many will come, on simulated clusters.

A column of water collapses (explicit MPS); who sends how many particles to whom is recorded for every number
of ranks and replayed, on 36 ranks on 1 to 9 nodes and 72 ranks on 9 as in Abe et al., then on 64 and 256
ranks (--full: 1,024). Then, without a flow, 1 to 8 particles go to each of 8 ranks, on 64 and 1,024 ranks
(--full: 4,096), every rank on a node of its own. The ways: sizes known (payload alone), an all-to-all of
counts, one-sided puts of counts (not above 256 ranks: the simulator does not end), consensus, and counts in
the payload to remembered partners; `agreed` adds a reduction of one flag to it, for codes that have none of
their own. Then the front of the water beside published MPS, and the flow on 1 to 8 ranks, bit by bit."""

from __future__ import annotations

from isthmus.bench import particles, reference
from isthmus.bench.framework import Context, Measurement
from isthmus.bench.particles import Exchange
from isthmus.bench.reference import TARGET

OURS = "remembered"
WAYS = ["payload", "all-to-all", "put-fence", "put-passive", "consensus", OURS, "agreed"]
LARGE_WAYS = [way for way in WAYS if not way.startswith("put")]
AROUND_WAYS = ["payload", "all-to-all", OURS]
STEPS = 34  # 30 with the same bricks, and the first
PAPER = "Abe et al., one-sided communication for the MPS method (all-to-all over put, one run on JSS3)"
NEAR = "ranks next to a brick get a message even where no particle is near"
MACHINE = ("the paper's own method; the gain that it reports belongs to its machine's MPI; a model of "
           "latency and bandwidth does not show it")
MODEL = ("ours takes as long as the payload alone, which nobody can avoid; in this network model, a switch "
         "that nothing blocks, the all-to-all of 4-byte counts costs no more than this beside it")
FASTER = "all-to-all of counts, then the payload, in the same run"


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
        found += of_ways(f"{ranks} ranks", particles.replay(context, ranks, steps, WAYS))
    if context.full:
        particles.record(context, 192, 4, [1024])
        found += of_ways("1,024 ranks", particles.replay(context, 1024, 4, LARGE_WAYS))
    for ranks, steps in ((64, 12), (1024, 3), (4096, 2)) if context.full else ((64, 12), (1024, 2)):
        ways = particles.around(ranks, steps, WAYS if ranks == 64 else AROUND_WAYS)
        found += of_ways(f"{ranks:,} ranks, 8 neighbours", ways, target=reference.TARGET_ALL_TO_ALL[ranks])
    return found + front(context) + flows()


def of_ways(case: str, ways: dict[str, Exchange], paper: float | None = None,
            target: float | None = None) -> list[Measurement]:
    """Ratios of simulated times within one run, and counts."""
    if not ways:
        return []
    ours, payload, naive = ways[OURS], ways["payload"], ways["all-to-all"]

    def over(first: str, second: str, least: float | None, source: str, why: str) -> Measurement:
        return Measurement(case, f"{first} over {'ours' if second == OURS else second}", "",
                           ways[first].seconds / ways[second].seconds, least, source if least else "",
                           more_is_better=True, why=why)

    found = [Measurement(case, "ours over payload alone", "", ours.seconds / payload.seconds,
                         reference.TARGET_OVER_PAYLOAD, TARGET, why=NEAR),
             over("all-to-all", OURS, target or paper or 1.0,
                  TARGET if target else PAPER if paper else FASTER, MODEL)]
    for put in ("put-fence", "put-passive"):
        if put in ways:
            found += [over(put, OURS, 1.0, TARGET, MODEL), over("all-to-all", put, paper, PAPER, MACHINE)]
    if "consensus" in ways:
        found.append(over("consensus", OURS, 1.0, TARGET, MODEL))
    found += [Measurement(case, f"messages beside the payload, {name}, all ranks", "",
                          way.sent_sum - way.partners_sum)
              for name, way in (("ours", ours), ("all-to-all", naive))]
    for way, exchange in ways.items():
        for quantity, figure in (("median", exchange.seconds), ("lower quartile", exchange.low),
                                 ("upper quartile", exchange.high)):
            what = f"simulated time, {way}, {quantity} of {exchange.steps} steps"
            found.append(Measurement(case, what, "s", figure, shown=False))
        if exchange.divided is not None:
            found.append(Measurement(case, f"simulated time with new bricks, {way}", "s",
                                     exchange.divided, shown=False))
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
    case = "column of water, height twice the width"
    return [Measurement(case, "speed of the front", "", ours, reference.MPS_FRONT_SLOPE, reference.MPS,
                        more_is_better=True, tolerance=0.1),
            Measurement(case, "speed of the front, deviation", "", off, 0.1, TARGET)]


def flows() -> list[Measurement]:
    """Numbers of ranks on which the flow ends in other bits than on one."""
    serial = particles.flow(1, 24, 200)
    differing = sum(particles.flow(ranks, 24, 200) != serial for ranks in (2, 4, 8))
    return [Measurement("1 to 8 ranks, 200 steps, new bricks every 20",
                        "flows that differ in a bit or a particle", "", differing, 0, TARGET)]
