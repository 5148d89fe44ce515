# SPDX-License-Identifier: BSD-3-Clause
"""Reads what a coupled run leaves behind: `precice-<P>-iterations.log`, `precice-<P>-convergence.log`,
`precice-<P>-watchpoint-<name>.log` and `precice-<P>-watchintegral-<name>.log`, tables with a heading."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from isthmus.errors import IsthmusError
from isthmus.folders import of_participants

NAME = re.compile(r"precice-(?P<participant>.+?)-(?P<kind>iterations|convergence|watchpoint|watchintegral)"
                  r"(-(?P<name>.+))?\.log")
FIRST = {"iterations": ["TimeWindow", "TotalIterations", "Iterations"],
         "convergence": ["TimeWindow", "Iteration"], "watchpoint": ["Time"],
         "watchintegral": ["Time"]}


@dataclass(frozen=True)
class RunLog:
    """One file; `values` has a row per line and a column per name."""

    path: Path
    participant: str
    kind: str
    name: str  # of the watch point or integral
    columns: list[str]
    values: np.ndarray

    def __getitem__(self, column: str) -> np.ndarray:
        return self.values[:, self.columns.index(column)]

    @property
    def measured(self) -> list[str]:
        """The columns that are not counters, times or coordinates."""
        fixed = {"TimeWindow", "TotalIterations", "Iterations", "Iteration", "Convergence", "Time"}
        return [c for c in self.columns if c not in fixed and not re.fullmatch(r"Coordinate\d", c)]


def read(path: Path) -> RunLog:
    """Of one file. An unfinished last line, of a run that goes on or was ended, does not count; a log whose
    heading is unfinished has the columns that all of its kind begin with, and no rows."""
    found = NAME.fullmatch(path.name)
    if found is None:
        raise IsthmusError(f"{path}: the name is not that of a log of a coupled run, like "
                           "precice-Fluid-convergence.log")
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise IsthmusError(f"{path} cannot be read: {error}") from error
    columns = lines[0].split() if lines else []
    first = FIRST[found["kind"]]
    if len(lines) < 2 and " ".join(first).startswith(" ".join(columns)):
        columns = first
    if columns[:len(first)] != first:
        raise IsthmusError(f"{path}: the first line is not a heading that begins with {' '.join(first)}")
    rows = [line.split() for line in lines[1:]]
    if rows and len(rows[-1]) < len(columns):
        rows.pop()
    for number, row in enumerate(rows, 2):
        if len(row) != len(columns):
            raise IsthmusError(f"{path}:{number}: {len(row)} values, {len(columns)} columns")
    try:
        values = np.array(rows, float).reshape(len(rows), len(columns))
    except ValueError as error:
        raise IsthmusError(f"{path}: {error}") from error
    return RunLog(path, found["participant"], found["kind"], found["name"] or "", columns, values)


def logs_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if NAME.fullmatch(path.name))


def find(paths: list[Path]) -> list[Path]:
    """The files themselves, and all logs in folders, also of participants that work in their own ones."""
    found = []
    for path in paths:
        found += of_participants(path, logs_in) if path.is_dir() else [path]
    if not found:
        raise IsthmusError(f"there is no log of a coupled run in {', '.join(map(str, paths))} or the folders "
                           "in it; look for precice-<participant>-iterations.log where a participant was "
                           "started")
    return found
