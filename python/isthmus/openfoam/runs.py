# SPDX-License-Identifier: BSD-3-Clause
"""Runs copies of a case with the packaged library and with ours, and counts what they ask of MPI."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from dataclasses import dataclass, replace
from pathlib import Path

from isthmus import programs
from isthmus.errors import FAILED, TIME_LIMIT, IsthmusError
from isthmus.openfoam.case import LIMITED, Case, set_up, undo

PSTREAM = "libPstream.so"
COUNTER = "libmpi_calls.so"
SCHEMES_LIBRARY = "libisthmusSchemes.so"


@dataclass(frozen=True)
class Layer:
    """Which of our libraries a run has, and which of our programs."""

    name: str
    pstream: bool = False
    solvers: bool = False
    schemes: bool = False
    limiter: bool = False
    asymmetric: bool = False
    smoothers: bool = False

    @staticmethod
    def of(name: str) -> Layer:
        """By its name, or those of several with a plus between."""
        parts = [part for one in name.split("+") for part in SUMS.get(one, (one,))]
        unknown = [part for part in parts if part not in PARTS]
        if unknown:
            raise IsthmusError(f"there is no layer {unknown[0]}; take {', '.join([*PARTS, *SUMS])}, or some "
                               "of them with + between")
        return Layer(name, **{PARTS[part]: True for part in parts})

    @property
    def names_solvers(self) -> bool:
        """Of ours, so that the program has to find their library."""
        return self.solvers or self.asymmetric or self.smoothers

    @property
    def preloaded(self) -> list[str]:
        """The libraries that are loaded before the program."""
        return [PSTREAM] * self.pstream + [SCHEMES_LIBRARY] * self.schemes

    def fitting(self, case: Case) -> Layer:
        """Without the limiter where there is no program with it: where it was not asked for by its name."""
        asked = self.limiter and "limiter" in self.name.split("+")
        return self if asked or case.application in LIMITED else replace(self, limiter=False)

    def set_up(self, case: Case, solver: str) -> int:
        """Changes the case as the layer asks; returns how many solvers were replaced. Raises IsthmusError
        where there is nothing to replace."""
        if self.limiter and case.application not in LIMITED:
            raise IsthmusError(f"{case.folder}: there is no program with our limiter for {case.application}, "
                               f"only for {' and '.join(LIMITED)}; leave out limiter")
        number = set_up(case, solver if self.solvers else None, self.asymmetric, self.limiter,
                        self.smoothers)
        if number == 0 and self.names_solvers:
            undo(case)
            others = (", nor PBiCGStab or smoothSolver" if self.asymmetric else
                      ", nor smoothSolver" if self.smoothers else "")
            raise IsthmusError(f"{case.folder}/system/fvSolution names PCG nowhere{others}, so there is no "
                               "solver to replace; write `solver PCG; preconditioner DIC;` for a symmetric "
                               "equation")
        return number


PARTS = {"supporting": "pstream", "numerical": "solvers", "asymmetric": "asymmetric", "limiter": "limiter",
         "schemes": "schemes", "smoothers": "smoothers"}
SUMS = {"original": (), "both": ("supporting", "numerical"),
        "all": ("supporting", "numerical", "asymmetric", "limiter", "schemes"),
        "close": ("supporting", "numerical", "smoothers", "limiter", "schemes")}
ORIGINAL, SUPPORTING, NUMERICAL, BOTH, SCHEMES = map(
    Layer.of, ("original", "supporting", "numerical", "both", "schemes"))


@dataclass(frozen=True)
class Run:
    folder: Path
    seconds: float
    log: str
    calls: list[dict]  # of each rank: kind -> calls, bytes, seconds

    @property
    def steps(self) -> int:
        return max(1, len(re.findall(r"^Time = ", self.log, re.MULTILINE)))

    def mean(self, what: str, *kinds: str) -> float:
        """Calls, bytes or seconds of these kinds, mean over the ranks."""
        sums = [sum(rank.get(kind, {}).get(what, 0) for kind in kinds) for rank in self.calls]
        return sum(sums) / max(1, len(sums))

    @property
    def iterations(self) -> dict[str, int]:
        """Of linear solvers, by field."""
        found: dict[str, int] = {}
        for field, number in re.findall(r"Solving for (\S+),.*No Iterations (\d+)", self.log):
            found[field] = found.get(field, 0) + int(number)
        return found


def libraries() -> Path:
    """The folder of our libraries: ISTHMUS_OPENFOAM, or of the build tree."""
    given = os.environ.get("ISTHMUS_OPENFOAM")
    tree = Path(__file__).resolve().parents[3]
    folders = [Path(given)] if given else [base / "build/release/openfoam/lib" for base in (tree, Path.cwd())]
    for folder in folders:
        if (folder / PSTREAM).is_file():
            return folder.resolve()
    raise IsthmusError(f"{folders[0]} has no {PSTREAM} of ours; type openfoam/setup.sh && make build, "
                       "or set ISTHMUS_OPENFOAM to the folder that has it")


def program(application: str, ours: Path) -> str:
    """What starts it: for a program with our limiter its path, in the build tree or where it is installed."""
    if application in LIMITED.values():
        for folder in [parent / "bin" for parent in (ours.parent, *ours.parents[2:3])]:
            if (folder / application).is_file():
                return str(folder / application)
    return application


def environment() -> dict[str, str]:
    """What OpenFOAM of Debian needs to be started anywhere, and MPI as root."""
    known = programs.mpi_environment() | {"OMPI_MCA_mpi_yield_when_idle": "1"}
    if "WM_PROJECT_DIR" not in os.environ and Path("/usr/share/openfoam/etc").is_dir():
        known["WM_PROJECT_DIR"] = "/usr/share/openfoam"
    return os.environ | known


def environment_of(layer: Layer, folder: Path, ours: Path) -> dict[str, str]:
    """environment() of a run in that folder, which finds the solvers that the layer names."""
    variables = environment()
    if layer.names_solvers:
        paths = [_solvers_alone(folder, ours), variables.get("LD_LIBRARY_PATH", "")]
        variables["LD_LIBRARY_PATH"] = ":".join(filter(None, paths))
    return variables


def check_program(application: str, folder: Path) -> None:
    """Raises IsthmusError if the program is missing, or takes the packaged library in spite of LD_PRELOAD."""
    path = shutil.which(program(application, folder))
    if path is None:
        remedy = "make build" if application in LIMITED.values() else "apt-get install openfoam"
        raise IsthmusError(f"there is no {application} on PATH; type {remedy}")
    found = subprocess.run(["ldd", path], capture_output=True, text=True, check=False,
                           env=environment() | {"LD_PRELOAD": str(folder / PSTREAM)})
    loaded = re.findall(r"(/\S*libPstream\.so)", found.stdout)
    if not loaded or Path(loaded[0]).resolve() != (folder / PSTREAM).resolve() or len(set(loaded)) > 1:
        raise IsthmusError(f"{path} finds {', '.join(loaded) or 'no libPstream.so'} and not "
                           f"{folder / PSTREAM}; type "
                           f"env -u LD_LIBRARY_PATH LD_PRELOAD={folder / PSTREAM} ldd {path} to see why")


def copy_of(case: Case, folder: Path, end_time: float | None) -> Case:
    """The case in another folder, whose fields are written as text with all digits."""
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(case.folder, folder, symlinks=True,
                    ignore=shutil.ignore_patterns("postProcessing", "log.*", folder.parent.name))
    copy = Case(folder)
    undo(copy)
    lines = ["writeFormat ascii;", "writePrecision 16;", "writeCompression off;"]
    if end_time is not None:
        lines += ["stopAt endTime;", f"endTime {end_time:g};", f"writeInterval {end_time:g};",
                  "writeControl adjustableRunTime;"]
    with (folder / "system/controlDict").open("a", encoding="utf-8") as control:
        control.write("\n" + "\n".join(lines) + "\n")
    return copy


def run(copy: Case, layer: Layer, solver: str, ours: Path, limit: float) -> Run:
    """Runs it to the end; raises IsthmusError with the end of the log if it fails."""
    layer.set_up(copy, solver)
    preloaded = [str(ours / name) for name in (COUNTER, *layer.preloaded)]
    calls = (copy.folder / "mpi_calls").resolve()
    command = ["env", f"LD_PRELOAD={':'.join(preloaded)}", f"MPI_CALLS={calls}",
               program(copy.application, ours)]
    if copy.ranks > 1:
        command = [*programs.mpi_launcher(), "-n", str(copy.ranks), *command, "-parallel"]
    variables = environment_of(layer, copy.folder, ours)
    log = copy.folder / f"log.{copy.application}"
    start = time.monotonic()
    with log.open("w", encoding="utf-8") as out:
        try:
            done = subprocess.run(command, cwd=copy.folder, env=variables, stdout=out,
                                  stderr=subprocess.STDOUT, timeout=limit, check=False)
        except subprocess.TimeoutExpired as error:
            raise IsthmusError(f"{copy.application} took more than {limit:g} s; its log is {log}",
                               TIME_LIMIT) from error
    seconds = time.monotonic() - start
    text = log.read_text(encoding="utf-8", errors="replace")
    if done.returncode != 0:
        raise IsthmusError(f"{copy.application} ({layer.name}) failed; {log} ends:\n" + _end_of(text), FAILED)
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(copy.folder.glob("mpi_calls.*"))]
    return Run(copy.folder, seconds, text, found)


def _solvers_alone(folder: Path, ours: Path) -> str:
    """A folder with that library and nothing else, so that the path brings no other library of ours."""
    link = folder / "isthmus-solvers"
    link.mkdir(exist_ok=True)
    target = link / "libisthmusSolvers.so"
    if not target.is_symlink():
        target.symlink_to(ours / target.name)
    return str(link.resolve())


def _end_of(log: str) -> str:
    """The error of OpenFOAM, or the last lines."""
    found = re.search(r"--> FOAM FATAL.*?(?=\n\S*\s*\n\S*\s*From|\Z)", log, re.DOTALL)
    return found[0] if found else "\n".join(log.splitlines()[-12:])
