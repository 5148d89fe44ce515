# SPDX-License-Identifier: BSD-3-Clause
"""Exchange with neighbours beside the same exchange by hand."""

from __future__ import annotations

from collections.abc import Iterator

from isthmus.bench.framework import Context
from isthmus.bench.kit import interface_runs
from isthmus.bench.kit.interface import LOADED
from isthmus.bench.measurement import Measurement, Median
from isthmus.bench.reference import TARGET, TARGET_HALO


def measure(context: Context) -> list[Measurement]:
    return list(halo_times(interface_runs.halo(2, 20 * context.repeat)))


def halo_times(rows: list[dict[str, str]]) -> Iterator[Measurement]:
    """Ours over the same exchange by hand, of all rounds."""
    rounds: dict[tuple[str, int], list[dict[str, str]]] = {}
    for row in rows:
        rounds.setdefault((row["ranks"], int(row["values"])), []).append(row)
    for (ranks, values), of in rounds.items():
        case = f"{ranks} ranks, {values:,} values"
        ratio = Median.of(float(row["halo_us"]) / float(row["by_hand_us"]) for row in of)
        yield Measurement(case, "halo over plain MPI", "", ratio, TARGET_HALO.get(values), TARGET,
                          tolerance=0.02, why=LOADED)
        yield Measurement(case, "halo", "s", Median.of(1e-6 * float(row["halo_us"]) for row in of))
