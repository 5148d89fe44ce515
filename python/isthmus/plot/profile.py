# SPDX-License-Identifier: BSD-3-Clause
"""The time line of a profile: the whole run, and some steps in its middle."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from isthmus.errors import IsthmusError
from isthmus.plot.timeline import LOOP, TimeLine, draw_time_line
from isthmus.profile.profile import Profile

STEPS = 4  # calls of advance that are magnified


def profile_picture(path: Path, profiles: list[Profile]) -> Path:
    line = _time_line(profiles)
    views = [(0.0, float(line.end.max()), "the whole run")]
    if magnified := _middle(profiles[0]):
        views.append(magnified)
    words = ", ".join(f"{p.participant} on {p.ranks} rank{'s'[:p.ranks > 1]}" for p in profiles)
    return draw_time_line(path, line, views, "Time line of all ranks", words)


def _time_line(profiles: list[Profile]) -> TimeLine:
    lanes = [f"{p.participant} · {rank}" for p in profiles for rank in range(p.ranks)]
    names = list(dict.fromkeys(path for p in profiles for path in p.paths))
    lane, name = [], []
    first = 0
    for p in profiles:
        lane.append(p.rank + first)
        name.append(np.array([names.index(path) for path in p.paths], np.int64)[p.phase])
        first += p.ranks
    if not sum(map(len, lane)):
        raise IsthmusError("there are no events in these profiles, so there is no time line to draw")
    return TimeLine(lanes, names, np.concatenate(lane), np.concatenate(name),
                    np.concatenate([p.begin for p in profiles]) * 1e-9,
                    np.concatenate([p.end for p in profiles]) * 1e-9)


def _middle(profile: Profile) -> tuple[float, float, str] | None:
    """From the end of one call of advance to the end of another one, some calls later."""
    if LOOP not in profile.paths:
        return None
    ends = np.sort(profile.end[(profile.phase == profile.paths.index(LOOP)) & (profile.rank == 0)]) * 1e-9
    if len(ends) <= STEPS + 1:
        return None
    k = (len(ends) - STEPS) // 2
    return float(ends[k]), float(ends[k + STEPS]), (f"{STEPS} of the {len(ends)} calls of advance() of "
                                                    f"{profile.participant}, magnified")
