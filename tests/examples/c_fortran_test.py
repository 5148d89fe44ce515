# SPDX-License-Identifier: BSD-3-Clause
"""A wave that passes from a C program to a Fortran program is refracted as it should be."""

from coupled import Run

run = Run("12-c-fortran", [], (1, "left", "CONFIG"), (1, "right", "CONFIG"))
left, right = (run.number(f"{name} at t = .*? largest error") for name in ("Left", "Right"))
print(f"errors {left:.2e} of C, {right:.2e} of Fortran")
assert left < 8e-3 and right < 0.02
