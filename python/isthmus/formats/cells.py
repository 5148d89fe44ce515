# SPDX-License-Identifier: BSD-3-Clause
"""From the cells of VTK to triangles: triangles, quads, polygons and strips become triangles, points and
lines are passed over, volumes are refused."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from isthmus.errors import IsthmusError

VERTEX, POLY_VERTEX, LINE, POLY_LINE, TRIANGLE, STRIP, POLYGON, PIXEL, QUAD = range(1, 10)
TETRAHEDRON = 10
PASSED_OVER = (0, VERTEX, POLY_VERTEX, LINE, POLY_LINE)


def triangulate(connectivity: np.ndarray, ends: np.ndarray, types: np.ndarray,
                where: object) -> tuple[np.ndarray, np.ndarray]:
    """Triangles (m, 3) of the cells, and the number of the cell that each came from."""
    starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
    sizes = ends - starts
    refused = np.setdiff1d(types, [*PASSED_OVER, TRIANGLE, STRIP, POLYGON, PIXEL, QUAD])
    if len(refused):
        raise IsthmusError(f"{where}: cells of VTK type {refused.tolist()} cannot be read; give a surface of "
                           "triangles, quads or polygons")
    pieces: list[np.ndarray] = []
    cells: list[np.ndarray] = []

    def add(chosen: np.ndarray, corners: Iterable[tuple[int, int, int]]) -> None:
        for corner in corners:
            pieces.append(connectivity[starts[chosen, None] + np.array(corner)])
            cells.append(chosen)

    shapes = np.where(types == QUAD, POLYGON, np.where(types == TRIANGLE, POLYGON, types))
    for size in np.unique(sizes[shapes == POLYGON]):
        fan = [(0, k, k + 1) for k in range(1, size - 1)]
        add(np.flatnonzero((shapes == POLYGON) & (sizes == size)), fan)
    add(np.flatnonzero(types == PIXEL), [(0, 1, 3), (0, 3, 2)])
    for size in np.unique(sizes[types == STRIP]):
        add(np.flatnonzero((types == STRIP) & (sizes == size)),
            [(k, k + 1, k + 2) if k % 2 == 0 else (k + 1, k, k + 2) for k in range(size - 2)])
    if not pieces:
        return np.empty((0, 3), np.int32), np.empty(0, np.int64)
    cell = np.concatenate(cells)
    order = np.argsort(cell, kind="stable")
    return np.concatenate(pieces).astype(np.int32)[order], cell[order]
