# SPDX-License-Identifier: BSD-3-Clause
"""Reads `precice-profiling/<participant>-<rank>-<size>.txt`, one file per rank (docs/profiling.md)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np

from isthmus.errors import IsthmusError
from isthmus.profile.profile import Profile

FOLDER = "precice-profiling"
VERSION = 2
NAME = re.compile(r"(.+)-(\d+)-(\d+)\.txt")
WHOLE = "_GLOBAL"  # around all events


def find(folder: Path) -> list[Path]:
    """Files of events in a folder."""
    return sorted(path for path in folder.glob("*.txt") if NAME.fullmatch(path.name))


def read(paths: list[Path]) -> list[Profile]:
    """A profile per participant; of several numbers of ranks that of the latest run."""
    runs: dict[str, dict[int, list[Path]]] = {}
    for path in paths:
        name, _, size = NAME.fullmatch(path.name).groups()
        runs.setdefault(name, {}).setdefault(int(size), []).append(path)
    return [_participant(max(sizes.values(), key=lambda files: max(_head(path)["unix_us"] for path in files)))
            for sizes in runs.values()]


def _head(path: Path) -> dict:
    try:
        with path.open() as file:
            head = json.loads(file.readline())
        if head["file_version"] != VERSION or head["compression"]:
            raise IsthmusError(f"{path}: version {head['file_version']} of the format or its compression is "
                               "not known; use the tools of precice-profiling")
        return {"name": str(head["name"]), "rank": int(head["rank"]), "size": int(head["size"]),
                "unix_us": int(head["unix_us"])}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise IsthmusError(f"{path}: this is no file of events; its first line is no heading") from error


def _participant(files: list[Path]) -> Profile:
    heads = [_head(path) for path in files]
    profile = Profile(files[0], heads[0]["name"], heads[0]["size"], "of events per rank")
    numbers: dict[str, int] = {}  # of paths
    rows: list[tuple[int, int, int, int]] = []
    for path, head in zip(files, heads, strict=True):
        events, complete = _events(path)
        zero = head["unix_us"] * 1000
        for name, begin, end in events:
            number = numbers.setdefault(name, len(numbers))
            rows.append((head["rank"], number, zero + begin * 1000, zero + end * 1000))
        if not complete:
            profile.notes.append(f"{path.name} has no end: the run goes on or was killed; what is there is "
                                 "shown")
    profile.paths = list(numbers)
    if rows:
        profile.rank, profile.phase, profile.begin, profile.end = np.array(rows, np.int64).T.copy()
    missing = profile.ranks - len(files)
    if missing:
        profile.notes.append(f"there is nothing of {missing} of its {profile.ranks} ranks")
    return profile


def _events(path: Path) -> tuple[list[tuple[str, int, int]], bool]:
    """Path, begin and end in microseconds of each event; whether the file has its end."""
    names: dict[str, str] = {}
    open_events: list[tuple[str, int]] = []
    events: list[tuple[str, int, int]] = []
    ended = False
    lines = path.read_text().splitlines(keepends=True)
    for number, line in enumerate(lines[1:], 2):
        try:
            kind, (key, value) = line[0], line[1:].rstrip("\n").split(":")[:2]
            if kind == "N":
                names[key] = value
            elif kind == "B" and names[key] != WHOLE:
                around = open_events[-1][0] + "/" if open_events else ""
                open_events.append((around + names[key].removesuffix("\n"), int(value)))
            elif kind == "E" and names[key] != WHOLE:
                name, begin = open_events.pop()
                events.append((name, begin, int(value)))
            elif kind == "E":
                ended = True
            elif kind not in "BD":
                raise ValueError(f"what is {kind}?")
        except (ValueError, KeyError, IndexError) as error:
            if number == len(lines) and not line.endswith("\n"):
                break  # cut off
            raise IsthmusError(f"{path}, line {number}: this is no event ({error!r}); the file is "
                               "damaged") from error
    return events, ended
