# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of what a replay did: the field, its error, the partitions."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Colormap, LogNorm, Normalize, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from isthmus.mesh.surface import Surface, quality
from isthmus.plot.figure import PALETTE, STYLE, new_figure, save
from isthmus.plot.render import Camera, camera_for, draw, per_triangle

WIDTH = 13.0  # inches
LABELS_UP_TO = 16  # ranks
KINDS = {"S": "scalar S", "V": "vector V"}  # data of a replay


def _row_height(surface: Surface) -> float:
    """Inches that the surface takes across the figure, between readable limits."""
    extent = camera_for(surface).project(surface.points3())
    width, height = np.ptp(extent[:, :2], 0)
    return float(np.clip(0.85 * WIDTH * height / width, 1.4, 5.0)) + 0.45


def _colour_bar(figure: Figure, axes: list[Axes], norm: Normalize, colours: Colormap, label: str) -> None:
    bar = figure.colorbar(ScalarMappable(norm, colours), ax=axes, pad=0.015, fraction=0.035, aspect=28)
    bar.set_label(label)
    bar.outline.set_visible(False)


def field_picture(path: Path, sent: Surface, received: Surface, name: str, subtitle: str = "") -> Path:
    """What B sent above what A received, on the same scale of colours."""
    original, arrived = sent.point_data["written"], received.point_data[name]
    low, high = min(original.min(), arrived.min()), max(original.max(), arrived.max())
    norm, colours = Normalize(low, high if high > low else low + 1), mpl.colormaps["viridis"]
    height = _row_height(received)
    with mpl.rc_context(STYLE):
        figure = new_figure(WIDTH, 3 * height + 1.0, f"The field {KINDS.get(name, name)}, sent and received",
                            subtitle)
        axes = list(figure.subplots(3, 1))
        rows = [(sent, original, False, f"sent by B, {sent.num_points:,} vertices"),
                (received, arrived, False, f"received by A, {received.num_points:,} vertices"),
                (received, arrived, True, "received by A, other side")]
        for ax, (surface, values, back, title) in zip(axes, rows, strict=True):
            tones = colours(norm(per_triangle(surface, values)))
            draw(ax, surface, tones, camera_for(surface, back), closed=quality(surface).closed)
            ax.set_title(title)
        _colour_bar(figure, axes, norm, colours, name)
    return save(figure, path)


def error_picture(path: Path, received: Surface, names: list[str], subtitle: str = "") -> Path:
    """Size of the error of the first data on both sides of the surface, and how the errors of all spread."""
    errors = received.point_data[f"{names[0]}_error"]
    high = max(errors.max(), 1e-16)
    norm = LogNorm(max(high * 1e-4, 1e-17), high, clip=True)
    colours = mpl.colormaps["magma"]
    height = _row_height(received)
    with mpl.rc_context(STYLE):
        figure = new_figure(WIDTH, 2 * height + 3.5,
                            f"The error of {KINDS.get(names[0], names[0])} against the analytic function",
                            subtitle)
        grid = figure.add_gridspec(3, 1, height_ratios=[height, height, 2.4])
        axes = [figure.add_subplot(grid[row]) for row in range(2)]
        closed = quality(received).closed
        for ax, back in zip(axes, (False, True), strict=True):
            tones = colours(norm(per_triangle(received, errors)))
            draw(ax, received, tones, camera_for(received, back), closed=closed)
            ax.set_title("other side" if back else f"at A, {received.num_points:,} vertices")
        _colour_bar(figure, axes, norm, colours, f"|error of {names[0]}|")
        _spread(figure.add_subplot(grid[2]), received, names)
    return save(figure, path)


def _spread(axes: Axes, received: Surface, names: list[str]) -> None:
    """Share of the vertices whose error is above a bound."""
    share = np.linspace(1, 0, received.num_points, endpoint=False)
    for name, colour in zip(names, PALETTE, strict=False):
        errors = np.maximum(np.sort(received.point_data[f"{name}_error"]), 1e-17)
        axes.loglog(errors, share, color=colour, lw=2,
                    label=f"{KINDS.get(name, name)}: median {np.median(errors):.1e}, "
                          f"largest {errors[-1]:.1e}")
        axes.plot(errors[-1:], share[-1:], "o", color=colour, ms=5)
    axes.set(xlabel="error", ylabel="share of vertices", title="share of the vertices with a larger error")
    small = min(np.quantile(received.point_data[f"{name}_error"], 0.05) for name in names)
    axes.set_xlim(left=max(0.5 * small, 1e-17))
    axes.grid(True, which="major", color="#dddddd", lw=0.6)
    axes.legend(loc="lower left")


def partition_picture(path: Path, surfaces: dict[str, Surface], subtitle: str = "") -> Path:
    """Ranks of every participant in colours, and both meshes magnified where two ranks meet."""
    first = next(iter(surfaces.values()))
    height, n = _row_height(first), len(surfaces)
    zoom = 4.2
    with mpl.rc_context(STYLE):
        figure = new_figure(WIDTH, n * height + zoom + 1.0, "Who owns which part", subtitle)
        grid = figure.add_gridspec(n + 1, n, height_ratios=[height] * n + [zoom])
        camera = camera_for(first)
        window = _window(first, camera)
        for row, (name, surface) in enumerate(surfaces.items()):
            colours, closed = _rank_colours(surface), quality(surface).closed
            ranks = len(np.unique(surface.cell_data["rank"]))
            overview = figure.add_subplot(grid[row, :])
            draw(overview, surface, colours, camera, closed=closed)
            overview.set_title(f"{name}: {surface.num_points:,} vertices on {ranks} rank{'s'[:ranks > 1]}")
            _label_ranks(overview, surface, camera, window)
            overview.add_patch(Rectangle(window[0], *(window[1] - window[0]), fill=False, lw=1.2))
            detail = figure.add_subplot(grid[n, row])
            near = _within(surface, camera, window)
            draw(detail, near, colours[near.cell_data["number"]], camera, closed=closed, mesh_lines=True)
            detail.set(xlim=(window[0, 0], window[1, 0]), ylim=(window[0, 1], window[1, 1]))
            detail.set_title(f"the mesh of {name} in the frame")
    return save(figure, path)


def _rank_colours(surface: Surface) -> np.ndarray:
    palette = np.array([to_rgb(colour) for colour in PALETTE])
    return palette[surface.cell_data["rank"] % len(palette)]


def _label_ranks(axes: Axes, surface: Surface, camera: Camera, window: np.ndarray) -> None:
    """Names the ranks in their middle, beside the window."""
    ranks = np.unique(surface.cell_data["rank"])
    if len(ranks) > LABELS_UP_TO:
        return
    centres = camera.project(surface.points3())[surface.triangles].mean(1)
    for rank in ranks:
        own = centres[surface.cell_data["rank"] == rank, :2]
        x, y = np.median(own, 0)
        size = window[1] - window[0]
        if (np.abs([x, y] - window.mean(0)) < 1.2 * size).all():
            beside = window.mean(0)[0] + np.array([1.7, -1.7]) * size[0]
            x = next((b for b in beside if own[:, 0].min() < b < own[:, 0].max()), x)
        label = axes.text(x, y, f"rank {rank}", ha="center", va="center", fontsize=10, color="white",
                          fontweight="bold",
                          bbox={"boxstyle": "round,pad=0.25", "fc": "#00000088", "ec": "none"})
        label.set_in_layout(False)


def _window(surface: Surface, camera: Camera) -> np.ndarray:
    """Corners (low, high) of a window around a place where two ranks meet, or around the middle."""
    projected = camera.project(surface.points3())[:, :2]
    low_rank = np.full(surface.num_points, np.iinfo(np.int32).max)
    high_rank = np.full(surface.num_points, -1)
    for corner in surface.triangles.T:
        np.minimum.at(low_rank, corner, surface.cell_data["rank"])
        np.maximum.at(high_rank, corner, surface.cell_data["rank"])
    border = projected[low_rank < high_rank]
    centre = np.median(border if len(border) else projected, 0)
    extent = np.ptp(projected, 0)
    width = max(16 * quality(surface).mean_edge, 0.02 * extent.max())
    half = 0.5 * min(width, 0.35 * extent.min() / 0.62) * np.array([1, 0.62])
    return np.array([centre - half, centre + half])


def _within(surface: Surface, camera: Camera, window: np.ndarray) -> Surface:
    """The triangles near the window; cell data `number` says which they were."""
    projected = camera.project(surface.points3())[surface.triangles][:, :, :2]
    size = window[1] - window[0]
    inside = ((projected > window[0] - 0.2 * size) & (projected < window[1] + 0.2 * size)).all((1, 2))
    chosen = np.flatnonzero(inside)
    return Surface(surface.points, surface.triangles[chosen], {}, {"number": chosen})
