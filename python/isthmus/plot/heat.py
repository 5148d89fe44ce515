# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of the strongly coupled part of the demo: the field, how the residuals fell, which acceleration
took how long."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, Normalize
from matplotlib.ticker import MaxNLocator

from isthmus.heat import Heat
from isthmus.plot.figure import PALETTE, STYLE, new_figure, save

GRID = {"color": "#e4e4e4", "lw": 0.6, "zorder": 0}


def heat_pictures(folder: Path, runs: list[Heat], subtitle: str) -> list[Path]:
    """All three; the field is that of the last run."""
    last = f"{subtitle}; {runs[-1].acceleration}"
    return [_field(folder / "field.png", runs[-1], last),
            _convergence(folder / "convergence.png", runs, subtitle),
            _accelerations(folder / "accelerations.png", runs, subtitle)]


def _field(path: Path, heat: Heat, subtitle: str) -> Path:
    """Temperature of both plates above its error, with the borders of the ranks."""
    plates = {name: _grid(np.concatenate(ranks)) for name, ranks in heat.fields.items()}
    values = np.concatenate([plate[2].ravel() for plate in plates.values()])
    errors = np.concatenate([abs(plate[2] - plate[3]).ravel() for plate in plates.values()])
    high = max(errors.max(), 1e-15)
    with mpl.rc_context(STYLE):
        figure = new_figure(10.0, 10.6, "Temperature of two plates that are coupled along x = 0", subtitle)
        top, bottom = figure.subplots(2, 1)
        _plates(top, plates, Shown(lambda u, exact: u, Normalize(values.min(), values.max()), "viridis",
                                   "temperature u"), "temperature at the end, lines of equal temperature")
        for x, y, u, _ in plates.values():
            top.contour(x, y, u, levels=np.arange(np.floor(values.min()), values.max(), 0.5), colors="white",
                        linewidths=0.7, alpha=0.8)
        _plates(bottom, plates, Shown(lambda u, exact: np.maximum(abs(u - exact), 1e-16),
                                      LogNorm(high * 1e-4, high, clip=True), "magma", "|u - exact u|"),
                f"error against the solution, largest {errors.max():.1e}")
        for axes in (top, bottom):
            _rank_borders(axes, heat)
    return save(figure, path)


def _grid(nodes: np.ndarray) -> list[np.ndarray]:
    """Columns of nodes as arrays over y and x."""
    ordered = nodes[np.lexsort((nodes[:, 0], nodes[:, 1]))]
    return [column.reshape(len(np.unique(nodes[:, 1])), -1) for column in ordered.T]


class Shown(NamedTuple):
    """Which quantity of u and exact u is drawn, and how."""

    value: Callable
    norm: Normalize
    colours: str
    label: str


def _plates(axes: Axes, plates: dict[str, list[np.ndarray]], shown: Shown, title: str) -> None:
    for x, y, u, exact in plates.values():
        drawn = axes.pcolormesh(x, y, shown.value(u, exact), norm=shown.norm, cmap=shown.colours,
                                shading="gouraud")
    bar = axes.figure.colorbar(drawn, ax=axes, pad=0.015, fraction=0.035, aspect=22)
    bar.set_label(shown.label)
    bar.outline.set_visible(False)
    axes.set(aspect="equal", xlabel="x", ylabel="y", title=title, xlim=(-1, 1), ylim=(0, 1),
             xticks=np.linspace(-1, 1, 5))
    axes.axvline(0, color="white", lw=1.6)


def _rank_borders(axes: Axes, heat: Heat) -> None:
    for name, ranks in heat.fields.items():
        side = -1 if name == "Dirichlet" else 1
        for rank, nodes in enumerate(ranks):
            if rank:
                between = (nodes[:, 1].min() + ranks[rank - 1][:, 1].max()) / 2
                axes.plot([0, side], [between, between], color="white", lw=0.9, ls=(0, (4, 3)))
            axes.text(side * 0.97, nodes[:, 1].mean(), f"{name}\nrank {rank}", color="white", fontsize=9,
                      ha="left" if side < 0 else "right", va="center",
                      bbox={"boxstyle": "round,pad=0.25", "fc": "#00000077", "ec": "none"})


def _convergence(path: Path, runs: list[Heat], subtitle: str) -> Path:
    """Residuals of the temperature: in the first time window, and of each run from its start to its end."""
    with mpl.rc_context(STYLE):
        figure = new_figure(12.0, 7.2, "How fast both plates agree", subtitle)
        grid = figure.add_gridspec(len(runs), 2, width_ratios=[1, 1.35])
        first = figure.add_subplot(grid[:, 0])
        above = None
        for k, (run, colour) in enumerate(zip(runs, PALETTE, strict=False)):
            log = run.residuals
            residual, window = log[log.measured[0]], log["TimeWindow"]
            of_first = residual[window == 1]
            first.semilogy(np.arange(1, len(of_first) + 1), of_first, "o", color=colour, ms=6 - k, lw=1.8,
                           ls=("-", (0, (3, 2)))[k % 2], label=run.acceleration)
            axes = above = figure.add_subplot(grid[k, 1], sharex=above, sharey=above)
            begins = np.flatnonzero(np.diff(window)) + 1
            axes.semilogy(np.insert(np.arange(1.0, len(residual) + 1), begins, np.nan),
                          np.insert(residual, begins, np.nan), ".-", ms=3, lw=1.0, color=colour)
            axes.set_title(f"{run.acceleration}: {len(residual)} iterations in {window[-1]:.0f} time windows")
            axes.tick_params(labelbottom=run is runs[-1])
            axes.grid(True, **GRID)
        above.set_xlabel("iteration of the whole run")
        first.set(title="first time window", xlabel="iteration")
        first.set_ylabel("relative residual of the temperature")
        first.legend(loc="upper right")
        first.grid(True, **GRID)
        first.xaxis.set_major_locator(MaxNLocator(integer=True))
    return save(figure, path)


def _accelerations(path: Path, runs: list[Heat], subtitle: str) -> Path:
    """Iterations per time window and in all."""
    with mpl.rc_context(STYLE):
        figure = new_figure(11.0, 4.8, "Iterations by acceleration", subtitle)
        per_window, in_all = figure.subplots(1, 2, width_ratios=[2.2, 1])
        width = 0.8 / len(runs)
        for k, (run, colour) in enumerate(zip(runs, PALETTE, strict=False)):
            at = np.arange(1, len(run.iterations) + 1) + (k - (len(runs) - 1) / 2) * width
            per_window.bar(at, run.iterations, width * 0.92, color=colour, label=run.acceleration, zorder=2)
            total = int(run.iterations.sum())
            in_all.barh(k, total, 0.62, color=colour, zorder=2)
            in_all.annotate(f"{total}", (total, k), xytext=(5, 0), va="center",
                            textcoords="offset points")
        per_window.set(title="in each time window", xlabel="time window", ylabel="iterations")
        per_window.legend(loc="upper right", ncols=len(runs), bbox_to_anchor=(1, 1.09))
        per_window.xaxis.set_major_locator(MaxNLocator(integer=True))
        per_window.grid(True, axis="y", **GRID)
        in_all.set(title="in all", xlabel="iterations", ylim=(len(runs) - 0.5, -0.5))
        in_all.set_yticks(range(len(runs)), [run.acceleration for run in runs])
        in_all.set_xlim(right=1.15 * max(run.iterations.sum() for run in runs))
        in_all.grid(True, axis="x", **GRID)
    return save(figure, path)
