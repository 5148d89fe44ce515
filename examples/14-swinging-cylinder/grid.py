# SPDX-License-Identifier: BSD-3-Clause
"""An O-grid around the cylinder that resolves its wake, as PLOT3D: grid.py FILE [CELLS_AROUND]

Around, cells behind the cylinder are half as long as they are on the average; outwards they grow from the
wall to a quarter of the diameter, stay so over twelve diameters of wake, and grow again. Four blocks."""

import sys

import numpy as np

BLOCKS, FIRST, LARGEST, WAKE, FAR = 4, 0.015, 28 / 112, 12.0, 40.0


def radii(refined: float) -> np.ndarray:
    """Of the nodes; all lengths in diameters."""
    places, size = [0.5], FIRST / refined
    while places[-1] < FAR:
        places.append(places[-1] + size)
        if size < LARGEST / refined or places[-1] > WAKE:
            size *= 1 + 0.08 / refined
    return np.array(places)


def write(path: str, around: int) -> None:
    turn = np.arange(around + 1) / around
    angle = -2 * np.pi * turn + 0.5 * np.sin(2 * np.pi * turn)  # clockwise, from the wake
    angle[-1] = -2 * np.pi
    r = radii(around / 112)
    x, y = np.cos(angle)[:, None] * r, np.sin(angle)[:, None] * r
    x[-1], y[-1] = x[0], y[0]
    size = around // BLOCKS
    with open(path, "wb") as file:
        np.array([BLOCKS, *[size + 1, len(r), 1] * BLOCKS], dtype=np.int32).tofile(file)
        for block in range(BLOCKS):
            part = slice(size * block, size * (block + 1) + 1)
            for values in (x[part], y[part], np.zeros_like(x[part])):
                values.T.tofile(file)  # i runs fastest


write(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 112)
