# SPDX-License-Identifier: BSD-3-Clause
"""Order in time of the two masses for each degree of the waveform. The Runge-Kutta method has order 4; a
waveform of degree 1 brings it down to 2. The errors of degree 2 cancel between neighbouring steps, which
gives more than 3."""

import math

from coupled import Run

EXPECTED = {1: (1.8, 2.2), 2: (2.8, 4.5), 3: (3.7, 4.7)}


def error(degree: int, window: float) -> float:
    changes = [('waveform-degree="3"', f'waveform-degree="{degree}"'),
               ('time-window-size value="0.05"', f'time-window-size value="{window}"')]
    run = Run("03-oscillator", changes, (1, "mass", "Mass-1", "CONFIG", 3),
              (1, "mass", "Mass-2", "CONFIG", 4))
    return math.hypot(run.number("Mass-1 .*? error"), run.number("Mass-2 .*? error"))


errors = {}
for degree, (least, most) in EXPECTED.items():
    errors[degree] = [error(degree, window) for window in (0.05, 0.025)]
    order = math.log2(errors[degree][0] / errors[degree][1])
    print(f"degree {degree}: errors {errors[degree][0]:.2e}, {errors[degree][1]:.2e}, order {order:.2f}")
    assert least < order < most
assert errors[3][1] < errors[2][1] < errors[1][1] / 100
