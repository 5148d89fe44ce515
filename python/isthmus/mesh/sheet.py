# SPDX-License-Identifier: BSD-3-Clause
"""A plane or wavy rectangle of n x m points, for small tests."""

from __future__ import annotations

import numpy as np

from isthmus.errors import IsthmusError
from isthmus.mesh.surface import Surface


def sheet(n: int, m: int, *, length: float = 1.0, width: float = 1.0, wave: float = 0.0,
          dimensions: int = 3) -> Surface:
    """[0, length] x [0, width], height `wave` sin(6x) cos(4y); diagonals alternate. `dimensions` 2 or 3."""
    if n < 2 or m < 2:
        raise IsthmusError(f"a sheet needs at least 2 x 2 points, not {n} x {m}")
    x, y = np.meshgrid(np.linspace(0, length, n), np.linspace(0, width, m))
    x, y = x.ravel(), y.ravel()
    points = np.column_stack([x, y, wave * np.sin(6 * x) * np.cos(4 * y)][:dimensions])
    i, j = (a.ravel() for a in np.meshgrid(np.arange(n - 1), np.arange(m - 1)))
    corner = j * n + i
    a, b, c, d = corner, corner + 1, corner + n + 1, corner + n  # counter-clockwise
    even = ((i + j) % 2 == 0)[:, None, None]
    one = np.stack([np.stack([a, b, c], 1), np.stack([a, c, d], 1)], 1)
    other = np.stack([np.stack([a, b, d], 1), np.stack([b, c, d], 1)], 1)
    return Surface(points, np.where(even, one, other).reshape(-1, 3))
