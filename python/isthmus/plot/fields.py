# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of exported meshes: one panel per data, triangles where there are some, points otherwise."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize

from isthmus.errors import IsthmusError
from isthmus.mesh.surface import Surface, quality
from isthmus.plot.figure import STYLE, new_figure, save
from isthmus.plot.render import camera_for, draw, per_triangle

COLOURS = "viridis"


def fields_picture(path: Path, surface: Surface, title: str, names: list[str]) -> Path:
    """Vectors by their length. Error if there is nothing to draw."""
    if surface.num_points == 0 or not names:
        raise IsthmusError(f"{title}: there are no {'points' if surface.num_points == 0 else 'data'} in it")
    camera = camera_for(surface)
    extent = np.ptp(camera.project(surface.points3())[:, :2], 0)
    height = float(np.clip(9.0 * extent[1] / max(extent[0], 1e-300), 1.6, 6.0)) + 0.4
    with mpl.rc_context(STYLE):
        figure = new_figure(11.0, height * len(names) + 1.0, title,
                            f"{surface.num_points:,} vertices, {surface.num_triangles:,} triangles")
        for axes, name in zip(figure.subplots(len(names), 1, squeeze=False)[:, 0], names, strict=True):
            values = surface.point_data[name]
            is_vector = values.ndim > 1
            values = np.linalg.norm(values, axis=1) if is_vector else np.asarray(values, float)
            low, high = float(values.min()), float(values.max())
            norm = Normalize(low, high if high > low else low + 1)
            _panel(axes, surface, norm(values))
            axes.set_title(f"{name}{', length' if is_vector else ''}: {low:.4g} to {high:.4g}")
            bar = figure.colorbar(ScalarMappable(norm, COLOURS), ax=axes, pad=0.015, fraction=0.035)
            bar.outline.set_visible(False)
    return save(figure, path)


def _panel(axes: Axes, surface: Surface, shares: np.ndarray) -> None:
    """`shares` of the range of colours, per vertex."""
    camera, colours = camera_for(surface), mpl.colormaps[COLOURS]
    if surface.num_triangles:
        draw(axes, surface, colours(per_triangle(surface, shares)), camera, closed=quality(surface).closed)
        return
    at = camera.project(surface.points3())
    order = np.argsort(at[:, 2])
    size = float(np.clip(4e4 / surface.num_points, 1.5, 60))
    axes.scatter(at[order, 0], at[order, 1], c=colours(shares[order]), s=size, linewidth=0)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_axis_off()
