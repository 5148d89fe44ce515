# SPDX-License-Identifier: BSD-3-Clause
"""The kit for NumPy arrays: partitions, orders, search.

Needs the module that CMake builds where nanobind is installed. Importing it does not initialize MPI. Where a
function takes `comm`, None means that this process is alone; with a communicator of mpi4py (built with the
same MPI) each rank brings its own rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isthmus.native import load

Ints = NDArray[np.int32]

_kit = load("_kit")
Error = _kit.Error
PointIndex = _kit.PointIndex


def _whole(values: ArrayLike) -> NDArray[np.int64]:
    return np.ascontiguousarray(values, dtype=np.int64)


def _points(values: ArrayLike) -> NDArray[np.float64]:
    return np.ascontiguousarray(values, dtype=np.float64)


def _rows(values: ArrayLike, columns: int, kind: type) -> NDArray[Any]:
    return np.ascontiguousarray(values, dtype=kind).reshape(-1, columns)


@dataclass(frozen=True)
class Division:
    """How a graph is divided: further keywords of `divide`. `weights`: vertices, or vertices x constraints,
    all of which are balanced. Methods: kway and recursive (METIS), scotch (stays distributed)."""

    weights: ArrayLike | None = None
    edge_weights: ArrayLike | None = None
    method: str = "kway"
    tolerance: float = 1.03  # the largest part over the mean
    seed: int = 1


def divide(offsets: ArrayLike, targets: ArrayLike, parts: int, *, comm: Any = None, **how: Any) -> Ints:
    """The part of each vertex of a graph in compressed rows; how is a matter of the keywords of `Division`:
    `divide(offsets, targets, 8, weights=work, method="scotch")`."""
    of = Division(**how)
    weights = None if of.weights is None else _whole(of.weights)
    return _kit.divide(_whole(offsets), _whole(targets), parts,
                       None if weights is None else weights.reshape(len(weights), -1),
                       None if of.edge_weights is None else _whole(of.edge_weights), of.method, of.tolerance,
                       of.seed, comm)


def bisect(points: ArrayLike, parts: int, weights: ArrayLike | None = None, comm: Any = None) -> Ints:
    """The part of each point (rows of 2 or 3 coordinates) by recursive coordinate bisection."""
    return _kit.bisect(_points(points), parts, None if weights is None else _whole(weights), comm)


def cut_curve(points: ArrayLike, parts: int, weights: ArrayLike | None = None, curve: str = "hilbert",
              comm: Any = None) -> Ints:
    """The part of each point by intervals of a space-filling curve, hilbert or morton."""
    return _kit.cut_curve(_points(points), parts, None if weights is None else _whole(weights), curve, comm)


def divide_coupled(a: tuple[ArrayLike, ArrayLike], b: tuple[ArrayLike, ArrayLike], links: ArrayLike,
                   points_a: ArrayLike, *parts: int, tolerance: float = 1.03) -> tuple[Ints, Ints]:
    """The parts of the vertices of two coupled codes, few pairs of which must talk. `a` and `b`: offsets and
    targets; `links`: rows of a vertex of a, one of b, and optionally how much they exchange; `parts`: their
    number for a and for b."""
    if len(parts) != 2:
        raise TypeError(f"give the number of parts of a and that of b, not {len(parts)} numbers")
    parts_a, parts_b = parts
    return _kit.divide_coupled(*map(_whole, a), *map(_whole, b), _whole(links), _points(points_a), parts_a,
                               parts_b, tolerance)


def distribute_blocks(cells: ArrayLike, centers: ArrayLike, seams: ArrayLike, parts: int,
                      tolerance: float = 1.02, split: bool = True) -> Ints:
    """Blocks of a structured grid dealt to parts, cut where that is needed: rows of block, begin (i, j, k),
    end (i, j, k), part. `seams`: rows of low block, high block, axis along which they meet."""
    return _kit.distribute_blocks(_rows(cells, 3, np.int32), _rows(centers, 3, np.float64),
                                  _rows(seams, 3, np.int32), parts, tolerance, split)


def reverse_cuthill_mckee(offsets: ArrayLike, targets: ArrayLike) -> Ints:
    """The vertices of a symmetric graph in an order of small bandwidth."""
    return _kit.reverse_cuthill_mckee(_whole(offsets), _whole(targets))


def hilbert_order(points: ArrayLike) -> Ints:
    """The points along the Hilbert curve of their bounding box."""
    return _kit.hilbert_order(_points(points))


def morton_order(points: ArrayLike) -> Ints:
    """The points along the Morton curve of their bounding box."""
    return _kit.morton_order(_points(points))
