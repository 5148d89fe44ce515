# SPDX-License-Identifier: BSD-3-Clause
"""What a coupled run has left so far, as plain data for a page: residuals, iterations, watched values, the
time line, who waits for whom, pictures of exports."""

from __future__ import annotations

import base64
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from isthmus import run_logs
from isthmus.errors import IsthmusError
from isthmus.folders import of_participants
from isthmus.formats import READERS
from isthmus.formats import read as read_surface
from isthmus.profile import Profile, events, read_all
from isthmus.profile.reading import FOLDER, profiles_in
from isthmus.profile.summary import OWN_RANKS, WAIT, waits

ROWS = 2000  # newest iterations that are shown
POINTS = 1000  # of a curve over the time
LANES = 8  # ranks of a participant in the time line
BARS = 600  # newest of a rank
LARGEST = 50e6  # bytes of profiles that are read again and again
EXPORT = re.compile(r"(.+)\.(?:init|dt\d+|it\d+)\.(vtu|vtp|vtk|csv|pvtu|pvtp)")


@dataclass
class Snapshots:
    """Of one run. `since`: what is older belongs to another run (seconds since 1970)."""

    title: str
    folders: Sequence[Path]  # of the case and of its participants
    since: float = 0.0
    _pictures: dict[Path, tuple[float, str]] = field(default_factory=dict)  # as base64

    def take(self, pictures: bool = True) -> dict:
        logs = [run_logs.read(path) for path in self._files(run_logs.logs_in)]
        profiles, note = self._profiles()
        return {
            "title": self.title,
            "written": time.strftime("%Y-%m-%d %H:%M:%S"),
            "convergence": [_convergence(log) for log in logs if log.kind == "convergence"],
            "iterations": [_iterations(log) for log in logs if log.kind == "iterations"],
            "watched": [_watched(log) for log in logs if log.kind.startswith("watch")],
            "timeline": time_line(profiles),
            "waits": [{"participant": one.participant, "partner": one.partner, "mean": one.mean,
                       "largest": one.largest, "share": one.share}
                      for profile in profiles for one in waits(profile)],
            "note": note,
            "pictures": self._draw() if pictures else [],
        }

    def _files(self, files_in: Callable[[Path], list[Path]], without: Sequence[str] = ()) -> list[Path]:
        found = [path for folder in self.folders if folder.is_dir()
                 for path in of_participants(folder, files_in, without)]
        return [path for path in dict.fromkeys(found) if path.stat().st_mtime >= self.since]

    def _profiles(self) -> tuple[list[Profile], str]:
        """Those that can be read, and why there are none."""
        paths = self._files(profiles_in, (FOLDER, events.FOLDER))
        if sum(path.stat().st_size for path in paths) > LARGEST:
            return [], "the profiles are too large for this page; isthmus profile reads them"
        try:
            return (read_all(paths) if paths else []), ""
        except IsthmusError as error:
            return [], str(error)

    def _draw(self) -> list[dict]:
        newest: dict[tuple[Path, str], Path] = {}
        for path in sorted(self._files(exports_in), key=lambda path: path.stat().st_mtime):
            name = EXPORT.fullmatch(path.name)[1]
            newest[path.parent, re.sub(r"_\d+$", "", name)] = path
        drawn = []
        for path in newest.values():
            changed = path.stat().st_mtime
            if self._pictures.get(path, (0.0, ""))[0] != changed:
                self._pictures[path] = changed, _picture(path)
            if picture := self._pictures[path][1]:
                drawn.append({"name": path.name, "png": picture})
        return drawn


def exports_in(folder: Path) -> list[Path]:
    """Those of all ranks rather than of one."""
    found = [path for path in folder.iterdir() if EXPORT.fullmatch(path.name) and path.suffix in READERS]
    wholes = [path for path in found if path.suffix in (".pvtu", ".pvtp")]
    return wholes or found


def _picture(path: Path) -> str:
    from isthmus.plot.fields import fields_picture  # takes a while

    try:
        surface = read_surface(path)
        with tempfile.TemporaryDirectory() as folder:
            picture = fields_picture(Path(folder, "picture.png"), surface, path.name,
                                     list(surface.point_data))
            return base64.b64encode(picture.read_bytes()).decode()
    except (IsthmusError, OSError, ValueError):  # it is being written, or shows nothing
        return ""


def _numbers(values: np.ndarray) -> list[float | None]:
    """For JSON, which knows no others."""
    return [float(value) if np.isfinite(value) else None for value in values]


def _convergence(log: run_logs.RunLog) -> dict:
    rows = log.values[-ROWS:]
    return {"participant": log.participant, "first": len(log.values) - len(rows) + 1,
            "windows": [int(row[0]) for row in rows],
            "measures": [{"name": column, "values": _numbers(log[column][-ROWS:])}
                         for column in log.measured]}


def _iterations(log: run_logs.RunLog) -> dict:
    converged = log["Convergence"] if "Convergence" in log.columns else np.ones(len(log.values))
    return {"participant": log.participant, "windows": [int(value) for value in log["TimeWindow"][-ROWS:]],
            "iterations": [int(value) for value in log["Iterations"][-ROWS:]],
            "converged": [bool(value) for value in converged[-ROWS:]]}


def _watched(log: run_logs.RunLog) -> dict:
    chosen = np.unique(np.linspace(0, max(len(log.values) - 1, 0), POINTS).astype(int))[:len(log.values)]
    return {"participant": log.participant, "name": log.name, "times": _numbers(log["Time"][chosen]),
            "columns": [{"name": column, "values": _numbers(log[column][chosen])} for column in log.measured]}


def time_line(profiles: Sequence[Profile]) -> dict:
    """Calls, the solver between them, and waits, of some ranks; the newest ones."""
    lanes: list[str] = []
    bars: list[list] = []  # lane, name, begin, end
    for profile in profiles:
        names = [path.rsplit("/", 1)[-1] for path in profile.paths]
        shown = np.array(["/" not in path or name == OWN_RANKS or name.startswith(WAIT)
                          for path, name in zip(profile.paths, names, strict=True)], bool)
        for rank in range(min(profile.ranks, LANES)):
            chosen = np.flatnonzero((profile.rank == rank) & shown[profile.phase])
            chosen = chosen[np.argsort(profile.end[chosen], kind="stable")][-BARS:]
            bars += [[len(lanes), names[profile.phase[k]], profile.begin[k] * 1e-9, profile.end[k] * 1e-9]
                     for k in sorted(chosen, key=lambda k: profile.end[k] - profile.begin[k], reverse=True)]
            lanes.append(f"{profile.participant} · {rank}" if profile.ranks > 1 else profile.participant)
    return {"lanes": lanes, "bars": bars}
