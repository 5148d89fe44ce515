# SPDX-License-Identifier: BSD-3-Clause
"""Draws a triangulated surface into plane axes: parallel projection, hidden sides removed, light shading."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from isthmus.mesh.surface import Surface, triangle_normals

LIGHT = np.array([-0.35, 0.55, 0.75])  # towards the light: right, up, to the viewer
AMBIENT = 0.74
SEEN = -0.3  # nearness of the normal; a little below 0, so that the outline has no teeth


@dataclass(frozen=True)
class Camera:
    """Unit vectors to the right, up, and towards the viewer."""

    axes: np.ndarray  # (3, 3), rows

    def project(self, points: np.ndarray) -> np.ndarray:
        """Right, up and nearness of points, (n, 3)."""
        return points @ self.axes.T


def camera_for(surface: Surface, back: bool = False, tilt: float = 22.0) -> Camera:
    """The longest extent to the right, the shortest towards the viewer, tilted by some degrees."""
    right, up, near = np.eye(3)[np.argsort(-np.ptp(surface.points3(), 0), kind="stable")]
    if np.dot(np.cross(right, up), near) < 0:
        near = -near
    if back:
        up, near = -up, -near
    c, s = np.cos(np.deg2rad(tilt)), np.sin(np.deg2rad(tilt))
    return Camera(np.array([right, c * up - s * near, s * up + c * near]))


def draw(axes: Axes, surface: Surface, colours: np.ndarray, camera: Camera, *, closed: bool = True,
         mesh_lines: bool = False) -> None:
    """Colours (m, 3 or 4) per triangle; `closed` surfaces lose the triangles that face away."""
    projected = camera.project(surface.points3())
    normals = camera.project(triangle_normals(surface.points3(), surface.triangles))
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    if not closed:
        normals *= np.where(normals[:, 2:] < 0, -1.0, 1.0)
    seen = np.flatnonzero(normals[:, 2] > SEEN)
    corners = projected[surface.triangles[seen]]
    seen_order = np.argsort(corners[:, :, 2].mean(1))  # far ones first
    seen, corners = seen[seen_order], corners[seen_order]
    shade = AMBIENT + (1 - AMBIENT) * np.clip(normals[seen] @ (LIGHT / np.linalg.norm(LIGHT)), 0, 1)
    faces = np.clip(colours[seen, :3] * shade[:, None], 0, 1)
    edges = "#222222" if mesh_lines else faces  # own colour: no seams between neighbours
    axes.add_collection(PolyCollection(corners[:, :, :2], facecolors=faces, edgecolors=edges,
                                       linewidths=0.25, rasterized=True))
    low, high = corners[:, :, :2].min((0, 1)), corners[:, :, :2].max((0, 1))
    margin = 0.02 * (high - low).max()
    axes.set(xlim=(low[0] - margin, high[0] + margin), ylim=(low[1] - margin, high[1] + margin))
    axes.set_aspect("equal")
    axes.set_axis_off()


def per_triangle(surface: Surface, values: np.ndarray) -> np.ndarray:
    """Mean of the values at the corners."""
    return values[surface.triangles].mean(1)
