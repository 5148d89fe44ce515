# SPDX-License-Identifier: BSD-3-Clause
"""A plate by Nutils beside one by finite differences: nutils_test.py PROGRAMS. Both are exact for the
solution; what is left is the mapping of 64 nodes."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
HEAT = Path(sys.argv[1]).resolve() / "04-heat/heat"
CONFIG = EXAMPLES / "04-heat/config.xml"


def largest_error(cells: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        start = {"cwd": folder, "text": True, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        jobs = [subprocess.Popen([HEAT, "Neumann", CONFIG, str(cells)], **start),
                subprocess.Popen([sys.executable, EXAMPLES / "08-nutils/plate.py", CONFIG, "4", "plate.png"],
                                 env=os.environ | {"MPLBACKEND": "Agg"}, **start)]
        output = "".join(job.communicate(timeout=1500)[0] for job in jobs)
        assert not any(job.returncode for job in jobs), output
        assert (Path(folder) / "plate.png").stat().st_size > 10_000
    return float(re.search(r"Dirichlet at t = 1: largest error (\S+)", output)[1])


error = largest_error(64)
print(f"largest error: {error:.2e}")
assert error < 5e-6
