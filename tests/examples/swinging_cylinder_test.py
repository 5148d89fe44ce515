# SPDX-License-Identifier: BSD-3-Clause
"""A cylinder on a spring in the flow solver, a few steps: what is exchanged is what the history says, the
same values on any ranks, and a flow that comes to grief ends both. swinging_cylinder_test.py ISTHMUS-FLOW"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

FLOW = Path(sys.argv[1]).resolve()
EXAMPLE = Path(__file__).resolve().parents[2] / "examples/14-swinging-cylinder"
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n"]
ENVIRONMENT = {"ISTHMUS_TIMEOUT": "30"} | os.environ | {"OMPI_MCA_mpi_yield_when_idle": "1"}
EXPLICIT = (("serial-implicit", "serial-explicit"), (' initialize="true"', ""),
            ('first="Cylinder" second="Fluid"', 'first="Fluid" second="Cylinder"'))


class Outcome:
    """A coupled run in a folder of its own: `changes` are pairs of a text and what takes its place."""

    def __init__(self, ranks: int, windows: int, flow=(), coupling=()):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            self._copy("flow.toml", flow, folder)
            subprocess.run([sys.executable, EXAMPLE / "grid.py", folder / "grid.xyz", "32"], check=True)
            length = f'max-time value="{windows / 10:g}"'
            text = self._copy("config.xml", (('max-time value="60"', length), *coupling), folder)
            if coupling is EXPLICIT:
                start, end = text.index("<relative-conv"), text.index("</coupling")
                (folder / "config.xml").write_text(text[:start] + text[end:])
            jobs = [subprocess.Popen(command, cwd=folder, text=True, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, env=ENVIRONMENT)
                    for command in ([*MPIRUN, str(ranks), FLOW, "flow.toml"],
                                    [sys.executable, EXAMPLE / "cylinder.py", "config.xml", "4.94", "y.csv"])]
            self.output = [job.communicate(timeout=1500)[0] for job in jobs]
            self.codes = [job.returncode for job in jobs]
            if not any(self.codes):
                self.loads = np.loadtxt(folder / "out/loads.csv", delimiter=",", skiprows=1, ndmin=2)
                self.body = np.loadtxt(folder / "y.csv", delimiter=",", skiprows=1, ndmin=2)

    @staticmethod
    def _copy(name: str, changes, folder: Path) -> str:
        text = (EXAMPLE / name).read_text()
        for old, new in changes:
            assert old in text, f"{name} has no {old}"
            text = text.replace(old, new)
        (folder / name).write_text(text)
        return text


explicit = Outcome(1, 6, coupling=EXPLICIT)
assert not any(explicit.codes), explicit.output
lift, drag = explicit.loads[:, 2:4].T
assert np.allclose(2 * explicit.body[:, 2], lift, rtol=1e-11, atol=1e-13), (explicit.body, explicit.loads)
assert np.allclose(2 * explicit.body[:, 3], drag, rtol=1e-11) and abs(drag).min() > 0.1
assert np.allclose(explicit.loads[:, 0], 5 * explicit.body[:, 0])  # M = 0.2

implicit = [Outcome(ranks, 4) for ranks in (1, 2, 3)]
assert not any(code for run in implicit for code in run.codes), [run.output for run in implicit]
for run in implicit[1:]:
    assert np.allclose(run.body, implicit[0].body, rtol=1e-9, atol=1e-12), (run.body, implicit[0].body)
    assert np.allclose(run.loads, implicit[0].loads, rtol=1e-9, atol=1e-12)
# it is let go, and the fluid moves with it: it begins as if it were heavier
y = implicit[0].body[:, 1]
alone = 0.4 * np.cos(np.sqrt(4.94 / 2.5) * 0.1 * np.arange(1, 5))
assert (np.diff(y) < 0).all() and alone[-1] < y[-1] < 0.4, (y, alone)

wild = Outcome(2, 4, flow=(("cfl = 6", "cfl = 6000"),))
assert all(wild.codes), wild.output
assert "of block" in wild.output[0] and 'lower "cfl"' in wild.output[0], wild.output[0]
assert "Fluid" in wild.output[1] and 'lower "cfl"' in wild.output[1], wild.output[1]
print("history and forces agree; 1, 2 and 3 ranks agree; a flow that comes to grief ends both")
