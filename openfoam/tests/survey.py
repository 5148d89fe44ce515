# SPDX-License-Identifier: BSD-3-Clause
"""Runs tutorials with the packaged libPstream.so and with ours and compares every file they write, then with
predictedPCG, where they use PCG: more kinds of exchange than the tests have time for.
survey.py LIBRARIES FOLDER [NAME…]; of cavitatingBullet a part: "cavitatingBullet, 16 ranks, PCG"."""

import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import tutorials

from isthmus.errors import IsthmusError
from isthmus.openfoam import fields, runs
from isthmus.openfoam.case import Case

MIXER_MESH = "m4 system/blockMeshDict.m4 > system/blockMeshDict && blockMesh && topoSet"


@dataclass(frozen=True)
class Tutorial:
    path: str
    end: float
    commands: tuple[tuple[str, ...], ...] = (("blockMesh",),)
    method: str = "simple"
    ranks: int = 4
    variables: dict[str, str] = field(default_factory=dict)
    prepare: Callable[[Case], None] = lambda case: None


def without_functions(case: Case) -> None:
    """Streamlines and pictures are not compared."""
    with (case.folder / "system/controlDict").open("a", encoding="utf-8") as control:
        control.write("\nfunctions {}\n")


def without_multigrid(case: Case) -> None:
    """So that there is something for conjugate gradients to solve."""
    without_functions(case)
    text = re.sub(r"solver\s+GAMG;", "solver PCG; preconditioner DIC;", case.text("system/fvSolution"))
    (case.folder / "system/fvSolution").write_text(text, encoding="utf-8")


SURVEY = {
    "cavity, collated files": Tutorial("incompressible/icoFoam/cavity/cavity", 0.02,
                                       variables={"FOAM_FILEHANDLER": "collated"}),
    "damBreak, RAS": Tutorial("multiphase/interFoam/RAS/damBreak/damBreak", 0.01,
                              (("blockMesh",), ("setFields",))),
    "pitzDaily": Tutorial("incompressible/simpleFoam/pitzDaily", 5, prepare=without_functions),
    "pitzDaily, in bricks": Tutorial("incompressible/simpleFoam/pitzDaily", 5, method="hierarchical",
                                     prepare=without_multigrid),
    "movingCone, a moving mesh": Tutorial("incompressible/pimpleFoam/laminar/movingCone",
                                          2.5e-5, prepare=without_functions),
    "mixerVesselAMI2D, sliding": Tutorial("incompressible/pimpleFoam/laminar/mixerVesselAMI2D",
                                          4e-3, (("sh", "-c", MIXER_MESH),), method="hierarchical",
                                          prepare=without_multigrid),
    "channel395, cyclic": Tutorial("incompressible/pimpleFoam/LES/channel395", 0.4,
                                   prepare=without_multigrid),
    "hopper, particles": Tutorial("lagrangian/icoUncoupledKinematicParcelFoam/hopper/hopperInitialState",
                                   0.01),
    "parcelInBox, particles": Tutorial("lagrangian/reactingParcelFoam/parcelInBox", 0.02,
                                       prepare=without_functions),
}


def survey(name: str, tutorial: Tutorial, libraries: Path, folder: Path) -> bool:
    os.environ |= tutorial.variables
    place = folder / name.split(",")[0].replace(" ", "") / tutorial.method
    case = tutorials.unpack(tutorial.path, place / "case")
    tutorial.prepare(case)
    for command in tutorial.commands:
        tutorials.tool(case, *command)
    tutorials.decompose(case, tutorial.ranks, tutorial.method)

    def run(layer: runs.Layer) -> runs.Run:
        copy = runs.copy_of(case, place / layer.name, tutorial.end)
        return runs.run(copy, layer, "predictedPCG", libraries, 1200)

    original, ours = run(runs.ORIGINAL), run(runs.SUPPORTING)
    far = fields.compare(original.folder, ours.folder)
    same_log = tutorials.solving_lines(ours.log) == tutorials.solving_lines(original.log)
    sizes = [run.mean("calls", "alltoall") / run.steps for run in (original, ours)]
    print(f"{name}: {original.steps} steps, {far}, log {'the same' if same_log else 'DIFFERENT'}; exchanges "
          f"of sizes per step {sizes[0]:.1f}, ours {sizes[1]:.1f}; seconds {original.seconds:.1f}, ours "
          f"{ours.seconds:.1f}", flush=True)
    if re.search(r"\bsolver\s+PCG\s*;", case.text("system/fvSolution")):
        solved = run(runs.BOTH)
        print(f"{name}, predictedPCG: {fields.compare(original.folder, solved.folder)}; iterations "
              f"{original.iterations}, ours {solved.iterations}", flush=True)
    for variable in tutorial.variables:
        del os.environ[variable]
    return far is not None and far.equal == far.files and same_log


HEAD_FORM = "cavitatingBullet"
WITHOUT_LIMITER = "supporting+numerical+schemes+asymmetric"
LAYERS = ("original", "supporting", "numerical", "limiter", "schemes", "asymmetric", "both", WITHOUT_LIMITER,
          "all")
KINDS = (("messages", "calls", "send", "isend"), ("bytes", "bytes", "send", "isend"),
         ("exchanges of sizes", "calls", "alltoall"),
         ("reductions waited for", "calls", "allreduce", "allgather"), ("beside", "calls", "sum"),
         ("waits for messages", "calls", "wait", "receive", "probe"))


def head_form(libraries: Path, folder: Path, title: str) -> bool:
    """Each layer alone and all, 4 and 16 ranks, as the tutorial solves and with PCG in place of multigrid:
    those whose title begins so."""
    case, end = tutorials.bullet(folder / HEAD_FORM / "case")
    good = True
    for ranks, solver in ((4, "multigrid"), (16, "multigrid"), (4, "PCG"), (16, "PCG")):
        place = f"{HEAD_FORM}, {ranks} ranks, {solver}"
        if not place.startswith(title):
            continue
        if solver == "PCG":
            conjugate_gradients(case)
        tutorials.decompose(case, ranks, "hierarchical")
        runs_of_layers: dict[str, runs.Run] = {}
        for name in LAYERS:
            copy = runs.copy_of(case, folder / HEAD_FORM / name, end)
            done = runs_of_layers[name] = runs.run(copy, runs.Layer.of(name), "predictedPCG", libraries, 1800)
            original = runs_of_layers["original"]
            # the limiter's program is compiled here: on this mesh velocities depend on the compiler by 5 %
            others = ["original", "limiter"] if name == "all" else ["original"]
            far = {other: fields.compare(runs_of_layers[other].folder, done.folder) for other in others}
            same_log = tutorials.solving_lines(done.log) == tutorials.solving_lines(original.log)
            counts = {row: f"{done.mean(what, *kinds) / done.steps:.1f}" for row, what, *kinds in KINDS}
            print(f"{place}, {name}: {far}, log {'the same' if same_log else 'different'}; iterations "
                  f"{done.iterations}; per step {counts}; seconds {done.seconds:.1f}", flush=True)
            if name == "supporting":
                equal = far["original"]
                good &= equal is not None and equal.equal == equal.files and same_log
    return good


def conjugate_gradients(case: Case) -> None:
    """In place of multigrid and of gradients that it preconditions, as Lin and others have it."""
    text = case.text("system/fvSolution")
    first, last = text.index("p_rgh"), text.index('"pcorr.*"')
    blocks = "".join(f"{name} {{ solver PCG; preconditioner DIC; tolerance {limit}; relTol {relative}; }}\n"
                     for name, limit, relative in (("p_rgh", 1e-8, 0.1), ("p_rghFinal", 1e-7, 0)))
    (case.folder / "system/fvSolution").write_text(text[:first] + blocks + text[last:], encoding="utf-8")


if __name__ == "__main__":
    tutorials.skip_without("icoFoam")
    failed = []
    libraries, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    for name in sys.argv[3:] or [*SURVEY, HEAD_FORM]:
        try:
            if not (head_form(libraries, folder, name) if name.startswith(HEAD_FORM) else
                    survey(name, SURVEY[name], libraries, folder)):
                failed.append(name)
        except (AssertionError, IsthmusError) as error:
            failed.append(name)
            print(f"{name}: {error}", flush=True)
    sys.exit(f"not the same: {failed}" if failed else 0)
