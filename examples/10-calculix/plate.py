# SPDX-License-Identifier: BSD-3-Clause
"""A plate under water by CalculiX: plate.py CONFIGURATION [PICTURE]

Each iteration of each time window writes an input deck, with displacements and velocities of the start of
the window and the forces of the water, runs one dynamic step of ccx and reads what it prints. The plate is
hit at t = 0; its solution is a sine that swings with the frequency of plate and water."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np

import isthmus

LENGTH, THICKNESS, DEPTH, ELEMENTS = 1.0, 0.02, 0.1, 10  # depth: of one row of elements in plane strain
YOUNG, POISSON, DENSITY = 70e9, 0.33, 2700.0  # aluminium
WATER_DENSITY, WATER_HEIGHT = 1000.0, 0.5
AMPLITUDE = 1e-3  # in vacuum

K = math.pi / LENGTH
STIFFNESS = YOUNG * THICKNESS**3 / 12 / (1 - POISSON**2) * K**4  # of the half wave, per area
MASS = DENSITY * THICKNESS
ADDED = WATER_DENSITY * math.tanh(K * WATER_HEIGHT) / K  # mass of water that swings along, per area
DRY, WET = (math.sqrt(STIFFNESS / mass) for mass in (MASS, MASS + ADDED))
HIT = DRY * AMPLITUDE  # speed of the middle

# One row of quadratic bricks; node (i, j, k) lies i half elements along, j up and k across.
BRICK = ["000", "200", "220", "020", "002", "202", "222", "022", "100", "210", "120", "010", "102", "212",
         "122", "012", "001", "201", "221", "021"]


class Plate:
    """Its nodes and the deck around them."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.node = {}
        for i in range(2 * ELEMENTS + 1):
            for j, k in np.ndindex(3, 3):
                if i % 2 + j % 2 + k % 2 < 2:
                    self.node[i, j, k] = len(self.node)
        step = np.array([LENGTH / ELEMENTS, THICKNESS, DEPTH]) / 2
        self.places = np.array(list(self.node)) * step - [0, THICKNESS / 2, 0]
        lines = ["*NODE,NSET=ALL"]
        lines += [f"{n},{x:.9e},{y:.9e},{z:.9e}" for n, (x, y, z) in enumerate(self.places, 1)]
        lines.append("*ELEMENT,TYPE=C3D20R,ELSET=PLATE")
        for e in range(ELEMENTS):
            nodes = [str(self.node[2 * e + int(b[0]), int(b[1]), int(b[2])] + 1) for b in BRICK]
            lines += [f"{e + 1},{','.join(nodes[:10])},", ",".join(nodes[10:])]
        lines += ["*MATERIAL,NAME=METAL", "*ELASTIC", f"{YOUNG},{POISSON}", "*DENSITY", f"{DENSITY}",
                  "*SOLID SECTION,ELSET=PLATE,MATERIAL=METAL", "*BOUNDARY", "ALL,3"]
        for k in (0, 2):  # both ends carry the plate at half its height
            lines += [f"{self.node[0, 1, k] + 1},1,2", f"{self.node[2 * ELEMENTS, 1, k] + 1},2"]
        folder.mkdir(exist_ok=True)
        (folder / "mesh.inp").write_text("\n".join(lines) + "\n")
        self.wet = [self.node[i, 2, 0] for i in range(2 * ELEMENTS + 1)]  # where the water touches it

    def loads(self, force: np.ndarray) -> list[str]:
        """Forces per depth along the wet line, shared by the nodes across it as a uniform pressure does."""
        lines = []
        for i, value in enumerate(DEPTH * force):
            shares = {0: 0.5, 2: 0.5} if i % 2 else {0: -0.5, 1: 2.0, 2: -0.5}
            lines += [f"{self.node[i, 2, k] + 1},2,{share * value:.9e}" for k, share in shares.items()]
        return lines

    def step(self, u: np.ndarray, v: np.ndarray, force: np.ndarray,
             dt: float) -> tuple[np.ndarray, np.ndarray]:
        """Displacements and velocities after a step of the trapezoidal rule."""
        lines = ["*INCLUDE,INPUT=mesh.inp"]
        for kind, values in (("DISPLACEMENT", u), ("VELOCITY", v)):
            lines.append(f"*INITIAL CONDITIONS,TYPE={kind}")
            lines += [f"{n},{c},{x:.9e}" for n, row in enumerate(values, 1) for c, x in enumerate(row, 1)]
        lines += ["*STEP", "*DYNAMIC,DIRECT,ALPHA=0", f"{dt:.13e},{dt:.13e}", "*CLOAD", *self.loads(force),
                  "*NODE PRINT,NSET=ALL", "U", "*NODE PRINT,NSET=ALL", "V", "*END STEP"]
        (self.folder / "step.inp").write_text("\n".join(lines) + "\n")
        done = subprocess.run(["ccx", "-i", "step"], cwd=self.folder, capture_output=True, text=True,
                              check=False)
        rows = [line.split() for line in (self.folder / "step.dat").read_text().splitlines()]
        values = np.array([row[1:3] for row in rows if len(row) == 4 and row[0].isdigit()], dtype=float)
        if done.returncode != 0 or len(values) != 2 * len(u):
            raise RuntimeError(f"ccx failed:\n{done.stdout[-2000:]}")
        return values[:len(u)], values[len(u):]


plate = Plate(Path("ccx"))
x, y, _ = plate.places.T
u = np.zeros((len(x), 2))
v = HIT * np.column_stack((-K * y * np.cos(K * x), np.sin(K * x)))
times, shapes = [0.0], [u[plate.wet, 1]]

with isthmus.Participant("Plate", sys.argv[1]) as participant:
    ids = participant.set_mesh_vertices("Plate-Mesh", plate.places[plate.wet][:, :2] * [1, 0])
    if participant.requires_initial_data():
        participant.write_data("Plate-Mesh", "Velocity", ids, v[plate.wet])
    participant.initialize()
    while participant.is_coupling_ongoing():
        if participant.requires_writing_checkpoint():
            start = u, v
        dt = participant.get_max_time_step_size()
        force = participant.read_data("Plate-Mesh", "Force", ids, dt)
        u, v = plate.step(*start, force[:, 1], dt)
        participant.write_data("Plate-Mesh", "Velocity", ids, v[plate.wet])
        participant.advance(dt)
        if not participant.requires_reading_checkpoint():
            times.append(times[-1] + dt)
            shapes.append(u[plate.wet, 1])

swing = HIT / WET
shapes = np.array(shapes)
middle = shapes[:, ELEMENTS]
exact = swing * np.sin(WET * np.array(times))
angle = 2 * math.atan(WET * dt / 2)  # by which the trapezoidal rule turns in a step
stepped = swing * np.sin(angle * np.arange(len(times)))
error, own = (np.abs(middle - other).max() / swing for other in (exact, stepped))
print(f"Plate: {DRY / 2 / math.pi:.2f} Hz in vacuum, {WET / 2 / math.pi:.2f} Hz in water; largest error "
      f"{error:.2e} of the swing, {own:.2e} beside the trapezoidal rule")
if len(sys.argv) > 2:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(10, 4), constrained_layout=True)
    fine = np.linspace(0, times[-1], 300)
    axes[0].plot(fine, 1e3 * AMPLITUDE * np.sin(DRY * fine), "0.7", label="in vacuum")
    axes[0].plot(fine, 1e3 * swing * np.sin(WET * fine), label="in water")
    axes[0].plot(times, 1e3 * middle, "k.", label="CalculiX and water")
    axes[0].set(xlabel="time in s", ylabel="middle of the plate in mm")
    axes[0].legend()
    along = x[plate.wet]
    for t, shape in zip(times[::2], shapes[::2], strict=True):
        axes[1].plot(along, 1e3 * swing * math.sin(WET * t) * np.sin(K * along), "0.7")
        axes[1].plot(along, 1e3 * shape, "k.")
    axes[1].set(xlabel="x in m", ylabel="wet side in mm", title="every second window, and the sine")
    figure.savefig(sys.argv[2], dpi=120)
sys.exit(int(error > 0.02))
