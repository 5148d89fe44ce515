# SPDX-License-Identifier: BSD-3-Clause
"""Two plates by FEniCS with the adapters of PyPI, unchanged, are exact but for rounding:
fenics_test.py PYTHON. Exit code 77: skipped, because FEniCS or its adapter is not there."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[2] / "examples/09-fenics-heat"
PYTHON = os.path.abspath(sys.argv[1])

seen = subprocess.run([PYTHON, "-c", "import dolfin, fenicsprecice"], check=False, capture_output=True,
                      text=True)
if "ModuleNotFoundError" in seen.stderr:
    print(f"skipped: {seen.stderr.splitlines()[-1]}; make examples-setup installs it")
    sys.exit(77)
assert seen.returncode == 0, seen.stderr

with tempfile.TemporaryDirectory() as folder:
    environment = os.environ | {"PYTHON": PYTHON, "ISTHMUS_TIMEOUT": "150"}
    run = subprocess.run([EXAMPLE / "run.sh", folder], check=False, env=environment, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=1500)
    assert run.returncode == 0, run.stdout
    assert (Path(folder) / "plates.png").stat().st_size > 10_000
errors = dict(re.findall(r"(\w+) at t = 1: largest error (\S+)", run.stdout))
print(errors)
assert set(errors) == {"Dirichlet", "Neumann"}, run.stdout
assert all(float(error) < 1e-11 for error in errors.values())
