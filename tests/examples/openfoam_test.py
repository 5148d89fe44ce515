# SPDX-License-Identifier: BSD-3-Clause
"""A plate by OpenFOAM beside one by finite differences. Skipped without laplacianFoam."""

import shutil
import sys

from coupled import EXAMPLES, Run

if shutil.which("laplacianFoam") is None:
    print("skipped: there is no laplacianFoam on PATH (Debian: openfoam)")
    sys.exit(77)

run = Run("04-heat", [('max-time value="1"', 'max-time value="0.2"')], (1, "heat", "Neumann", "CONFIG", 64),
          (1, sys.executable, EXAMPLES / "13-openfoam/plate.py", "CONFIG"))
errors = [run.number(f"{name} at .*? largest error") for name in ("Dirichlet", "Neumann")]
print(f"errors {errors}, iterations {run.iterations['Neumann']}")
assert max(errors) < 5e-3 and run.iterations["Neumann"][0] <= 14
