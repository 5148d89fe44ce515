# SPDX-License-Identifier: BSD-3-Clause
"""Ways to sum over shared nodes, over the number of simulated ranks; orders of the nodes; convection."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes

from isthmus.bench.kit.interface import BYTES, TIME
from isthmus.bench.measurement import Measurement
from isthmus.plot.figure import PALETTE, STYLE, new_figure, save
from isthmus.plot.over_ranks import rank_curves

COLOURS = {"allreduce": PALETTE[6], "allgather": PALETTE[3], "two_stage": PALETTE[5], "one_round": PALETTE[0],
           "automatic": PALETTE[2]}
ORDER = re.compile(r"(?P<mesh>Gmsh|structured, \d ranks?), (?P<order>.+)")
SIMULATED = re.compile(r"(?P<way>\S+), (?P<ranks>[\d,]+) simulated ranks")
PANELS = (BYTES, "messages sent by the busiest rank", TIME)


def interface_picture(path: Path, measurements: list[Measurement]) -> Path:
    """Three panels over ranks."""
    with mpl.rc_context(STYLE):
        figure = new_figure(14.0, 4.6, "Sums over nodes that ranks share",
                            "178,605 tetrahedra of Elias et al. 2009 on simulated clusters; what allreduce "
                            "and allgather send is modelled")
        panels = figure.subplots(1, 3)
        for axes, quantity in zip(panels, PANELS, strict=True):
            rank_curves(axes, quantity, measurements, SIMULATED, COLOURS, dashed=("automatic",))
        figure.legend(*panels[0].get_legend_handles_labels(), loc="upper right", ncols=len(COLOURS))
    return save(figure, path)


def orders_picture(path: Path, measurements: list[Measurement]) -> Path:
    """A panel for each mesh: times of an operator by order of the nodes."""
    meshes = list(dict.fromkeys(match["mesh"] for m in measurements if (match := ORDER.fullmatch(m.case))))
    with mpl.rc_context(STYLE):
        figure = new_figure(5.0 * len(meshes) + 1, 4.2, "Orders of nodes",
                            "one application of an operator on the edges of tetrahedra, on this machine; "
                            "grey: loops over edges as in Elias et al.")
        for axes, mesh in zip(figure.subplots(1, len(meshes), squeeze=False)[0], meshes, strict=True):
            _orders(axes, mesh, measurements)
    return save(figure, path)


def rolls_picture(path: Path, plane: Path, measurements: list[Measurement]) -> Path:
    """Temperature in the middle plane of the box, from the file that the benchmark writes."""
    with open(plane, newline="") as file:
        temperature = np.array([[float(cell) for cell in line] for line in csv.reader(file)]).T
    heat = next((f", Nusselt number {m.ours:.4f}" for m in measurements
                 if m.quantity == "Nusselt number" and f"x {len(temperature)} cells" in m.case), "")
    with mpl.rc_context(STYLE):
        figure = new_figure(11.0, 3.9, "Rolls between a warm floor and a cold ceiling",
                            f"Rayleigh 30,000, Prandtl 0.71, box 4:1:1, {len(temperature)} cells over the "
                            f"height, from noise{heat}")
        axes = figure.subplots()
        image = axes.imshow(temperature, origin="lower", extent=(0, 4, 0, 1), cmap="RdBu_r", vmin=0, vmax=1,
                            interpolation="bicubic")
        axes.contour(temperature, levels=np.linspace(0.1, 0.9, 9), extent=(0, 4, 0, 1),
                     colors="#333333", linewidths=0.6)
        axes.set(xlabel="length", ylabel="height")
        figure.colorbar(image, ax=axes, label="temperature, middle plane", shrink=0.8)
    return save(figure, path)


def _orders(axes: Axes, mesh: str, measurements: list[Measurement]) -> None:
    rows = [(match["order"], m) for m in measurements if m.quantity == "operator without exchange"
            and (match := ORDER.fullmatch(m.case)) and match["mesh"] == mesh]
    axes.barh(range(len(rows)), [1e6 * m.ours for _, m in rows], height=0.7,
              color=[PALETTE[11] if order.endswith("edges") else PALETTE[0] for order, _ in rows])
    for at, (_, m) in enumerate(rows):
        axes.annotate(f" {1e6 * m.ours:.0f} µs", (1e6 * m.ours, at), va="center", fontsize=9)
    axes.set_yticks(range(len(rows)), [order for order, _ in rows])
    axes.invert_yaxis()
    axes.margins(x=0.2)
    axes.set_title(mesh, fontsize=10)
