# SPDX-License-Identifier: BSD-3-Clause
"""Plain blocks of numbers, little endian: whole meshes, parts of meshes, values of parts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from isthmus.errors import IsthmusError
from isthmus.mesh.surface import Surface

BIN_MAGIC = 0x424C4144
PART_MAGIC = 0x5452415054534931


@dataclass
class Part:
    """What one rank holds of a mesh."""

    points: np.ndarray  # (n, dimensions) float64
    triangles: np.ndarray  # (m, 3) int32, numbers of this part
    vertices: np.ndarray  # (n,) int64, numbers in the whole mesh, ascending


def write_bin(path: Path, surface: Surface) -> None:
    with open(path, "wb") as file:
        np.array([BIN_MAGIC, surface.num_points, surface.num_triangles], "<i8").tofile(file)
        surface.points3().astype("<f8").tofile(file)
        surface.triangles.astype("<i4").tofile(file)


def read_bin(path: Path) -> Surface:
    with open(path, "rb") as file:
        n, m = _header(path, file, 3, BIN_MAGIC, "a mesh")
        return Surface(_block(path, file, "<f8", 3 * n).reshape(n, 3), _block(path, file, "<i4", 3 * m))


def write_npz(path: Path, surface: Surface) -> None:
    np.savez(path, points=surface.points, triangles=surface.triangles)


def read_npz(path: Path) -> Surface:
    try:
        with np.load(path) as data:
            return Surface(data["points"], data["triangles"])
    except (KeyError, ValueError, EOFError, BadZipFile) as error:
        raise IsthmusError(f"{path}: expected arrays 'points' and 'triangles' ({error})") from error


def write_part(path: Path, part: Part) -> None:
    """int64 magic, dimensions, n, m; float64[n d] points; int32[3m] triangles; int64[n] global numbers."""
    n, dimensions = part.points.shape
    with open(path, "wb") as file:
        np.array([PART_MAGIC, dimensions, n, len(part.triangles)], "<i8").tofile(file)
        part.points.astype("<f8").tofile(file)
        part.triangles.astype("<i4").tofile(file)
        part.vertices.astype("<i8").tofile(file)


def read_part(path: Path) -> Part:
    with open(path, "rb") as file:
        dimensions, n, m = _header(path, file, 4, PART_MAGIC, "a part")
        points = _block(path, file, "<f8", n * dimensions).reshape(n, dimensions)
        triangles = _block(path, file, "<i4", 3 * m).reshape(m, 3)
        return Part(points, triangles, _block(path, file, "<i8", n))


def write_values(path: Path, values: list[np.ndarray]) -> None:
    """Per data, in the order it was read: int64 components, int64 n, float64[n components]."""
    with open(path, "wb") as file:
        for value in values:
            value = value.reshape(len(value), -1)
            np.array([value.shape[1], len(value)], "<i8").tofile(file)
            value.astype("<f8").tofile(file)


def read_values(path: Path) -> list[np.ndarray]:
    """One array (n, components) per data."""
    values, size = [], path.stat().st_size
    with open(path, "rb") as file:
        while file.tell() < size:
            components, n = _block(path, file, "<i8", 2).tolist()
            values.append(_block(path, file, "<f8", n * components).reshape(n, components))
    return values


def _header(path: Path, file, length: int, magic: int, what: str) -> list[int]:
    """The sizes after the magic number of a file."""
    head = np.fromfile(file, "<i8", length)
    if len(head) < length or head[0] != magic:
        raise IsthmusError(f"{path}: this is not the file of {what} (its first number is not {magic:#x})")
    return head[1:].tolist()


def _block(path: Path, file, kind: str, count: int) -> np.ndarray:
    values = np.fromfile(file, kind, count) if count >= 0 else np.empty(0)
    if len(values) != count:
        raise IsthmusError(f"{path}: the file is cut short")
    return values
