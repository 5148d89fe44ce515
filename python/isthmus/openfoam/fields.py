# SPDX-License-Identifier: BSD-3-Clause
"""Compares what two runs of a case wrote."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|-?\b(?:nan|inf)\b")
_VALUES = re.compile(r"nonuniform\s+List<\w+>\s*\d+\s*[({](?P<list>[^;]*)|uniform\s+(?P<one>[^;]*)")
_BLOCK = re.compile(rb"// Processor\d+\s*\n(\d+)\n\(")  # of a file that all ranks wrote together
_TIME = re.compile(r"\d+(\.\d*)?(e[-+]?\d+)?")


@dataclass(frozen=True)
class Difference:
    """Of two runs at the last time that both wrote."""

    time: str
    files: int
    equal: int  # of the files, byte by byte
    largest: float  # of all numbers, relative to the largest of the same field in all parts
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
    scales: dict[str, float] = {}  # of each field
    distances: list[tuple[str, str, float]] = []  # of each file and its field
    for part in parts:
        for path in sorted((part / time).rglob("*")):
            if not path.is_file() or "uniform" in path.relative_to(part).parts:
                continue
            files += 1
            name, field = path.relative_to(one), path.relative_to(part).as_posix()
            distance, scale = _distance(path, other / name)
            equal += distance == 0
            distances.append((name.as_posix(), field, distance))
            scales[field] = max(scale, scales.get(field, 0))
    largest, where = 0.0, ""
    for name, field, distance in distances:
        relative = distance / scales[field] if distance > 0 and scales[field] > 0 else distance
        if relative > largest:
            largest, where = relative, name
    return Difference(time, files, equal, largest, where)


def _distance(one: Path, other: Path) -> tuple[float, float]:
    """Of the numbers, 0 for equal bytes and infinity where one is missing; and the largest of them."""
    first = one.read_bytes()
    fields = _fields(first)
    scale = max((float(np.max(np.abs(values), initial=0)) for _, values in fields), default=0)
    if not other.is_file():
        return float("inf"), scale
    second = other.read_bytes()
    if first == second:
        return 0.0, scale
    others = _fields(second)
    if len(fields) != len(others):
        return float("inf"), scale
    largest = 0.0
    for (is_one, a), (other_is_one, b) in zip(fields, others, strict=True):
        scale = max(scale, float(np.max(np.abs(b), initial=0)))
        size = max(len(a), len(b))
        if size > 0 and is_one != other_is_one:  # OpenFOAM writes one where all of a list are the same
            a, b = np.resize(a, size), np.resize(b, size)
        distance = float(np.max(np.abs(a - b), initial=0)) if len(a) == len(b) else float("inf")
        largest = max(largest, distance if np.isfinite(distance) else float("inf"))
    return largest, scale


def _fields(content: bytes) -> list[tuple[bool, np.ndarray]]:
    """The values inside and on each patch, and whether one stands for all; of a file that is no field all
    numbers at once. Without headers, counts of values, and those of the bytes of each rank."""
    blocks = [content[found.end() : found.end() + int(found[1])] for found in _BLOCK.finditer(content)]
    if blocks:
        return [values for block in blocks for values in _fields(block)]
    text = content.decode("latin-1")
    start = text.find("internalField")
    if start < 0:
        return [(False, _numbers(text[text.find("}") + 1 :]))]
    return [(found["list"] is None, _numbers(found["list"] or found["one"] or ""))
            for found in _VALUES.finditer(text, start)]


def _numbers(text: str) -> np.ndarray:
    return np.array([float(number) for number in _NUMBER.findall(text)])
