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
ROLLS = ("noise = 0.01", "noise = 0.01\nwave = [4.6757, 0, 0]\nswell = 0.1")  # three


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
        output = [job.communicate(timeout=1500)[0] for job in jobs]
        return [job.returncode for job in jobs], output


def ends(ranks: int, windows: int, flow) -> tuple[float, float]:
    """Heat, and the mean temperature between fluid and plate."""
    codes, output = run(ranks, windows, flow)
    assert not any(codes), output
    found = re.search(r"heat (\S+) temperature of the upper side (\S+)", output[1])
    assert found, output
    return float(found[1]), float(found[2])


def in_one() -> tuple[float, float]:
    """Heat that enters below and leaves above, by the area, of plate and fluid in one mesh and program."""
    text = (EXAMPLE / "flow.toml").read_text().partition("[coupling]")[0]
    for old, new in (("0.125, 1]", "0.125, 1.25]"), ("[24, 1, 12]", "[24, 1, 15]"),
                     ("temperature = 1\ngradient", "temperature = 1.25\ngradient"),
                     ("[start]", "[solid]\nbelow = 0.25\nconductivity = 2\n[start]"),
                     LONG_STEPS, ROLLS, ("steady = 0", "steady = 0\nsteps = 24")):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "case.toml").write_text(text)
        done = subprocess.run([CONVECTION, "case.toml"], cwd=name, text=True, capture_output=True,
                              timeout=1500, check=True, env=ENVIRONMENT)
    lines = [line.split(",") for line in done.stdout.splitlines() if "," in line]
    last = dict(zip(lines[0], lines[24], strict=True))
    area = 2.0157 * 0.125
    return float(last["heat_z-min"]) / area, -float(last["heat_z-max"]) / area


# two layers: 1 of conductivity 1, 0.25 of conductivity 2
exact = 1 / (1 + 0.25 / 2)
at_rest = [ends(ranks, 24, (REST, LONG_STEPS, ("noise = 0.01", "noise = 0"))) for ranks in (1, 2, 3)]
for heat, between in at_rest:
    assert abs(heat - exact) < 1e-4 and abs(between - exact) < 1e-4, (at_rest, exact)
heat, between = ends(2, 24, (LONG_STEPS, ROLLS))
assert heat > 1.5 * exact, heat
assert abs(between - (1 - heat * 0.25 / 2)) < 0.01, (heat, between)
enters, leaves = in_one()
assert abs(enters / leaves - 1) < 1e-5, (enters, leaves)
assert abs(enters / heat - 1) < 1e-3, (enters, heat)

codes, output = run(2, 4, (), 0.1)
assert all(codes), output
assert "a window of the coupled run has the size 0.1" in output[0] + output[1], output
print(f"heat of two layers {at_rest[0][0]:.7f}, exact {exact:.7f}; the moving fluid takes {heat:.4f}")
