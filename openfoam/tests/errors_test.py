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
from isthmus.openfoam.case import SOLVERS, Case

tutorials.skip_without("icoFoam", "laplacianFoam", "blockMesh", "decomposePar")
libraries = Path(sys.argv[1])


def says(action: Callable[[], object], *texts: str) -> None:
    try:
        action()
    except IsthmusError as error:
        for text in texts:
            assert text in str(error), f"no {text!r} in: {error}"
        return
    raise AssertionError(f"nothing was said; expected {texts}")


HEADER = "FoamFile {{ version 2.0; format ascii; class {}; object {}; }}\n"
FILES = {"0/T": ("volScalarField", "dimensions [0 0 0 1 0 0 0]; internalField uniform 1;"
                 'boundaryField { "(movingWall|fixedWalls)" { type fixedValue; value uniform 0; }'
                 " frontAndBack { type empty; } }"),
         "constant/transportProperties": ("dictionary", "DT DT [0 2 -1 0 0 0 0] 1;"),
         "constant/fvOptions": ("dictionary", "heat { type scalarSemiImplicitSource; selectionMode all; "
                                "volumeMode specific; injectionRateSuSp { T (1 1e5); } }")}


def unstable(folder: Path) -> Case:
    """A plate that heats itself, the more the hotter it is: the equation is symmetric, and not definite."""
    case, _ = tutorials.cavity(folder)
    for path, (kind, text) in FILES.items():
        (folder / path).write_text(HEADER.format(kind, Path(path).name) + text, encoding="utf-8")
    tutorials.edit(case, "system/controlDict", (r"application\s+icoFoam", "application laplacianFoam"))
    tutorials.edit(case, "system/fvSolution", (r"\bp\n", "T\n"), (r"PISO", "SIMPLE"))
    tutorials.edit(case, "system/fvSchemes", (r"default\s+Euler", "default steadyState"))
    tutorials.decompose(case, 2)  # on one rank most forms are PCG, which does not look
    return case


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

    hot = unstable(Path(name) / "hot")
    for solver in SOLVERS:
        copy = runs.copy_of(hot, Path(name) / "runs" / "copy", end)
        says(lambda copy=copy, solver=solver: runs.run(copy, runs.NUMERICAL, solver, libraries, 300),
             "the equation of T cannot be solved by this form of conjugate gradients: it is indefinite",
             "try `solver PBiCGStab;` for T")
    copy = runs.copy_of(case, Path(name) / "runs" / "copy", end)
    says(lambda: runs.run(copy, runs.ORIGINAL, "PCG", libraries, 0.01), "icoFoam took more than 0.01 s",
         "its log is")

    says(lambda: runs.check_program("isthmusInterFoam", Path(name)), "no isthmusInterFoam on PATH",
         "type make build")
    says(lambda: runs.check_program("noFoam", libraries), "no noFoam on PATH", "apt-get install")
    runs.check_program("icoFoam", libraries)
    other = Path(name) / "other"  # libraries that are not there
    other.mkdir()
    says(lambda: runs.check_program("icoFoam", other), "and not", "to see why")
    os.environ["ISTHMUS_OPENFOAM"] = str(other)
    says(runs.libraries, "no libPstream.so of ours", "openfoam/setup.sh")
    print("every error says what to type")
