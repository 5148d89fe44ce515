# SPDX-License-Identifier: BSD-3-Clause
"""Runs tutorials with the packaged libPstream.so and with ours and compares every file they write, then with
predictedPCG, where they use PCG: more kinds of exchange than the tests have time for.
survey.py LIBRARIES FOLDER [TEXT…]: all, or those in whose name is one of the texts: "damBreak, RAS" or
"cavitatingBullet, 16 ranks, PCG". Figures are kept in FOLDER/survey.json, and a tutorial whose figures are
known is not run again."""

import itertools
import math
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import known
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
    "damBreak, divided by Scotch": Tutorial("multiphase/interFoam/laminar/damBreak/damBreak", 0.01,
                                            (("blockMesh",), ("setFields",)), method="scotch"),
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


def survey(tutorial: Tutorial, libraries: Path, place: Path) -> dict[str, float]:
    """How many files and whether the log are the same with libPstream.so; where they are not, in another run
    of the original; how often sizes were exchanged in a step; how far predictedPCG takes the fields."""
    shutil.rmtree(place, ignore_errors=True)  # of a command that was ended
    case = tutorials.unpack(tutorial.path, place / "case")
    tutorial.prepare(case)
    for command in tutorial.commands:
        tutorials.tool(case, *command)
    tutorials.decompose(case, tutorial.ranks, tutorial.method)

    def run(layer: runs.Layer, name: str = "") -> runs.Run:
        copy = runs.copy_of(case, place / (name or layer.name), tutorial.end)
        return runs.run(copy, layer, "predictedPCG", libraries, 1200)

    original = run(runs.ORIGINAL)

    def same(other: runs.Run) -> tuple[int, bool]:
        far = fields.compare(original.folder, other.folder)
        assert far is not None and far.files > 0
        return far.equal, tutorials.solving_lines(other.log) == tutorials.solving_lines(original.log)

    ours = run(runs.SUPPORTING)
    equal, same_log = same(ours)
    files = same(original)[0]
    found = {"ranks": tutorial.ranks, "steps": original.steps, "files": files, "the same": equal,
             "the same log": same_log,
             "sizes": original.mean("calls", "alltoall") / original.steps,
             "sizes with ours": ours.mean("calls", "alltoall") / ours.steps}
    if equal < files or not same_log:
        found["the same in another run of the original"] = same(run(runs.ORIGINAL, "again"))[0]
    if re.search(r"\bsolver\s+PCG\s*;", case.text("system/fvSolution")):
        solved = run(runs.BOTH)
        far = fields.compare(original.folder, solved.folder)
        found["difference with predictedPCG"] = far.largest if far else math.inf
        found["iterations"] = sum(original.iterations.values())
        found["iterations with predictedPCG"] = sum(solved.iterations.values())
    return found


def is_same(found: dict[str, float]) -> bool:
    """Or the original differs from itself."""
    again = found.get("the same in another run of the original", found["files"])
    return again < found["files"] or (found["the same"] == found["files"] and bool(found["the same log"]))


HEAD_FORM = "cavitatingBullet"
WITHOUT_LIMITER = "supporting+numerical+schemes+asymmetric"
LAYERS = ("original", "supporting", "numerical", "limiter", "schemes", "asymmetric", "smoothers", "both",
          WITHOUT_LIMITER, "all", "close")
KINDS = (("messages", "calls", "send", "isend"), ("bytes", "bytes", "send", "isend"),
         ("exchanges of sizes", "calls", "alltoall"),
         ("reductions waited for", "calls", "allreduce", "allgather"), ("beside", "calls", "sum"),
         ("waits for messages", "calls", "wait", "receive", "probe"))


# of Lin and others: how they are made, and to which time they run
CASES = {HEAD_FORM: (tutorials.bullet, 10 * tutorials.BULLET_STEP), "cavity": (tutorials.cavity, 0.5),
         "damBreak": (tutorials.dam_break, 0.02)}


@dataclass(frozen=True)
class Layered:
    """One of CASES on so many ranks; cavitatingBullet as the tutorial solves (multigrid), or as the others,
    with PCG in place of that."""

    name: str
    ranks: int
    solver: str
    libraries: Path
    folder: Path

    def case(self) -> tuple[Case, float]:
        """Meshed, once."""
        make, end = CASES[self.name]
        if not (self.folder / "case").is_dir():
            unfinished = self.folder / "unfinished"
            shutil.rmtree(unfinished, ignore_errors=True)
            case, _ = make(unfinished)
            if self.name == HEAD_FORM and self.solver == "PCG":
                conjugate_gradients(case)
            unfinished.rename(self.folder / "case")
        return Case(self.folder / "case"), end

    def run(self, case: Case, name: str, end: float, layer: str = "original", limit: float = 0) -> runs.Run:
        copy = runs.copy_of(case, self.folder / name, end)
        if limit > 0:
            limit_of_alpha(copy, limit)
        return runs.run(copy, runs.Layer.of(layer).fitting(case), "predictedPCG", self.libraries, 1800)

    def names(self) -> list[str]:
        """Of layers that it has: there is a limiter for programs of two phases only."""
        return [name for name in LAYERS if self.name != "cavity" or name not in ("limiter", WITHOUT_LIMITER)]

    def layers(self) -> dict[str, dict[str, float]]:
        """Each alone and all: calls of a step, iterations, and how far the fields are from others'."""
        case, end = self.case()
        tutorials.decompose(case, self.ranks, "hierarchical")
        done: dict[str, runs.Run] = {}
        found: dict[str, dict[str, float]] = {}
        for name in self.names():
            one = done[name] = self.run(case, name, end, name)
            found[name] = {row: one.mean(what, *kinds) / one.steps for row, what, *kinds in KINDS}
            found[name] |= {f"iterations of {field}": number for field, number in one.iterations.items()}
            # the limiter's program is compiled here: on this mesh velocities depend on the compiler by 5 %
            is_sum = name in ("all", "close")
            for other in ("original", "limiter") if is_sum and "limiter" in done else ("original",):
                far = fields.compare(done[other].folder, one.folder)
                assert far is not None
                found[name] |= {f"difference to {other}": far.largest,
                                f"files unlike {other}": far.files - far.equal}
            print(f"{self.name}, {self.ranks} ranks, {self.solver}, {name}: {found[name]}", flush=True)
        return found

    def original_beside_itself(self) -> dict[str, float]:
        """How far apart its fields are, pair by pair: with the tutorial's limit for alpha, 1e-8, and a lower
        one, divided in other ways, and with the layers whose solver for alpha is ours."""
        case, end = self.case()
        places: dict[str, Path] = {}

        def whole(name: str, ranks: int, method: str, layer: str = "original", limit: float = 0) -> None:
            places[name] = self.folder / f"{name}-whole"
            if places[name].is_dir():  # a command that was ended came so far
                return
            tutorials.decompose(case, ranks, method)
            done = self.run(case, name, end, layer, limit)
            tutorials.tool(Case(done.folder), "reconstructPar", "-latestTime")
            last = fields.last_time(done.folder)
            assert last is not None
            shutil.move(done.folder / last, places[name] / last)

        whole("original", self.ranks, "hierarchical")
        whole("slabs", self.ranks, "simple")
        whole("asymmetric", self.ranks, "hierarchical", "asymmetric")
        whole("half-the-ranks", self.ranks // 2, "hierarchical")
        whole("smoothers", self.ranks, "hierarchical", "smoothers")
        whole("limit-1e-13", self.ranks, "hierarchical", limit=1e-13)
        whole("asymmetric-limit-1e-13", self.ranks, "hierarchical", "asymmetric", limit=1e-13)
        found: dict[str, float] = {}
        for one, other in itertools.combinations(places, 2):
            far = fields.compare(places[one], places[other])
            assert far is not None
            found[f"{one} to {other}"] = far.largest
        return found


def limit_of_alpha(case: Case, limit: float) -> None:
    text = case.text("system/fvSolution")
    first = re.search(r'"?alpha', text)
    assert first is not None
    after, number = re.subn(r"(\btolerance\s+)[^;]+;", rf"\g<1>{limit:g};", text[first.start():], count=1)
    assert number == 1
    (case.folder / "system/fvSolution").write_text(text[:first.start()] + after, encoding="utf-8")


def conjugate_gradients(case: Case) -> None:
    """In place of multigrid and of gradients that it preconditions, as Lin and others have it."""
    text = case.text("system/fvSolution")
    first, last = text.index("p_rgh"), text.index('"pcorr.*"')
    blocks = "".join(f"{name} {{ solver PCG; preconditioner DIC; tolerance {limit}; relTol {relative}; }}\n"
                     for name, limit, relative in (("p_rgh", 1e-8, 0.1), ("p_rghFinal", 1e-7, 0)))
    (case.folder / "system/fvSolution").write_text(text[:first] + blocks + text[last:], encoding="utf-8")


def with_variables(tutorial: Tutorial, libraries: Path, place: Path) -> dict[str, float]:
    os.environ |= tutorial.variables
    try:
        return survey(tutorial, libraries, place)
    finally:
        for variable in tutorial.variables:
            del os.environ[variable]


@dataclass(frozen=True)
class Part:
    """Figures of one name; what their rows are called; and whether they are those of the original."""

    name: str
    rows: list[str]
    measure: Callable[[], dict]
    is_good: Callable[[dict], bool]


def parts(libraries: Path, folder: Path) -> Iterator[Part]:
    for name, tutorial in SURVEY.items():
        place = folder / re.sub(r"\W+", "-", name)
        yield Part(name, [f"{name}, {tutorial.ranks} ranks"],
                   partial(with_variables, tutorial, libraries, place), is_same)
    for case, ranks, solver in (("cavity", 4, "PCG"), ("damBreak", 4, "PCG"), ("cavity", 16, "PCG"),
                                ("damBreak", 16, "PCG"), (HEAD_FORM, 4, "multigrid"),
                                (HEAD_FORM, 16, "multigrid"), (HEAD_FORM, 4, "PCG"), (HEAD_FORM, 16, "PCG")):
        name = f"{case}, {ranks} ranks, {solver}"
        of = Layered(case, ranks, solver, libraries, folder / name.replace(", ", "-").replace(" ", ""))
        yield Part(name, [f"{name}, {layer}" for layer in of.names()], of.layers,
                   lambda found: found["supporting"]["files unlike original"] == 0)
        if solver == "PCG" and (case == HEAD_FORM or (case, ranks) == ("damBreak", 4)):
            others = f"{name}, original and others"
            yield Part(others, [others], of.original_beside_itself, bool)


def main() -> None:
    tutorials.skip_without("icoFoam")
    failed = []
    libraries, folder, texts = Path(sys.argv[1]).resolve(), Path(sys.argv[2]), sys.argv[3:] or [""]
    folder.mkdir(parents=True, exist_ok=True)
    found = known.Known(folder / "survey.json")
    for part in parts(libraries, folder):
        if not any(text in row for text in texts for row in part.rows):
            continue
        try:
            if not part.is_good(found.find(part.name, part.measure)):
                failed.append(part.name)
        except (AssertionError, IsthmusError) as error:
            failed.append(part.name)
            print(f"{part.name}: {error}", flush=True)
    sys.exit(f"not the same: {failed}" if failed else 0)


if __name__ == "__main__":
    main()
