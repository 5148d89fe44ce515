# SPDX-License-Identifier: BSD-3-Clause
"""Deals a surface to ranks.

`partition` deals triangles, so that every triangle lives on exactly one rank; vertices on a border exist on
every rank that needs them. `partition_vertices` deals vertices and drops the triangles between two ranks,
which is what Totounferoush et al. (https://doi.org/10.3390/a14060166) do in their Table 2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from isthmus.errors import IsthmusError
from isthmus.formats.block import Part, write_part
from isthmus.mesh.surface import Surface


@dataclass
class Partition:
    parts: list[Part]  # one per rank
    lost_triangles: int = 0  # that live on no rank

    def copies(self) -> int:
        """Vertices that exist on more than one rank, counted once per further rank."""
        numbers = np.concatenate([part.vertices for part in self.parts])
        return len(numbers) - len(np.unique(numbers))


def write_parts(prefix: str | Path, dealt: Partition) -> None:
    """Writes <prefix>.<rank>.part for every rank."""
    Path(prefix).parent.mkdir(parents=True, exist_ok=True)
    for rank, part in enumerate(dealt.parts):
        write_part(Path(f"{prefix}.{rank}.part"), part)


def partition(surface: Surface, ranks: int, method: str = "rcb") -> Partition:
    """Deals the triangles (and the vertices that belong to none) to `ranks` ranks; none may stay empty."""
    alone = np.ones(surface.num_points, bool)
    alone[surface.triangles.ravel()] = False
    lonely = np.flatnonzero(alone)
    centres = surface.points[surface.triangles].mean(1)
    owner = _owners(np.concatenate([centres, surface.points[lonely]]), ranks, method)
    triangle_owner, lonely_owner = owner[:len(centres)], owner[len(centres):]
    parts = []
    groups = zip(_groups(triangle_owner, ranks), _groups(lonely_owner, ranks), strict=True)
    for own_triangles, own_lonely in groups:
        chosen = surface.triangles[own_triangles]
        vertices = np.unique(np.concatenate([chosen.ravel(), lonely[own_lonely]])).astype(np.int64)
        parts.append(Part(surface.points[vertices], _renumber(chosen, vertices), vertices))
    return Partition(parts)


def partition_vertices(surface: Surface, ranks: int, method: str = "rcb") -> Partition:
    """Deals the vertices; triangles whose vertices are not all on one rank are lost."""
    owner = _owners(surface.points, ranks, method)
    owners = owner[surface.triangles]
    kept = (owners == owners[:, :1]).all(1)
    inside = surface.triangles[kept]
    parts = []
    for vertices, own in zip(_groups(owner, ranks), _groups(owners[kept, 0], ranks), strict=True):
        parts.append(Part(surface.points[vertices], _renumber(inside[own], vertices), vertices))
    return Partition(parts, int((~kept).sum()))


def _groups(owner: np.ndarray, ranks: int) -> list[np.ndarray]:
    """Ascending numbers of what every rank owns."""
    order = np.argsort(owner, kind="stable")
    return np.split(order, np.searchsorted(owner[order], np.arange(1, ranks)))


def _renumber(triangles: np.ndarray, vertices: np.ndarray) -> np.ndarray:
    return np.searchsorted(vertices, triangles).astype(np.int32).reshape(-1, 3)


def _owners(points: np.ndarray, ranks: int, method: str) -> np.ndarray:
    if ranks < 1:
        raise IsthmusError(f"a mesh cannot be dealt to {ranks} ranks")
    if len(points) < ranks:
        raise IsthmusError(f"{len(points)} triangles or vertices cannot be dealt to {ranks} ranks")
    if method not in METHODS:
        raise IsthmusError(f"there is no partition method {method!r}; choose {', '.join(METHODS)}")
    return METHODS[method](points, ranks)


def bisect(points: np.ndarray, ranks: int) -> np.ndarray:
    """Owner of every point by recursive coordinate bisection along the longest axis (Berger, Bokhari 1987).

    Parts differ by at most one point per level."""
    owner = np.zeros(len(points), np.int32)
    todo = [(np.arange(len(points)), 0, ranks)]
    while todo:
        chosen, first, count = todo.pop()
        if count == 1:
            owner[chosen] = first
            continue
        own = points[chosen]
        half = count // 2
        middle = len(chosen) * half // count
        order = np.argpartition(own[:, np.ptp(own, 0).argmax()], middle)
        todo.append((chosen[order[:middle]], first, half))
        todo.append((chosen[order[middle:]], first + half, count - half))
    return owner


def hilbert_blocks(points: np.ndarray, ranks: int) -> np.ndarray:
    """Owner of every point by equal pieces of its order along the Hilbert curve."""
    owner = np.empty(len(points), np.int32)
    owner[np.argsort(hilbert_keys(points), kind="stable")] = np.arange(len(points)) * ranks // len(points)
    return owner


def blocks(points: np.ndarray, ranks: int) -> np.ndarray:
    """Owner of every point by equal pieces of the order in which they are numbered."""
    return (np.arange(len(points)) * ranks // len(points)).astype(np.int32)


METHODS: dict[str, Callable[[np.ndarray, int], np.ndarray]] = {
    "rcb": bisect, "hilbert": hilbert_blocks, "block": blocks}


def hilbert_keys(points: np.ndarray, bits: int = 20) -> np.ndarray:
    """Position along the Hilbert curve through the bounding cube (Skilling, AIP Conf. Proc. 707, 2004)."""
    low = points.min(0)
    extent = np.ptp(points, 0).max()
    scale = (2**bits - 1) / extent if extent > 0 else 0.0
    axes = [column.astype(np.int64) for column in ((points - low) * scale).T]
    bit = 1 << (bits - 1)
    while bit > 1:  # undo the excess work of the curve, highest bit first
        below = bit - 1
        for k, axis in enumerate(axes):
            is_set = (axis & bit) != 0
            swap = np.where(is_set, 0, (axes[0] ^ axis) & below)
            axes[0] = axes[0] ^ np.where(is_set, below, swap)
            if k > 0:
                axes[k] = axis ^ swap
        bit >>= 1
    for k in range(1, len(axes)):  # Gray code
        axes[k] = axes[k] ^ axes[k - 1]
    flip = np.zeros_like(axes[0])
    bit = 1 << (bits - 1)
    while bit > 1:
        flip ^= np.where(axes[-1] & bit, bit - 1, 0)
        bit >>= 1
    key = np.zeros_like(axes[0])
    for shift in range(bits - 1, -1, -1):
        for axis in axes:
            key = (key << 1) | (((axis ^ flip) >> shift) & 1)
    return key
