# SPDX-License-Identifier: BSD-3-Clause
"""How far the free end of the gate is off its place over time: draw.py CSV PICTURE"""

import sys

import numpy as np
from matplotlib import pyplot

time, aside, up = np.loadtxt(sys.argv[1], delimiter=",", skiprows=1, unpack=True)
figure, axes = pyplot.subplots(figsize=(7, 3.4), constrained_layout=True)
axes.plot(time, 1e3 * aside, label="aside")
axes.plot(time, 1e3 * up, label="up")
axes.set(xlabel="time in s", ylabel="mm", title="Free end of an elastic gate, water 0.14 m deep")
axes.legend()
figure.savefig(sys.argv[2], dpi=60)
