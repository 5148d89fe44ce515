# SPDX-License-Identifier: BSD-3-Clause
"""Exchange of particles between ranks that do not know how many will come, on simulated clusters.

A column of water collapses (explicit MPS); who sends how many particles to whom is recorded for every
number of ranks and replayed, on 36 ranks on 1 to 9 nodes and 72 ranks on 9 as in Abe et al., then on 64
and 256 ranks. Then, without a flow, 1 to 8 particles go to each of 8 ranks, on 64 and 256 ranks (--full:
1,024; --only "4,096 ranks": these, 4 steps), every rank on a node of its own. Then the particle solver's own
exchanges on 36 and 72 ranks, simulated on 1 to 9 nodes and on ranks of this machine (--only "the solver").
Medians of at least 30 steps but on 4,096 ranks. The ways: an all-to-all of counts, one-sided puts of counts,
consensus, and ours, `agreed`: counts in the payload to remembered partners, with an agreement in every step
whether somebody sends beyond them. Without it stand `payload` (sizes known to everybody, which no code has)
and `remembered` (a code that has such an agreement of its own). Then the front of the water beside an
experiment, and the flow on 1 to 8 ranks, bit by bit."""

from __future__ import annotations

from pathlib import Path

from isthmus.bench import reference
from isthmus.bench.framework import Context
from isthmus.bench.kit import particle_runs
from isthmus.bench.kit.particle_runs import Exchange
from isthmus.bench.measurement import Measurement, of_kind
from isthmus.bench.reference import TARGET

OURS = "agreed"  # in each step, whether somebody sends beyond the ranks next to its own
TIME = "simulated time of an exchange"
OTHERS = ("all-to-all", "put-fence", "put-passive", "consensus")
WAYS = ["payload", *OTHERS, "remembered", OURS]
LARGE_WAYS = [way for way in WAYS if not way.startswith("put")]
STEPS = 34  # 30 with the same bricks, and the first
LIVE = (2, 4, 8, 16)  # ranks of this machine
RECORDED = (36, 72)  # of the publication
SHARE = ("target of this project; a step is the exchange and the processor time of a step on one rank here, "
         "divided by the ranks")
AROUND_STEPS = 32  # the first is none
MOST_STEPS = 5  # on 4,096 ranks, where each takes a core for a minute or so
MOST_WAYS = ["payload", "all-to-all", "remembered", OURS]
AGREEMENT = "a question to all ranks and messages to ranks that get nothing cost that much here"


def measure(context: Context) -> list[Measurement]:
    """--only with the beginning of a case ("the solver") measures that part alone, with "of this machine" the
    exchanges of the solver on real ranks."""
    def is_asked(head: str) -> bool:
        return context.only.startswith(head) or head.startswith(context.only)

    def is_live(ranks: int) -> bool:
        head = f"the solver, {ranks} ranks of this machine"
        return is_asked(head) or head.endswith(context.only)

    simulated: list[Measurement] = []
    if any(is_asked(head) for head in ("36 ranks", "64 ranks", "72 ranks", "256 ranks", "1,024 ranks")):
        simulated += recorded(context)
    if is_asked("4,096 ranks, 8 neighbours") and context.only:
        simulated += of_ways("4,096 ranks, 8 neighbours",
                             particle_runs.around(4096, MOST_STEPS, MOST_WAYS))
    nodes = [ranks for ranks in RECORDED if is_asked(f"the solver, {ranks} ranks on ")]
    here = [ranks for ranks in (*LIVE, *RECORDED) if is_live(ranks)]
    if nodes or here:
        busy, traces = particle_runs.solved(context, 64, STEPS, sorted({*nodes, *here}))
        for ranks in nodes:
            simulated += solver(context, ranks, busy, traces[ranks])
    found = of_kind("simulated", simulated)
    for ranks in here:
        found += live(ranks, traces[ranks])
    if is_asked("column of water"):
        found += front(context)
    return [*found, *(flows() if is_asked("1 to 8 ranks") else [])]


def recorded(context: Context) -> list[Measurement]:
    """Exchanges of the benchmark's own flow, and with 8 neighbours without a flow."""
    particle_runs.record(context, 64, STEPS, [36, 64, 72, 256])
    found = []
    for nodes in (1, 2, 4, 6, 9):
        ways = particle_runs.replay(context, 36, STEPS, WAYS, cores=-(-36 // nodes))
        found += of_ways(f"36 ranks on {nodes} node{'s' if nodes > 1 else ''}", ways)
    found += of_ways("72 ranks on 9 nodes", particle_runs.replay(context, 72, STEPS, WAYS, cores=8))
    for ranks in (64, 256):
        found += of_ways(f"{ranks} ranks", particle_runs.replay(context, ranks, STEPS, LARGE_WAYS))
    for ranks in (64, 256, 1024) if context.full else (64, 256):
        ways = particle_runs.around(ranks, AROUND_STEPS, LARGE_WAYS)
        found += of_ways(f"{ranks:,} ranks, 8 neighbours", ways)
    return found


def solver(context: Context, ranks: int, busy: float, trace: Path) -> list[Measurement]:
    """Exchanges of the particle solver, recorded while it ran on so many ranks, on 1 to 9 nodes; and what
    finding receivers is of a step of those ranks, which takes one rank so many seconds of its processor."""
    found = []
    for nodes in range(1, 10):
        ways = particle_runs.replay(context, ranks, STEPS, WAYS, cores=-(-ranks // nodes), trace=trace)
        case = f"the solver, {ranks} ranks on {nodes} node{'s' if nodes > 1 else ''}"
        found += of_ways(case, ways)
        if ways:
            more = ways[OURS].seconds - ways["payload"].seconds
            found.append(Measurement(f"{case}, {OURS}", "share of finding receivers in a step", "",
                                     more / (ways[OURS].seconds + busy / ranks), 0.05, SHARE))
    return found


def live(ranks: int, trace: Path) -> list[Measurement]:
    """The same on ranks of this machine; other work disturbs it."""
    ways = particle_runs.live(trace, ranks, STEPS, WAYS)
    return of_ways(f"the solver, {ranks} ranks of this machine", ways, "time of an exchange")


def of_ways(case: str, ways: dict[str, Exchange], time: str = TIME) -> list[Measurement]:
    """Times within one run, ours beside the fastest other way; counts."""
    if not ways:
        return []
    best = min((way for way in OTHERS if way in ways), key=lambda way: ways[way].seconds)
    source = f"{best}, the fastest other way, in the same run"
    found = []
    for way, exchange in ways.items():
        is_ours = way == OURS
        found.append(Measurement(f"{case}, {way}", time, "s", exchange.seconds,
                                 ways[best].seconds if is_ours else None, source, why=AGREEMENT))
        if exchange.divided is not None:
            kind = "simulated time" if time == TIME else "time"
            found.append(Measurement(f"{case}, {way}", f"{kind} with new bricks", "s", exchange.divided,
                                     shown=False))
        found += [Measurement(f"{case}, {way}", "messages of all ranks", "", exchange.sent_sum),
                  Measurement(f"{case}, {way}", "messages of the busiest rank", "", exchange.sent,
                              shown=False),
                  Measurement(f"{case}, {way}", "bytes of all ranks", "B", exchange.bytes_sum, shown=False)]
    return found


def front(context: Context) -> list[Measurement]:
    """How fast the front runs from 2 to 3.6 widths, time in square roots of width over twice the gravity."""
    way = particle_runs.front(32 if context.full else 24)

    def when(place: float) -> float:
        return next(time for time, reach in way if reach >= place) * 2 ** 0.5

    ours = (3.6 - 2) / (when(3.6) - when(2))
    off = abs(ours / reference.MARTIN_SLOPE - 1)
    case = "column of water, height twice the width"
    return [Measurement(case, "speed of the front", "", ours),
            Measurement(case, "speed of the front, deviation", "", off, 0.1, f"{TARGET}; {reference.MARTIN}")]


def flows() -> list[Measurement]:
    """Numbers of ranks on which the flow ends in other bits than on one."""
    serial = particle_runs.flow(1, 24, 200)
    differing = sum(particle_runs.flow(ranks, 24, 200) != serial for ranks in (2, 4, 8))
    return [Measurement("1 to 8 ranks, 200 steps, new bricks every 20",
                        "flows that differ in a bit or a particle", "", differing, 0, TARGET)]
