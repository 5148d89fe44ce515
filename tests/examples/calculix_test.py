# SPDX-License-Identifier: BSD-3-Clause
"""A plate of CalculiX under water: its tone beside that of theory, iterations. Skipped without ccx."""

import shutil
import sys

from coupled import EXAMPLES, Run

if shutil.which("ccx") is None:
    print("skipped: there is no ccx on PATH (Debian: calculix-ccx)")
    sys.exit(77)

run = Run("10-calculix", [], (1, "water", "CONFIG"),
          (1, sys.executable, EXAMPLES / "10-calculix/plate.py", "CONFIG"))
iterations = run.iterations["Plate"]
print(f"largest error {run.number('largest error'):.2e} of the swing, iterations {iterations}")
assert run.number("largest error") < 5e-3 and run.number("of the swing,") < 4e-3
assert len(iterations) == 20 and sum(iterations) <= 80
