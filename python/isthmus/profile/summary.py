# SPDX-License-Identifier: BSD-3-Clause
"""Sums over the events of a profile: phases, and who waited for whom."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from isthmus.profile.profile import Profile

WAIT = "wait for "
OWN_RANKS = "synchronize"


@dataclass(frozen=True)
class Phase:
    """Seconds of one path; sums over the events of a rank are compared between ranks."""

    path: str
    count: int  # events of all ranks
    total: float  # of all ranks
    mean: float  # over ranks
    largest: float  # over ranks
    share: float  # of the time of all ranks

    @property
    def imbalance(self) -> float:
        """Largest over mean."""
        return self.largest / self.mean if self.mean > 0 else 1.0

    @property
    def name(self) -> str:
        return self.path.rsplit("/", 1)[-1]


def durations(profile: Profile) -> np.ndarray:
    """Seconds from the first to the last event of each rank."""
    first = np.full(profile.ranks, np.iinfo(np.int64).max)
    last = np.full(profile.ranks, np.iinfo(np.int64).min)
    np.minimum.at(first, profile.rank, profile.begin)
    np.maximum.at(last, profile.rank, profile.end)
    return np.where(last >= first, (last.astype(float) - first) * 1e-9, 0.0)


def phases(profile: Profile) -> list[Phase]:
    """Outer before inner ones, in the order in which they first began."""
    whole = durations(profile).sum()
    found = []
    shape = (len(profile.paths), profile.ranks)
    sums, counts = np.zeros(shape), np.zeros(shape, np.int64)
    np.add.at(sums, (profile.phase, profile.rank), (profile.end - profile.begin) * 1e-9)
    np.add.at(counts, (profile.phase, profile.rank), 1)
    for k in _order(profile):
        found.append(Phase(profile.paths[k], int(counts[k].sum()), sums[k].sum(), sums[k].mean(),
                           sums[k].max(), sums[k].sum() / whole if whole > 0 else 0.0))
    return found


def _order(profile: Profile) -> list[int]:
    first = np.full(len(profile.paths), np.iinfo(np.int64).max)
    np.minimum.at(first, profile.phase, profile.begin)
    at = {path: first[k] for k, path in enumerate(profile.paths)}

    def key(k: int) -> list[tuple[int, str]]:
        parts = profile.paths[k].split("/")
        above = ["/".join(parts[:n]) for n in range(1, len(parts) + 1)]
        return [(at.get(path, 0), path) for path in above]

    return sorted(np.flatnonzero(first < np.iinfo(np.int64).max).tolist(), key=key)


@dataclass(frozen=True)
class Waits:
    """Seconds in which nothing moved until a message of `partner` came."""

    participant: str
    partner: str  # empty: the other ranks of the participant
    mean: float  # over ranks
    largest: float
    share: float  # of the time of all ranks


def waits(profile: Profile) -> list[Waits]:
    """The longest first."""
    whole = durations(profile).sum()
    per_rank: dict[str, np.ndarray] = {}
    for k, path in enumerate(profile.paths):
        name = path.rsplit("/", 1)[-1]
        if name.startswith(WAIT) or name == OWN_RANKS:
            chosen = profile.phase == k
            seconds = per_rank.setdefault(name.removeprefix(WAIT) if name != OWN_RANKS else "",
                                          np.zeros(profile.ranks))
            np.add.at(seconds, profile.rank[chosen], (profile.end[chosen] - profile.begin[chosen]) * 1e-9)
    found = [Waits(profile.participant, partner, seconds.mean(), seconds.max(),
                   seconds.sum() / whole if whole > 0 else 0.0) for partner, seconds in per_rank.items()]
    return sorted(found, key=lambda one: -one.mean)
