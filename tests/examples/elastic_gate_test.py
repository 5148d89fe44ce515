# SPDX-License-Identifier: BSD-3-Clause
"""Water behind an elastic gate: the beam beside Euler's elastica and its first frequency, the force on a gate
that is held beside that of the depth, a few steps of both on 1 and 2 ranks. elastic_gate_test.py PROGRAM"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

PARTICLES = Path(sys.argv[1]).resolve()
EXAMPLE = Path(__file__).resolve().parents[2] / "examples/16-elastic-gate"
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n"]
ENVIRONMENT = {"ISTHMUS_TIMEOUT": "60"} | os.environ | {"OMPI_MCA_mpi_yield_when_idle": "1"}
sys.path.insert(0, str(EXAMPLE))
from beam import Beam, Strip  # noqa: E402

# a force P across the end of a beam with P L² = E I: 0.30172 L aside, 0.05643 L up
beam = Beam(Strip(thickness=1, modulus=12))
pull = np.zeros((32, 2))
pull[-1, 0] = 1
end = beam.nodes(beam.bent(pull, None))[-1]
assert abs(end[0] - 0.30172) < 3e-4 and abs(1 + end[1] - 0.05643) < 1e-4, end

beam = Beam(Strip(thickness=0.01, modulus=12e6, density=100))  # E I = 1, 1 per length
beam.angles = beam.bent(1e-3 * pull, None)
beam.places = [beam.nodes(beam.angles)] * 2
step, ends = 2 * np.pi / 3.516 / 400, []
for _ in range(560):
    beam.move(beam.bent(0 * pull, step), step)
    ends.append(beam.places[1][-1, 0])
sinks = np.flatnonzero((np.array(ends[:-1]) > 0) & (np.array(ends[1:]) <= 0))
assert abs(np.diff(sinks)[0] / 400 - 1) < 0.01, sinks  # steps of a period

HELD = """
import sys
import numpy
import isthmus
sys.path.insert(0, sys.argv[1])
from beam import Beam, Strip
home = Beam(Strip(0.079, 0.005), top=(0.1025, 0.079)).faces(numpy.zeros(32))
with isthmus.Participant("Gate", "config.xml") as gate:
    ids = gate.set_mesh_vertices("Gate-Mesh", home.reshape(-1, 2))
    gate.initialize()
    while gate.is_coupling_ongoing():
        gate.requires_writing_checkpoint()
        step = gate.get_max_time_step_size()
        gate.write_data("Gate-Mesh", "Displacement", ids, 0 * home.reshape(-1, 2))
        gate.advance(step)
        gate.requires_reading_checkpoint()
    force = gate.read_data("Gate-Mesh", "Force", ids, 0).sum(0)
print("force", *force)
"""


def couple(ranks: int, windows: int, gate: list[str]) -> str:
    """What the gate says at the end."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = (EXAMPLE / "fluid.toml").read_text()
        (folder / "fluid.toml").write_text(re.sub(r"\[output\][^[]*", "", text))
        text = (EXAMPLE / "config.xml").read_text()
        (folder / "config.xml").write_text(
            text.replace('max-time value="0.3"', f'max-time value="{2e-4 * windows:g}"'))
        jobs = [subprocess.Popen(command, cwd=folder, text=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, env=ENVIRONMENT)
                for command in ([*MPIRUN, str(ranks), str(PARTICLES), "fluid.toml"], [sys.executable, *gate])]
        outputs = [job.communicate(timeout=1500)[0] for job in jobs]
        assert not any(job.returncode for job in jobs), outputs
    assert "5040 particles of fluid" in outputs[0], outputs[0][-300:]
    return outputs[1]


said = couple(1, 4, ["-c", HELD, str(EXAMPLE)])
force = [float(word) for word in re.search(r"force (\S+) (\S+)", said).groups()]
wanted = 9810 * (0.14 * 0.079 - 0.079**2 / 2)
assert abs(force[0] / wanted - 1) < 0.03, (force, wanted)
print(f"force on a gate that is held: {force[0]:.2f} N, of the depth {wanted:.2f} N")

ends = []
for ranks in (1, 2):
    said = couple(ranks, 12, [str(EXAMPLE / "beam.py"), "config.xml"])
    ends.append([float(word) for word in re.search(r"at the end (\S+) (\S+)", said).groups()])
assert np.allclose(*ends, rtol=0.02, atol=1e-8) and 1e-6 < ends[0][0] < 1e-3, ends
print(f"free end after 12 windows on 1 and 2 ranks: {ends}")
