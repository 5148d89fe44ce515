# SPDX-License-Identifier: BSD-3-Clause
"""Both plates and their errors: draw.py PICTURE FILE…, files that heat.py wrote"""

import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot
from matplotlib.tri import Triangulation

fields = [np.loadtxt(file).T for file in sys.argv[2:]]
figure, axes = pyplot.subplots(2, 1, figsize=(7.5, 6.5), constrained_layout=True, sharex=True)
for axis, row, title in zip(axes, (2, 3), ("temperature at t = 1", "error"), strict=True):
    values = np.concatenate([field[row] for field in fields])
    for field in fields:
        filled = axis.tripcolor(Triangulation(*field[:2]), field[row], shading="gouraud",
                                vmin=values.min(), vmax=values.max())
    figure.colorbar(filled, ax=axis)
    axis.axvline(1, color="white", linewidth=1)
    axis.set(title=title, ylabel="y", aspect="equal")
axes[0].text(0.97, 0.04, "Dirichlet", color="white", ha="right")
axes[0].text(1.03, 0.04, "Neumann", color="white")
axes[1].set_xlabel("x")
figure.savefig(sys.argv[1], dpi=110)
