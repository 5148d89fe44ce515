# SPDX-License-Identifier: BSD-3-Clause
"""A fluid over a conducting plate: where it is at rest both conduct as one, on any ranks; where it moves more
heat crosses; windows of another size are refused. convection_over_plate_test.py ISTHMUS-CONVECTION"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

CONVECTION = Path(sys.argv[1]).resolve()
EXAMPLE = Path(__file__).resolve().parents[2] / "examples/15-convection-over-plate"
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n"]
ENVIRONMENT = {"ISTHMUS_TIMEOUT": "30"} | os.environ | {"OMPI_MCA_mpi_yield_when_idle": "1"}
REST = ("rayleigh = 20000", "rayleigh = 1000")
LONG_STEPS = ("step = 0.02", "step = 0.5")


def run(ranks: int, windows: int, flow, size: float = 0.5) -> tuple[list[int], list[str]]:
    """A coupled run in a folder of its own: codes and words of fluid and plate."""
    with tempfile.TemporaryDirectory() as name:
        for file, changes in (("flow.toml", flow),
                              ("config.xml", (('window-size value="0.02"', f'window-size value="{size}"'),
                                              ('max-time value="3"', f'max-time value="{windows * size}"')))):
            text = (EXAMPLE / file).read_text()
            for old, new in changes:
                assert old in text, f"{file} has no {old}"
                text = text.replace(old, new)
            (Path(name) / file).write_text(text)
        jobs = [subprocess.Popen(command, cwd=name, text=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, env=ENVIRONMENT)
                for command in ([*MPIRUN, str(ranks), CONVECTION, "flow.toml"],
                                [sys.executable, EXAMPLE / "plate.py", "config.xml"])]
        output = [job.communicate(timeout=60)[0] for job in jobs]
        return [job.returncode for job in jobs], output


def ends(ranks: int, windows: int, flow) -> tuple[float, float]:
    """Heat, and the mean temperature between fluid and plate."""
    codes, output = run(ranks, windows, flow)
    assert not any(codes), output
    found = re.search(r"heat (\S+) temperature of the upper side (\S+)", output[1])
    assert found, output
    return float(found[1]), float(found[2])


# two layers: 1 of conductivity 1, 0.25 of conductivity 2
exact = 1 / (1 + 0.25 / 2)
at_rest = [ends(ranks, 24, (REST, LONG_STEPS, ("noise = 0.01", "noise = 0"))) for ranks in (1, 2, 3)]
for heat, between in at_rest:
    assert abs(heat - exact) < 1e-4 and abs(between - exact) < 1e-4, (at_rest, exact)
heat, between = ends(2, 24, (LONG_STEPS,))
assert heat > 1.5 * exact, heat
assert abs(between - (1 - heat * 0.25 / 2)) < 0.01, (heat, between)

codes, output = run(2, 4, (), 0.1)
assert all(codes), output
assert "a window of the coupled run has the size 0.1" in output[0] + output[1], output
print(f"heat of two layers {at_rest[0][0]:.7f}, exact {exact:.7f}; the moving fluid takes {heat:.4f}")
