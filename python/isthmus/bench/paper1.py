# SPDX-License-Identifier: BSD-3-Clause
"""Initialization over numbers of ranks, by all three ways of finding partners, and the lost triangles.

Ranks 1:3 as in Totounferoush et al. 2021 on the meshes M1 and M3 (--full: M4, to 8 + 24 ranks; all ranks
share this machine), and their Table 2: the triangles that a vertex-based partition loses, none here."""

from __future__ import annotations

from isthmus.bench.blades import replay_blade, surface
from isthmus.bench.framework import Context, Measurement, counter, phase
from isthmus.bench.reference import LOST_TRIANGLES, NP, PAPER, PEER, PEER_RANKS
from isthmus.partition import partition, partition_vertices
from isthmus.replay.settings import INITIALIZATIONS

COUNTERS = (("messages_sent", "", "messages sent by the busiest rank"),
            ("bytes_sent", "B", "bytes sent by the busiest rank"))


def measure(context: Context) -> list[Measurement]:
    return lost_triangles(context) + initialization(context)


def lost_triangles(context: Context) -> list[Measurement]:
    """Table 2: of the provider's mesh by vertices; and what dealing triangles loses."""
    found = []
    meshes = ("M4", "M6") if context.full else ("M4",)
    for (ranks, _), lost in LOST_TRIANGLES.items():
        for column, level in enumerate(meshes):
            mesh, case = surface(level, "B"), f"{level} on {ranks} ranks"
            ours = partition_vertices(mesh, ranks).lost_triangles
            found.append(Measurement(case, "triangles lost by dealing vertices", "", ours, lost[column],
                                     f"{PAPER}, Table 2"))
    ranks = next(iter(LOST_TRIANGLES))[0]
    kept = sum(len(part.triangles) for part in partition(surface("M4", "B"), ranks).parts)
    found.append(Measurement(f"M4 on {ranks} ranks", "triangles lost by dealing triangles", "",
                             surface("M4", "B").num_triangles - kept))
    return found


def initialization(context: Context) -> list[Measurement]:
    found = []
    levels = ("M3", "M4") if context.full else ("M1", "M3")
    rank_pairs = ((1, 3), (2, 6), (4, 12), (8, 24)) if context.full else ((1, 3), (2, 6))
    for level in levels:
        for ranks in rank_pairs:
            for way in INITIALIZATIONS:
                results = replay_blade(context, level, NP, ranks, way, windows=2)
                case = f"{level} {ranks[0]}+{ranks[1]} {way}"
                peer_way = "two-level" if way == "rendezvous" else way  # the peer's fastest
                peer = PEER_RANKS.get((level, NP, peer_way), {}).get(ranks)
                found.append(Measurement(case, "initialize at A", "s", phase(results, "A", "initialize"),
                                         peer, f"{PEER}; {peer_way}" if peer else ""))
                for name, unit, words in COUNTERS:
                    count = counter(results, "B", name)
                    if count is not None:
                        found.append(Measurement(case, f"{words} of B", unit, count))
    return found
