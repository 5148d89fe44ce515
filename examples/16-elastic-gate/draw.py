# SPDX-License-Identifier: BSD-3-Clause
"""How far the free end of the gate is off its place over time, beside the experiment: draw.py CSV PICTURE

measured.csv is the experiment of Antoci, Gallati and Sibilla (2007), as digitised in the tests of Project
Chrono (github.com/Milad-Rakhsha/Project-Chrono, data/fsi/ref_data), rounded to 0.1 mm."""

import sys
from pathlib import Path

import numpy as np
from matplotlib import pyplot

time, aside, up = np.loadtxt(sys.argv[1], delimiter=",", skiprows=1, unpack=True)
measured = np.loadtxt(Path(__file__).with_name("measured.csv"), delimiter=",", skiprows=1, unpack=True)
figure, axes = pyplot.subplots(figsize=(7, 3.4), constrained_layout=True)
for way, name, mark, (there, points) in ((aside, "aside", "o", measured[:2]), (up, "up", "s", measured[2:])):
    (line,) = axes.plot(time, 1e3 * way, label=name)
    axes.plot(there, 1e3 * points, mark, color=line.get_color(), label=f"{name}, measured")
    both = there < time[-1]
    off = np.interp(there[both], time, way) - points[both]
    print(f"{name}: largest {1e3 * way.max():.1f} mm at {time[way.argmax()]:.3f} s, measured "
          f"{1e3 * points.max():.1f} mm at {there[points.argmax()]:.3f} s; root of mean square difference "
          f"{1e3 * np.sqrt((off**2).sum() / max(1, len(off))):.1f} mm at {len(off)} times")
axes.set(xlabel="time in s", ylabel="mm", title="Free end of an elastic gate, water 0.14 m deep")
axes.legend()
figure.savefig(sys.argv[2], dpi=60)
