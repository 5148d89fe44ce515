# SPDX-License-Identifier: BSD-3-Clause
"""What does not fit ends with what to type: errors_test.py LIBRARIES."""

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import tutorials

from isthmus.errors import IsthmusError
from isthmus.openfoam import runs
from isthmus.openfoam.case import SOLVERS

tutorials.skip_without("icoFoam", "blockMesh")
libraries = Path(sys.argv[1])


def says(action: Callable[[], object], *texts: str) -> None:
    try:
        action()
    except IsthmusError as error:
        for text in texts:
            assert text in str(error), f"no {text!r} in: {error}"
        return
    raise AssertionError(f"nothing was said; expected {texts}")


with tempfile.TemporaryDirectory() as name:
    case, end = tutorials.cavity(Path(name) / "cavity")

    def run(layer: runs.Layer = runs.BOTH, solver: str = "PiPePCG") -> runs.Run:
        copy = runs.copy_of(case, Path(name) / "runs" / "copy", end)
        return runs.run(copy, layer, solver, libraries, 300)

    assert run().iterations["p"] > 0
    solution = case.text("system/fvSolution")
    smoother = r"smoothSolver;\s*smoother\s+symGaussSeidel"
    tutorials.edit(case, "system/fvSolution", (smoother, "PCG; preconditioner DILU"))
    for solver in SOLVERS:
        says(lambda solver=solver: run(solver=solver), "Ux is not symmetric",
             "type `solver mergedPBiCGStab;` or `solver PBiCGStab;`", "system/fvSolution")
    (case.folder / "system/fvSolution").write_text(solution.replace("PCG", "GAMG"), encoding="utf-8")
    says(run, "names PCG nowhere", "write `solver PCG;")
    (case.folder / "system/fvSolution").write_text(solution, encoding="utf-8")

    says(lambda: runs.check_program("noFoam", libraries), "no noFoam on PATH", "apt-get install")
    runs.check_program("icoFoam", libraries)
    other = Path(name) / "other"  # libraries that are not there
    other.mkdir()
    says(lambda: runs.check_program("icoFoam", other), "and not", "to see why")
    os.environ["ISTHMUS_OPENFOAM"] = str(other)
    says(runs.libraries, "no libPstream.so of ours", "openfoam/setup.sh")
    print("every error says what to type")
