# SPDX-License-Identifier: BSD-3-Clause
"""Corrections of gradients that are zero: on damBreak, whose faces are normal to the lines between cells,
they are left out, with fewer messages and fields within rounding; on cells that are skewed all stays byte
by byte: schemes_test.py LIBRARIES."""

import sys
import tempfile
from pathlib import Path

import tutorials

from isthmus.openfoam import fields, runs
from isthmus.openfoam.case import SOLVERS, Case

tutorials.skip_without("icoFoam", "interFoam", "blockMesh", "setFields", "decomposePar")
libraries = Path(sys.argv[1]).resolve()


def skewed(folder: Path) -> tuple[Case, float]:
    """Cavity with one of its corners moved."""
    case = tutorials.unpack("incompressible/icoFoam/cavity/cavity", folder)
    tutorials.edit(case, "system/blockMeshDict", (r"\(1 1 0\)", "(1.3 1 0)"),
                   (r"\(1 1 0\.1\)", "(1.3 1 0.1)"))
    tutorials.edit(case, "system/fvSchemes", (r"default\s+orthogonal;", "default corrected;"),
                   (r"Gauss linear orthogonal;", "Gauss linear corrected;"))
    tutorials.tool(case, "blockMesh")
    return case, 0.01


def compare(case: Case, folder: Path, end: float) -> tuple[fields.Difference, list[float]]:
    """Fields of runs without and with the library, and messages per step of both."""
    done = [runs.run(runs.copy_of(case, folder / layer.name, end), layer, SOLVERS[0], libraries, 600)
            for layer in (runs.ORIGINAL, runs.SCHEMES)]
    assert done[0].iterations == done[1].iterations
    far = fields.compare(done[0].folder, done[1].folder)
    assert far is not None
    return far, [run.mean("calls", "isend") / run.steps for run in done]


with tempfile.TemporaryDirectory() as name:
    for ranks in (1, 4):
        case, end = tutorials.dam_break(Path(name) / f"normal{ranks}")
        tutorials.decompose(case, ranks)
        far, messages = compare(case, Path(name) / "runs", end)
        assert far.largest < 1e-9, far  # rounding, grown by equations that end at 1e-7
        assert ranks == 1 or messages[1] < 0.95 * messages[0], messages
        print(f"normal faces, {ranks} ranks: messages per step {messages}, fields {far.largest:.1e}")
        case, end = skewed(Path(name) / f"skewed{ranks}")
        tutorials.decompose(case, ranks)
        far, messages = compare(case, Path(name) / "runs", end)
        assert far.equal == far.files, far
        assert messages[1] == messages[0], messages
