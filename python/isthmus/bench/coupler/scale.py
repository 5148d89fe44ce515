# SPDX-License-Identifier: BSD-3-Clause
"""Whole coupled runs on simulated clusters, beside the faster other way: counts, memory, simulated time.

Participants 1:3 construct, define meshes, initialize, step and finalize, by the three ways of finding
partners, on 32 to 1,024 ranks (--full: 24,576), with the same number of vertices on each rank (weak) or of
all ranks (strong); partition of unity the first way on 16, 64 and 256 ranks. Counts are those of the rank
that has most; memory is what the library has allocated on a rank at most. A way stops where a run does not
end in its time or memory; one-level at 512 ranks."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from isthmus.bench import simulated
from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement, of_kind
from isthmus.bench.reference import TARGET
from isthmus.replay.settings import INITIALIZATIONS

PROGRAM = "bench_scale"
LIMIT = 900  # seconds of one run
LIMIT_FULL = 7200
OURS = "rendezvous"
SIZES = (32, 64, 128, 256, 512, 1024)
SIZES_FULL = (*SIZES, 2048, 4096, 8192, 12_288, 24_576)
LARGEST = {"one-level": 512}  # ranks: every one of them holds the whole mesh
WEAK = 100  # vertices on each rank that provides
STRONG = 102_400  # of all of them
BEYOND = 64  # messages
WINDOWS = "3"
MAPPING = "nearest-projection"
UNITY = "rbf-pum-direct"
UNITY_VERTICES = 2500  # on each rank that provides: its surroundings are a part of the least run, too
UNITY_SIZES = (16, 64, 256)
COUNTS = (("sent", "", "messages sent by the busiest rank"),
          ("received", "", "messages received by the busiest rank"),
          ("bytes_sent", "B", "bytes sent by the busiest rank"),
          ("bytes_received", "B", "bytes received by the busiest rank"))
TIME = "initialize, simulated time"
MEMORY = "memory of the rank that has most"
COMPARED = (*(f"initialize, {words}" for _, _, words in COUNTS), TIME, MEMORY)
TREES = "collective calls, the logarithm of the ranks in messages each"


@dataclass(frozen=True)
class Series:
    """Runs with growing numbers of ranks."""

    name: str
    vertices_per_rank: int | None  # None: so many that there are STRONG of all
    mapping: str = MAPPING
    ways: tuple[str, ...] = INITIALIZATIONS
    sizes: tuple[int, ...] = ()  # none: all

    def vertices(self, ranks: int) -> int:
        """On a rank that provides."""
        return self.vertices_per_rank or STRONG // (ranks // 4)


def measure(context: Context) -> list[Measurement]:
    found: list[Measurement] = []
    for series in (Series("weak", WEAK), Series("strong", None),
                   Series("partition of unity", UNITY_VERTICES, UNITY, (OURS,), UNITY_SIZES)):
        for way in series.ways:
            found += of_kind("simulated", curve(context, series, way))
    return beside(found)


def beside(found: list[Measurement]) -> list[Measurement]:
    """The same figures; ours with those of the faster other way, where it has run."""
    known = {(m.case, m.quantity): m.ours for m in found}

    def with_rival(m: Measurement) -> Measurement:
        others = [(seconds, way) for way in INITIALIZATIONS if way != OURS
                  if (seconds := known.get((m.case.replace(OURS, way), TIME))) is not None]
        if OURS not in m.case or m.quantity not in COMPARED or not others:
            return m
        way = min(others)[1]
        return replace(m, reference=known[m.case.replace(OURS, way), m.quantity],
                       source=f"{way}, the faster other way, of the same sources")

    return [with_rival(m) for m in found]


def curve(context: Context, series: Series, way: str) -> list[Measurement]:
    """As far as the runs end."""
    found: list[Measurement] = []
    for ranks in series.sizes or (SIZES_FULL if context.full else SIZES):
        case = f"{series.name}, {way}, {ranks:,} simulated ranks"
        vertices = series.vertices(ranks)
        if not context.wants(case) or ranks > LARGEST.get(way, ranks) or vertices < 4:
            continue
        arguments = [way, str(vertices), series.mapping, WINDOWS]
        rows = simulated.rows(PROGRAM, ranks, arguments, LIMIT_FULL if context.full else LIMIT)
        if not rows:
            break
        found += figures(case, way, rows)
    return found


def figures(case: str, way: str, rows: list[dict[str, str]]) -> list[Measurement]:
    """Of one run."""
    by_phase = {row["phase"]: row for row in rows}
    found = []
    for phase, row in by_phase.items():
        found += [Measurement(case, f"{phase}, {words}", unit, float(row[column]))
                  for column, unit, words in COUNTS]
        found.append(Measurement(case, f"{phase}, simulated time", "s", 1e-6 * float(row["microseconds"])))
    row = by_phase["initialize"]
    aim = (BEYOND, TARGET) if way == OURS else (None, "")
    strangers, calls = float(row["strangers"]), float(row["collectives"])
    depth = math.ceil(math.log2(int(row["ranks"]) - int(row["providers"])))
    found.append(Measurement(case, "initialize, messages with ranks that become no partners", "", strangers))
    found.append(Measurement(case, "initialize, collective calls of a rank", "", calls))
    found.append(Measurement(case, "initialize, messages beyond those with partners", "",
                             strangers + calls * depth, *aim, why=TREES))
    found.append(Measurement(case, "partners of the rank that has most", "",
                             float(by_phase["step"]["partners"])))
    most = max(float(row["memory"]) for row in rows)
    mean = max(float(row["memory_mean"]) for row in rows)
    return [*found, Measurement(case, MEMORY, "B", most),
            Measurement(case, "memory of a rank, mean", "B", mean)]
