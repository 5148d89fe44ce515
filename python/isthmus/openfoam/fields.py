# SPDX-License-Identifier: BSD-3-Clause
"""Compares what two runs of a case wrote."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_TIME = re.compile(r"\d+(\.\d*)?(e[-+]?\d+)?")


@dataclass(frozen=True)
class Difference:
    """Of two runs at the last time that both wrote."""

    time: str
    files: int
    equal: int  # of the files, byte by byte
    largest: float  # of all numbers, relative to the largest of the same file
    where: str  # the file that has it


def last_time(folder: Path) -> str | None:
    """The name of the last time folder that is not the start."""
    times = [path.name for path in folder.iterdir() if path.is_dir() and _TIME.fullmatch(path.name)]
    later = [name for name in times if float(name) > 0]
    return max(later, key=float) if later else None


def compare(one: Path, other: Path) -> Difference | None:
    """Nothing, if they have no time in common. Fields are compared file by file, those of each part."""
    parts = sorted(one.glob("processor*")) or [one]
    time = last_time(parts[0])
    if time is None or not (other / parts[0].relative_to(one) / time).is_dir():
        return None
    files = equal = 0
    largest, where = 0.0, ""
    for part in parts:
        for path in sorted((part / time).rglob("*")):
            if not path.is_file() or "uniform" in path.relative_to(part).parts:
                continue
            files += 1
            name = path.relative_to(one)
            far = _distance(path, other / name)
            equal += far == 0
            if far > largest:
                largest, where = far, name.as_posix()
    return Difference(time, files, equal, largest, where)


def _distance(one: Path, other: Path) -> float:
    """0 for equal bytes; infinity where a number is missing."""
    if not other.is_file():
        return float("inf")
    first, second = one.read_bytes(), other.read_bytes()
    if first == second:
        return 0.0
    a, b = _numbers(first), _numbers(second)
    if len(a) != len(b):
        return float("inf")
    scale = float(np.max(np.abs(a), initial=0))
    return float(np.max(np.abs(a - b), initial=0)) / scale if scale > 0 else float("inf")


def _numbers(content: bytes) -> np.ndarray:
    """Those of the field and its boundary, without those of the header."""
    text = content.decode("latin-1")
    start = text.find("internalField")
    return np.array([float(number) for number in _NUMBER.findall(text[max(start, 0):])])
