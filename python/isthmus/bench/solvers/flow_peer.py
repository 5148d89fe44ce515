# SPDX-License-Identifier: BSD-3-Clause
"""The flow solver beside OpenFOAM's rhoCentralFoam: processor time of a cell and explicit evaluation.

Flow without viscosity in a plane box, one rank, by turns: the processor time of 50 steps, which two runs of
different length differ by. rhoCentralFoam takes one evaluation a step (central-upwind fluxes, limited by
van Leer); ours takes four (Roe's fluxes, limited by van Albada), a step of fourth order in time for linear
problems. Where it is not installed (Debian: openfoam), our own figure stands alone."""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from isthmus.bench.framework import Context, in_turns
from isthmus.bench.measurement import Measurement, Median
from isthmus.bench.solvers.flow_cases import Tables, solve
from isthmus.console import console, print_warning
from isthmus.errors import FAILED, IsthmusError
from isthmus.openfoam.runs import environment

PEER = "rhoCentralFoam"
STAGES = 4  # evaluations in a step of ours
FEW, MANY = 20, 70
LIMIT = 900  # seconds of one run
HEAD = "FoamFile {{ version 2.0; format ascii; class {}; object {}; }}\n"
GAS = """thermoType { type hePsiThermo; mixture pureMixture; transport const; thermo hConst;
  equationOfState perfectGas; specie specie; energy sensibleInternalEnergy; }
mixture { specie { molWeight 11640.3; } thermodynamics { Cp 2.5; Hf 0; } transport { mu 0; Pr 1; } }
"""
SCHEMES = """fluxScheme Kurganov;
ddtSchemes { default Euler; }
gradSchemes { default Gauss linear; }
divSchemes { default none; div(tauMC) Gauss linear; }
laplacianSchemes { default Gauss linear corrected; }
interpolationSchemes { default linear; reconstruct(rho) vanLeer; reconstruct(U) vanLeerV;
  reconstruct(T) vanLeer; }
snGradSchemes { default corrected; }
"""
SOLUTION = """solvers { "(rho|rhoU|rhoE)" { solver diagonal; }
  "(U|e)" { solver smoothSolver; smoother GaussSeidel; tolerance 1e-9; relTol 0.01; } }
"""


def measure(context: Context) -> list[Measurement]:
    cells = 512 if context.full else 128
    version = version_of()
    if version is None:
        print_warning(f"{PEER} is not installed (Debian: openfoam); our own figure stands alone")
    return list(beside(context.out / "flow-peer", cells, context.repeat, version))


def version_of() -> str | None:
    """Of the OpenFOAM that is there."""
    if shutil.which(PEER) is None or shutil.which("blockMesh") is None:
        return None
    done = subprocess.run([PEER, "-help"], check=False, capture_output=True, text=True, timeout=60,
                          env=environment())
    found = re.search(r"Using: .*?\((\d+)\)", done.stdout + done.stderr)
    return found[1] if found else "of unknown version"


def beside(folder: Path, cells: int, repeat: int, version: str | None) -> Iterator[Measurement]:
    solvers = {"ours": partial(per_evaluation, partial(ours, folder, cells), cells, STAGES)}
    if version is not None:
        write_case(folder / PEER, cells)
        solvers[PEER] = partial(per_evaluation, partial(theirs, folder / PEER), cells, 1)
    console.print(f"explicit steps of {' and '.join(solvers)}, {repeat} times", style="dim")
    found = in_turns(solvers, repeat)
    source = f"{PEER} of OpenFOAM {version}, in the same run"
    yield Measurement(f"explicit steps without viscosity, plane, {cells} x {cells} cells",
                      "processor time of a cell and evaluation", "ns", Median.of(found["ours"]),
                      Median.of(found[PEER]) if PEER in found else None, source)


def per_evaluation(run: Callable[[int], float], cells: int, stages: int) -> float:
    """In ns per cell, of runs of few and many steps."""
    seconds = -run(FEW) + run(MANY)
    return 1e9 * seconds / ((MANY - FEW) * stages * cells * cells)


def ours(folder: Path, cells: int, steps: int) -> float:
    """Processor seconds of a run."""
    case: Tables = {"flow": {"mach": 0.3}, "grid": {"shape": "box", "cells": [cells, cells, 1]},
                    "time": {"kind": "explicit", "step": 0.1 / cells, "steps": steps}}
    return solve(folder, "ours", case, boundaries={
        "far": ("far-field", ["*:i-min", "*:i-max", "*:j-min", "*:j-max"])}).seconds


def theirs(folder: Path, steps: int) -> float:
    """Processor seconds of a run."""
    write_control(folder, steps)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    run(PEER, folder)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def run(program: str, folder: Path) -> None:
    done = subprocess.run([program], cwd=folder, capture_output=True, text=True, timeout=LIMIT, check=False,
                          env=environment())
    if done.returncode != 0:
        raise IsthmusError(f"{program} failed in {folder}: {(done.stdout + done.stderr)[-400:]}", FAILED)


def write_control(folder: Path, steps: int) -> None:
    write(folder / "system/controlDict", "dictionary",
          f"application {PEER}; startFrom startTime; startTime 0; stopAt endTime; endTime {steps};\n"
          "deltaT 1; writeControl timeStep; writeInterval 100000; adjustTimeStep no; maxCo 1;\n")


def write_case(folder: Path, cells: int) -> None:
    """A gas whose speed of sound is 1 in a box of so many cells across, with steps of size 1 as ours."""
    size = 10 * cells
    corners = " ".join(f"({x} {y} {z})" for z in (0, 1) for y in (0, size) for x in (0, size))
    write(folder / "system/blockMeshDict", "dictionary",
          f"scale 1;\nvertices ({corners});\nblocks (hex (0 1 3 2 4 5 7 6) ({cells} {cells} 1) "
          "simpleGrading (1 1 1));\nboundary (\n"
          "  around { type patch; faces ((0 4 6 2) (1 3 7 5) (0 1 5 4) (2 6 7 3)); }\n"
          "  planes { type empty; faces ((0 2 3 1) (4 5 7 6)); }\n);\n")
    write(folder / "system/fvSchemes", "dictionary", SCHEMES)
    write(folder / "system/fvSolution", "dictionary", SOLUTION)
    write(folder / "constant/thermophysicalProperties", "dictionary", GAS)
    write(folder / "constant/turbulenceProperties", "dictionary", "simulationType laminar;\n")
    for name, kind, dimensions, value in (("p", "Scalar", "1 -1 -2 0 0 0 0", "0.714286"),
                                          ("T", "Scalar", "0 0 0 1 0 0 0", "1"),
                                          ("U", "Vector", "0 1 -1 0 0 0 0", "(0.3 0 0)")):
        write(folder / "0" / name, f"vol{kind}Field",
              f"dimensions [{dimensions}];\ninternalField uniform {value};\n"
              "boundaryField { around { type zeroGradient; } planes { type empty; } }\n")
    write_control(folder, FEW)
    run("blockMesh", folder)


def write(path: Path, kind: str, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEAD.format(kind, path.name) + text)
