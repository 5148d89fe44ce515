# SPDX-License-Identifier: BSD-3-Clause
"""A triangulated surface (or a cloud of points) with values at its points."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Surface:
    points: np.ndarray  # (n, 2 or 3) float64
    triangles: np.ndarray = field(default_factory=lambda: np.empty((0, 3), np.int32))  # (m, 3) int32
    point_data: dict[str, np.ndarray] = field(default_factory=dict)  # (n,) or (n, components)
    cell_data: dict[str, np.ndarray] = field(default_factory=dict)  # per triangle

    def __post_init__(self) -> None:
        self.points = np.ascontiguousarray(self.points, np.float64)
        self.triangles = np.ascontiguousarray(self.triangles, np.int32).reshape(-1, 3)

    @property
    def num_points(self) -> int:
        return len(self.points)

    @property
    def num_triangles(self) -> int:
        return len(self.triangles)

    def points3(self) -> np.ndarray:
        """The points with a zero third coordinate where the surface is flat, (n, 3)."""
        if self.points.shape[1] == 3:
            return self.points
        return np.column_stack([self.points, np.zeros(len(self.points))])


@dataclass(frozen=True)
class Quality:
    """What `quality` finds; lengths and areas in the units of the points."""

    closed: bool  # every edge lies in exactly two triangles
    oriented: bool  # no edge is run through twice in the same direction
    boundary_edges: int
    euler: int  # vertices - edges + triangles
    area: float
    smallest_area: float
    mean_edge: float
    shortest_edge: float
    longest_edge: float


def directed_edges(triangles: np.ndarray) -> np.ndarray:
    """The three edges of every triangle in its own direction, (3m, 2)."""
    return np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])


def edge_keys(edges: np.ndarray, num_points: int) -> np.ndarray:
    """One integer per edge that does not depend on its direction."""
    return edges.min(1).astype(np.int64) * num_points + edges.max(1)


def triangle_normals(points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """Normals with twice the area of the triangle as length, (m, 3)."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return np.cross(b - a, c - a)


def quality(surface: Surface) -> Quality:
    """Topology and sizes of a surface."""
    n, triangles, points = surface.num_points, surface.triangles, surface.points3()
    edges = directed_edges(triangles)
    unique, uses = np.unique(edge_keys(edges, n), return_counts=True)
    directions = np.sort(edges[:, 0].astype(np.int64) * n + edges[:, 1])
    lengths = np.linalg.norm(points[unique // n] - points[unique % n], axis=1)
    areas = 0.5 * np.linalg.norm(triangle_normals(points, triangles), axis=1)
    return Quality(
        closed=bool((uses == 2).all()),
        oriented=bool((directions[1:] != directions[:-1]).all()),
        boundary_edges=int((uses == 1).sum()),
        euler=n - len(unique) + len(triangles),
        area=float(areas.sum()),
        smallest_area=float(areas.min(initial=np.inf)),
        mean_edge=float(lengths.mean()) if len(lengths) else 0.0,
        shortest_edge=float(lengths.min(initial=np.inf)),
        longest_edge=float(lengths.max(initial=0.0)),
    )
