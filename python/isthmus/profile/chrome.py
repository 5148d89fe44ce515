# SPDX-License-Identifier: BSD-3-Clause
"""Writes the trace format of Chrome, which chrome://tracing, ui.perfetto.dev and Speedscope open."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from isthmus.profile.profile import Profile


def write_trace(path: Path, profiles: list[Profile]) -> Path:
    """Participants are processes, ranks are threads, events are complete ("X") ones; outer before inner."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        file.write('{"displayTimeUnit": "ms", "traceEvents": [\n')
        for k, record in enumerate(_records(profiles)):
            file.write((",\n" if k else "") + record)
        file.write("\n]}\n")
    return path


def _records(profiles: list[Profile]) -> Iterator[str]:
    for pid, profile in enumerate(profiles):
        yield _label("process_name", pid, 0, profile.participant)
        for rank in range(profile.ranks):
            yield _label("thread_name", pid, rank, f"rank {rank}")
        names = [json.dumps(name.rsplit("/", 1)[-1]) for name in profile.paths]
        groups = [json.dumps(name.split("/", 1)[0]) for name in profile.paths]
        for k in np.lexsort((-profile.end, profile.begin, profile.rank)):
            phase, begin, end = profile.phase[k], int(profile.begin[k]), int(profile.end[k])
            yield (f'{{"name": {names[phase]}, "cat": {groups[phase]}, "ph": "X", "pid": {pid}, '
                   f'"tid": {profile.rank[k]}, "ts": {_micro(begin)}, "dur": {_micro(end - begin)}}}')


def _label(kind: str, pid: int, tid: int, name: str) -> str:
    return json.dumps({"name": kind, "ph": "M", "pid": pid, "tid": tid, "args": {"name": name}})


def _micro(nanoseconds: int) -> str:
    return f"{nanoseconds // 1000}.{nanoseconds % 1000:03d}"
