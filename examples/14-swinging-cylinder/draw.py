# SPDX-License-Identifier: BSD-3-Clause
"""The place of the cylinder, lift and drag over time: draw.py CSV PICTURE"""

import sys

import numpy as np
from matplotlib import pyplot

time, y, force, drag = np.loadtxt(sys.argv[1], delimiter=",", skiprows=1, unpack=True)
figure, (places, loads) = pyplot.subplots(2, 1, figsize=(8, 4.4), sharex=True, constrained_layout=True)
places.plot(time, y)
places.axhspan(-0.57, 0.57, color="0.92", zorder=0, label="amplitude of Shiels et al.")
places.set(ylabel="y / D", title="A cylinder on a spring, let go at y = 0.4, Re = 100")
places.legend(loc="upper right")
loads.plot(time, 2 * force, label="lift")
loads.plot(time, 2 * drag, label="drag")
loads.set(xlabel="time in D / U", ylabel="coefficient", ylim=(-3, 4))
loads.legend(loc="upper right")
figure.savefig(sys.argv[2], dpi=60)
