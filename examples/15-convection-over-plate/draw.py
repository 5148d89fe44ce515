# SPDX-License-Identifier: BSD-3-Clause
"""Temperatures of fluid and plate in one picture, and heat over time: draw.py FOLDER NPZ PICTURE"""

import sys
from pathlib import Path

import numpy as np
from matplotlib import pyplot

from isthmus.solvers.series import last_moment

moment = last_moment(Path(sys.argv[1]))
plate = np.load(sys.argv[2])
length, thickness = plate["size"]
rows, columns = plate["temperature"].shape
time, heat, _ = plate["history"].T
figure, (fields, over_time) = pyplot.subplots(1, 2, figsize=(9, 3.2), width_ratios=(2, 1),
                                              constrained_layout=True)
side = moment.points[:, 1] < 1e-9
shared = {"cmap": "inferno", "vmin": 0, "vmax": 1, "shading": "gouraud"}
fields.tripcolor(moment.points[side, 0], moment.points[side, 2], moment.data["temperature"][side], **shared)
drawn = fields.pcolormesh(np.linspace(0, length, columns), np.linspace(-thickness, 0, rows),
                          plate["temperature"], **shared)
fields.axhline(0, color="white", lw=1)
fields.set(aspect="equal", xlabel="x", ylabel="z", title=f"temperature, time {time[-1]:.3g}")
figure.colorbar(drawn, ax=fields, shrink=0.8)
over_time.plot(time, heat)
over_time.set(xlabel="time", title="heat by that of conduction")
figure.savefig(sys.argv[3], dpi=64)
