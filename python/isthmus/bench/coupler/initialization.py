# SPDX-License-Identifier: BSD-3-Clause
"""Initialization over numbers of ranks beside other ways of finding partners, and the lost triangles.

Ranks 1:3 as in Totounferoush et al. 2021 on one mesh (M3, --full: also M4) and with a mesh that grows with
the ranks, all of them on this machine; strips against strips, in times beside the peer where it is installed,
in partners beside a quoted figure always; and their Table 2: the triangles that a vertex-based partition
loses, none here."""

from __future__ import annotations

from dataclasses import replace

from isthmus.bench import reference
from isthmus.bench.coupler import peer
from isthmus.bench.coupler.blades import blade_settings, by_turns, cloud, surface
from isthmus.bench.coupler.peer import Turns
from isthmus.bench.framework import Context, counter, cpu, phase
from isthmus.bench.measurement import Measurement
from isthmus.bench.reference import LOST_TRIANGLES, NN, NP, PAPER, PEER, PEER_RANKS, TARGET
from isthmus.mesh import blade
from isthmus.mesh.blade import RATIO_A
from isthmus.partition import partition, partition_vertices
from isthmus.replay import Coupling, Launch, Mapping, Settings, Side
from isthmus.replay.settings import INITIALIZATIONS

COUNTERS = (("messages_sent", "", "messages sent by the busiest rank"),
            ("bytes_sent", "B", "bytes sent by the busiest rank"))
RANKS = ((1, 1), (2, 6), (4, 12), (8, 24))
SHARED = "all ranks share this machine's cores, with whatever else runs there"
WEAK_VERTICES = 8000  # of a rank of B
WINDOWS = 2
VERTICES = ("coordinate bisection instead of the partitioner of Totounferoush et al.; Isthmus deals "
            "triangles and loses none")


def measure(context: Context) -> list[Measurement]:
    return lost_triangles(context) + strong(context) + weak(context) + both_ways(context) + strips(context)


def lost_triangles(context: Context) -> list[Measurement]:
    """Table 2: of the provider's mesh by vertices; and what dealing triangles loses."""
    found = []
    meshes = ("M4", "M6") if context.full else ("M4",)
    for (ranks, _), lost in LOST_TRIANGLES.items():
        for column, level in enumerate(meshes):
            if not context.wants(case := f"{level} on {ranks} ranks"):
                continue
            ours = partition_vertices(surface(level, "B"), ranks).lost_triangles
            found.append(Measurement(case, "triangles lost by dealing vertices", "", ours, lost[column],
                                     f"{PAPER}, Table 2", why=VERTICES))
    ranks, others = next(iter(LOST_TRIANGLES))
    if context.wants(case := f"M4 on {ranks} ranks"):
        mesh, lost = surface("M4", "B"), LOST_TRIANGLES[ranks, others][0]
        kept = sum(len(part.triangles) for part in partition(mesh, ranks).parts)
        found.append(Measurement(case, "triangles lost by dealing triangles", "",
                                 mesh.num_triangles - kept, lost, f"{PAPER}, Table 2"))
    return found


def strong(context: Context) -> list[Measurement]:
    """One mesh on more and more ranks."""
    found = []
    for level in ("M3", "M4") if context.full else ("M3",):
        for ranks in RANKS:
            for way in INITIALIZATIONS:
                case = f"{level} {ranks[0]}+{ranks[1]} {way}"
                if not context.wants(case):
                    continue
                turns = peer.replays(context, _strong_settings(context, ranks, way, level))
                peer_way = peer.initialization(way, ranks)
                quoted = PEER_RANKS.get((level, NP, peer_way), {}).get(ranks)
                found += _initialization(turns, case, peer_way, quoted)
    return found


def weak(context: Context) -> list[Measurement]:
    """A mesh that grows with the ranks."""
    found = []
    for ranks in RANKS[1:]:
        for way in INITIALIZATIONS:
            case = f"{_growing(ranks)} {way}"
            if context.wants(case):
                turns = peer.replays(context, _weak_settings(context, ranks, way))
                found += _initialization(turns, case, peer.initialization(way, ranks))
    return found


def both_ways(context: Context) -> list[Measurement]:
    """Rendezvous beside the literature's way on both meshes, by turns."""
    found = []
    for ranks in RANKS[1:]:
        for mesh, settings in ((f"M3 {ranks[0]}+{ranks[1]}", _strong_settings),
                               (_growing(ranks), _weak_settings)):
            if context.wants(case := f"{mesh}, beside two-level"):
                ours, theirs = by_turns(context, settings(context, ranks, "rendezvous"),
                                        settings(context, ranks, "two-level"))
                for words, of_ranks in (("", "max"), (", CPU of all ranks", "cpu_sum")):
                    found.append(Measurement(case, f"initialize at A{words}", "s",
                                             phase(ours, "A", "initialize", of_ranks),
                                             phase(theirs, "A", "initialize", of_ranks),
                                             "two-level, by turns in the same run", why=SHARED))
    return found


def _strong_settings(context: Context, ranks: tuple[int, int], way: str | None,
                     level: str = "M3") -> Settings:
    return blade_settings(context, level, Mapping(NP), ranks, Coupling(WINDOWS, initialization=way))


def _growing(ranks: tuple[int, int]) -> str:
    return f"{WEAK_VERTICES:,} vertices per rank, {ranks[0]}+{ranks[1]}"


def _weak_settings(context: Context, ranks: tuple[int, int], way: str | None) -> Settings:
    count = WEAK_VERTICES * ranks[0]
    sides = [Side("A", blade(round(RATIO_A * count), "A"), ranks[1]), Side("B", blade(count, "B"), ranks[0])]
    return Settings(sides, context.out, name=f"weak-{ranks[0]}+{ranks[1]}-{way}", mapping=Mapping(NP),
                    coupling=Coupling(WINDOWS, initialization=way), launch=Launch(one_job=True))


def _initialization(turns: Turns, case: str, peer_way: str, quoted: float | None = None) -> list[Measurement]:
    results = turns.ours
    theirs = phase(turns.theirs, "A", "initialize") if turns.theirs else quoted
    found = [Measurement(case, "initialize at A", "s", phase(results, "A", "initialize"), theirs,
                         f"{turns.source}; {peer_way}", why=SHARED),
             Measurement(case, "initialize at A, CPU of all ranks", "s",
                         cpu(results, "A", "initialize", "cpu_sum"))]
    for name, unit, words in COUNTERS:
        count = counter(results, "B", name)
        if count is not None:
            found.append(Measurement(case, f"{words} of B", unit, count))
    return found


def strips(context: Context) -> list[Measurement]:
    """Points in 32 strips on either side, which lie over each other: every rank has one true partner."""
    ranks, points = 32, 160_000
    case = f"{ranks} strips to {ranks} strips, {points:,} points"
    if not context.wants(case):
        return []
    sides = [Side("A", cloud(points, (0.21, 0.17)), ranks), Side("B", cloud(points), ranks)]
    settings = {windows: Settings(sides, context.out, name=f"strips-{windows}", method="block",
                                  deal_vertices=True, mapping=Mapping(NN),
                                  coupling=Coupling(windows, vector=False), launch=Launch(one_job=True))
                for windows in (1, 11)}
    first = replace(context, repeat=1).replays(settings[1])
    turns = peer.replays(context, settings[11])
    sent = {windows: counter(results, "B", "bytes_sent", "sum")
            for windows, results in ((1, first), (11, turns.ours))}
    partners = turns.ours[-1].sides["A"].report["partners"]
    step = (sent[11] - sent[1]) / 10
    times = [Measurement(case, f"{name} at A", "s", phase(turns.ours, "A", name),
                         phase(turns.theirs, "A", name) if turns.theirs else None, turns.source,
                         why=SHARED) for name in ("initialize", "advance")]
    return [*times,
            Measurement(case, "partners of a rank, at most", "", max(partners), reference.PEER_STRIP_PARTNERS,
                        f"{PEER}, as preCICE tells no program its partners"),
            Measurement(case, "partners of a rank, mean", "", sum(partners) / ranks),
            Measurement(case, "partners of a rank beside the target", "", max(partners), 2, TARGET,
                        why="strips that are next to the true partner lie within the reach of the search"),
            Measurement(case, "bytes over payload, one step", "", step / (8 * points),
                        reference.TARGET_STRIP_BYTES, TARGET),
            Measurement(case, "bytes over payload, mesh", "", (sent[1] - step) / (24 * points),
                        reference.TARGET_STRIP_BYTES, TARGET,
                        why="boxes, matches and plans are counted beside the coordinates")]
