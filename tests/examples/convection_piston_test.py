# SPDX-License-Identifier: BSD-3-Clause
"""A piston on a spring drives the fluid of a channel, as a participant that gets its force and gives its
displacement: it swings with the mass of the fluid, on any ranks.

    convection_piston_test.py ISTHMUS-CONVECTION
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import isthmus

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from scenario import Flow, Scenario, Scheme

CONVECTION = Path(sys.argv[1]).resolve()
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n"]
ENVIRONMENT = {"ISTHMUS_TIMEOUT": "30"} | os.environ | {"OMPI_MCA_mpi_yield_when_idle": "1"}
MASS, SPRING, STEP, WINDOWS, START = 0.2, 40.0, 0.01, 30, 0.01
FLUID = 2 * 0.5 * 1  # its mass: length, and area of the piston

CASE = """[mesh]
box = [2, 0.5, 1]
cells = [6, 2, 3]
[fluid]
viscosity = 0.1
[time]
step = 0.01
[solver]
residual = 1e-10
[[boundary]]
group = "x-min"
[[boundary]]
group = "x-max"
kind = "open"
""" + "".join(f'[[boundary]]\ngroup = "{axis}-{end}"\nkind = "slip-{axis}"\n'
              for axis in "yz" for end in ("min", "max")) + """[coupling]
configuration = "config.xml"
group = "x-min"
exchanges = "motion"
"""

CONTROL = """<relative-convergence-measure data="Force" mesh="Piston-Mesh" limit="1e-7" />
<max-iterations value="30" />
<acceleration:IQN-ILS>
  <initial-relaxation value="0.1" />
  <max-used-iterations value="20" />
  <time-windows-reused value="2" />
  <filter type="QR2" limit="1e-2" />
  <data name="Force" mesh="Piston-Mesh" />
</acceleration:IQN-ILS>
"""

CONFIGURATION = Scenario(
    [Scheme("Piston", "Fluid", "serial-implicit", STEP, max_time=STEP * WINDOWS, control=CONTROL)],
    [Flow("Piston", "Fluid", "Displacement", vector=True, initialize=True, substeps=False),
     Flow("Fluid", "Piston", "Force", "write", "conservative", vector=True, substeps=False)],
    dimensions=3).xml()


def next_place(places: list[float], mass: float, force: float) -> float:
    """Euler's implicit rule: mass times the second difference, and the spring, are the force."""
    last, earlier = places[-1], places[-2]
    return (force + mass * (2 * last - earlier) / STEP**2) / (mass / STEP**2 + SPRING)


def swing() -> tuple[list[float], int]:
    """Places of the coupled piston, and iterations; it begins at rest, pushed by a constant force."""
    with isthmus.Participant("Piston", "config.xml") as participant:
        vertex = participant.set_mesh_vertices("Piston-Mesh", [[0, 0.25, 0.5]])
        if participant.requires_initial_data():
            participant.write_data("Piston-Mesh", "Displacement", vertex, [[0.0, 0, 0]])
        participant.initialize()
        places, iterations = [0.0, 0.0], 0
        while participant.is_coupling_ongoing():
            participant.requires_writing_checkpoint()
            force = participant.read_data("Piston-Mesh", "Force", vertex, STEP)[0][0]
            place = next_place(places, MASS, SPRING * START + force)
            participant.write_data("Piston-Mesh", "Displacement", vertex, [[place, 0, 0]])
            participant.advance(STEP)
            iterations += 1
            if not participant.requires_reading_checkpoint():
                places.append(place)
        return places, iterations


def coupled(ranks: int) -> tuple[list[float], int]:
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "config.xml").write_text(CONFIGURATION)
        (Path(name) / "case.toml").write_text(CASE)
        with subprocess.Popen([*MPIRUN, str(ranks), CONVECTION, "case.toml"], cwd=name, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=ENVIRONMENT) as job:
            os.chdir(name)
            try:
                found = swing()
            finally:
                output = job.communicate(timeout=1500)[0]
                os.chdir("/")
        assert job.returncode == 0, output
    return found


exact = [0.0, 0.0]
for _ in range(WINDOWS):
    exact.append(next_place(exact, MASS + FLUID, SPRING * START))
assert max(exact) > START  # it swings over
for ranks in (1, 2, 3):
    places, iterations = coupled(ranks)
    worst = max(abs(ours - known) for ours, known in zip(places, exact, strict=True))
    assert len(places) == WINDOWS + 2 and worst < 1e-5 * START, (ranks, worst, places, exact)
    assert iterations / WINDOWS < 6, iterations
print(f"piston of mass {MASS} with a fluid of mass {FLUID:g}: worst difference {worst / START:.1e} of its "
      f"swing, {iterations / WINDOWS:.1f} iterations a window")
