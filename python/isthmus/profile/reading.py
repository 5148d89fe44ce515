# SPDX-License-Identifier: BSD-3-Clause
"""Reads profiles (docs/profiling.md): `isthmus-profiling/<participant>.jsonl` here, files of events per rank
with `events`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from isthmus.errors import IsthmusError
from isthmus.folders import of_participants
from isthmus.profile import events
from isthmus.profile.profile import Profile

VERSION = 1
FOLDER = "isthmus-profiling"
HOW = 'measure with <profiling mode="all" /> in the configuration, or ISTHMUS_PROFILE=fundamental'


def read_all(places: list[Path]) -> list[Profile]:
    """Of files and folders, by participant, with one clock for all."""
    wall_of_host: dict[str, int] = {}
    profiles: dict[str, Profile] = {}
    paths = _find(places)
    found = [_read(path, wall_of_host) for path in paths if not events.NAME.fullmatch(path.name)]
    for profile in found + events.read([path for path in paths if events.NAME.fullmatch(path.name)]):
        if profile.participant in profiles:
            raise IsthmusError(f"{profiles[profile.participant].path} and {profile.path} are both of "
                               f"participant {profile.participant}; give the files of one run")
        profiles[profile.participant] = profile
    zero = min((int(p.begin.min()) for p in profiles.values() if len(p.begin)), default=0)
    for profile in profiles.values():
        profile.begin -= zero
        profile.end -= zero
    return [profiles[name] for name in sorted(profiles)]


def _find(places: list[Path]) -> list[Path]:
    files: list[Path] = []
    for place in places:
        if place.is_dir():
            found = of_participants(place, profiles_in, (FOLDER, events.FOLDER))
            if not found:
                raise IsthmusError(f"{place}: there is no profile, neither here nor in {FOLDER}/ or "
                                   f"{events.FOLDER}/; {HOW}")
            files += found
        elif place.is_file():
            files.append(place)
        else:
            raise IsthmusError(f"{place}: there is no such file or folder")
    return list(dict.fromkeys(files))


def profiles_in(folder: Path) -> list[Path]:
    return _latest([sorted(folder.glob("*.jsonl")), sorted((folder / FOLDER).glob("*.jsonl")),
                    events.find(folder), events.find(folder / events.FOLDER)])


def _latest(choices: list[list[Path]]) -> list[Path]:
    """A case may have profiles of both kinds, of different runs."""
    return max(choices, key=lambda paths: max((path.stat().st_mtime for path in paths), default=0.0))


def _read(path: Path, wall_of_host: dict[str, int]) -> Profile:
    try:
        lines = path.read_text().splitlines(keepends=True)
    except (OSError, UnicodeDecodeError) as error:
        raise IsthmusError(f"{path} cannot be read: {error}") from error
    profile = _head(path, lines[0] if lines else "")
    ended = False
    ranks = _Ranks(profile, wall_of_host)
    for number, line in enumerate(lines[1:], 2):
        try:
            record = json.loads(line)
            if "end" in record:
                ended = True
                if record["end"] != "finalized":
                    profile.notes.append(f"the run failed: {record['reason']}; the last events of other "
                                         "ranks than the first are lost")
            else:
                ranks.add(record)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            if number == len(lines) and not line.endswith("\n"):
                break  # cut off
            raise IsthmusError(f"{path}, line {number}: this is no record of a profile ({error!r}); the "
                               "file is damaged") from error
    if not ended:
        profile.notes.append("the file has no end: the run goes on or was killed; what is there is shown")
    ranks.finish()
    return profile


def _head(path: Path, line: str) -> Profile:
    try:
        head = json.loads(line)
        version = head["isthmus-profile"]
        if version != VERSION:
            raise IsthmusError(f"{path}: version {version} of the format is not known, only {VERSION}; use "
                               "the command isthmus of the library that wrote the file")
        return Profile(path, head["participant"], int(head["ranks"]), head["mode"])
    except (ValueError, KeyError, TypeError) as error:
        raise IsthmusError(f"{path}: this is no profile of Isthmus; its first line is no heading") from error


class _Ranks:
    """Puts the records of all ranks together, which have names and a clock of their own."""

    def __init__(self, profile: Profile, wall_of_host: dict[str, int]):
        self.profile, self.wall_of_host = profile, wall_of_host
        self.numbers: dict[str, int] = {}  # in profile.paths
        self.names: dict[int, list[int]] = {}  # of a rank, numbers
        self.zero: dict[int, int] = {}  # of a rank's times, on the wall clock
        self.pieces: list[np.ndarray] = []

    def add(self, record: dict) -> None:
        rank = int(record["rank"])
        if "clock" in record:
            # processes of a host share its clock; wall clocks are compared between hosts only
            offset = self.wall_of_host.setdefault(record["host"], record["wall"] - record["clock"])
            self.zero[rank] = record["clock"] + offset
        names = self.names.setdefault(rank, [])
        for path in record["paths"]:
            names.append(self.numbers.setdefault(path, len(self.numbers)))
        events = np.array(record["events"], np.int64).reshape(-1, 3)
        begin = events[:, 1] + self.zero[rank]
        phase = np.array(names, np.int64)[events[:, 0]] if len(events) else events[:, 0]
        self.pieces.append(np.column_stack([np.full(len(events), rank), phase, begin, begin + events[:, 2]]))

    def finish(self) -> None:
        profile = self.profile
        profile.paths = list(self.numbers)
        if self.pieces:
            rows = np.concatenate(self.pieces)
            profile.rank, profile.phase, profile.begin, profile.end = (column.copy() for column in rows.T)
        missing = profile.ranks - len(self.zero)
        if missing:
            profile.notes.append(f"there is nothing of {missing} of its {profile.ranks} ranks")
