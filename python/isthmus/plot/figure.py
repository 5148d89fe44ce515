# SPDX-License-Identifier: BSD-3-Clause
"""The common look of all pictures."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

STYLE = {
    "font.family": "DejaVu Sans", "font.size": 10, "axes.titlesize": 11, "axes.titlelocation": "left",
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": False, "figure.facecolor": "white",
    "axes.edgecolor": "#555555", "xtick.color": "#333333", "ytick.color": "#333333", "legend.frameon": False,
}
PALETTE = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#ee8866", "#44aa99", "#882255",
           "#999933", "#77aadd", "#bbbbbb"]  # after Paul Tol, distinct for colour-blind readers too
DPI = 150
HEADING = 0.75  # inches above the axes


def new_figure(width: float, height: float, title: str, subtitle: str = "") -> Figure:
    """A figure of the given size in inches with a heading."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(width, height), dpi=DPI, layout="constrained")
        FigureCanvasAgg(figure)
        heading = figure.text(0.012, 1 - 0.12 / height, title, fontsize=14, fontweight="bold", va="top")
        under = figure.text(0.012, 1 - 0.42 / height, subtitle, fontsize=10, color="#555555", va="top")
        for text in (heading, under):
            text.set_in_layout(False)
        figure.get_layout_engine().set(rect=(0, 0, 1, 1 - HEADING / height))
    return figure


def save(figure: Figure, path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
    return path
