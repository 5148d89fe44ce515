# SPDX-License-Identifier: BSD-3-Clause
"""The left plate of 04-heat by OpenFOAM: plate.py CONFIGURATION [PICTURE]

Each iteration of each time window writes the field of the start of the window with the temperatures of the
edges, runs one step of laplacianFoam and reads the field that it wrote. OpenFOAM knows nothing of it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

import isthmus

CELLS = 32  # each way, those of case/system/blockMeshDict
H = 1 / CELLS
middles = (np.arange(CELLS) + 0.5) * H
x, y = np.meshgrid(middles - 1, middles)  # of the cells as OpenFOAM counts them: x first


def exact(x: np.ndarray, y: np.ndarray, t: float) -> np.ndarray:
    return 1 + x * (1 + 2 * y) + x**2 + 3 * y**2 + 1.2 * t


class Foam:
    """A copy of the case, run step by step, always from its time 0."""

    def __init__(self, folder: Path):
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(Path(__file__).parent / "case", folder)
        (folder / "0").mkdir()
        self.set_step(1.0)
        self.run("blockMesh")

    def set_step(self, dt: float) -> None:
        (self.folder / "system/step").write_text(f"deltaT {dt!r}; endTime {dt!r};\n")

    def run(self, program: str) -> None:
        debian = {"WM_PROJECT_DIR": "/usr/share/openfoam"}  # for those who did not source etc/bashrc
        done = subprocess.run([program], cwd=self.folder, env=debian | os.environ, capture_output=True,
                              text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{program} failed:\n{done.stdout[-1000:]}{done.stderr[-2000:]}")

    def step(self, field: np.ndarray, edges: dict[str, np.ndarray], dt: float) -> np.ndarray:
        """The field after a step with the temperatures of the edges at its end."""
        self.set_step(dt)
        patches = "".join(f"{name} {{ type fixedValue; value {values(edge)}; }}\n"
                          for name, edge in edges.items())
        (self.folder / "0/T").write_text(
            "FoamFile { version 2.0; format ascii; class volScalarField; object T; }\n"
            f"dimensions [0 0 0 1 0 0 0];\ninternalField {values(field)};\n"
            f"boundaryField {{ {patches} sides {{ type empty; }} }}\n")
        self.run("laplacianFoam")
        text = (self.folder / f"{dt:.6g}/T").read_text()
        cells = re.search(r"internalField\s+nonuniform List<scalar>\s+\d+\s+\((.*?)\)", text, re.DOTALL)
        return np.array(cells[1].split(), dtype=float).reshape(field.shape)


def values(of: np.ndarray) -> str:
    return f"nonuniform List<scalar> {of.size}({' '.join(map(repr, of.ravel().tolist()))})"


picture = Path(sys.argv[2]) if len(sys.argv) > 2 else None
foam = Foam((picture.parent if picture else Path()) / "foam")
t = 0.0
field = exact(x, y, t)
with isthmus.Participant("Dirichlet", sys.argv[1]) as participant:
    ids = participant.set_mesh_vertices("Dirichlet-Mesh", np.column_stack((np.zeros(CELLS), middles)))
    participant.initialize()
    while participant.is_coupling_ongoing():
        if participant.requires_writing_checkpoint():
            start = field
        dt = participant.get_max_time_step_size()
        given = participant.read_data("Dirichlet-Mesh", "Temperature", ids, dt)
        field = foam.step(start, {
            "left": exact(-1, middles, t + dt), "right": given,
            "bottom": exact(middles - 1, 0, t + dt), "top": exact(middles - 1, 1, t + dt)}, dt)
        slope = (8 * given - 9 * field[:, -1] + field[:, -2]) / (3 * H)  # of a parabola
        participant.write_data("Dirichlet-Mesh", "Flux", ids, -slope)
        participant.advance(dt)
        if not participant.requires_reading_checkpoint():
            t += dt

errors = field - exact(x, y, t)
print(f"Dirichlet at t = {t:g}: largest error {np.abs(errors).max():.2e}")
if picture:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(9, 4), constrained_layout=True)
    for axis, shown, title in zip(axes, (field, errors), ("temperature", "error"), strict=True):
        figure.colorbar(axis.pcolormesh(x, y, shown), ax=axis)
        axis.set(title=f"{title} at t = {t:g}", xlabel="x", ylabel="y", aspect="equal")
    figure.savefig(picture, dpi=120)
sys.exit(int(np.abs(errors).max() > 1e-2))
