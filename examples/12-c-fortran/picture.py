# SPDX-License-Identifier: BSD-3-Clause
"""Draws what both membranes left: picture.py FOLDER, makes refraction.png there."""

import sys
from pathlib import Path

import numpy as np
from matplotlib import pyplot

folder = Path(sys.argv[1])
figure, axes = pyplot.subplots(figsize=(6, 5), constrained_layout=True)
for name in ("left", "right"):
    x, y, u = np.loadtxt(folder / f"{name}.txt").T
    rows = len(np.unique(y))
    x, y, u = (values.reshape(-1, rows).T for values in (x, y, u))
    x, y, u = np.vstack((x, x, x[:1])), np.vstack((y, y + 1, y[:1] + 2)), np.vstack((u, u, u[:1]))
    image = axes.pcolormesh(x, y, u, shading="gouraud", cmap="RdBu", vmin=-1.4, vmax=1.4)
axes.axvline(0, color="k", linewidth=1)
axes.set(xlabel="x", ylabel="y, two periods", aspect="equal", title="C on the left, Fortran on the right")
figure.colorbar(image, ax=axes, label="displacement")
figure.savefig(folder / "refraction.png", dpi=80)
