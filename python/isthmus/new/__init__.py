# SPDX-License-Identifier: BSD-3-Clause
"""Writes a minimal case that runs: a configuration, a solver for each participant, and how to start them.

The first participant exchanges with each of the others, over interfaces that do not match.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from isthmus.errors import IsthmusError
from isthmus.new.configuration import configuration

TEMPLATES = Path(__file__).with_name("templates")
LANGUAGES = {"python": ".py", "c++": ".cpp", "c": ".c", "fortran": ".f90"}
CONFIG = "precice-config.xml"


@dataclass
class Solver:
    name: str
    language: str
    points: int
    reads: list[str]

    @property
    def source(self) -> str:
        return self.name.lower() + LANGUAGES[self.language]

    @property
    def command(self) -> str:
        return f"python3 {self.source}" if self.language == "python" else f"./build/{self.name.lower()}"


def solvers(participants: Sequence[str]) -> list[Solver]:
    """Of words NAME or NAME:LANGUAGE; raises IsthmusError where one means nothing."""
    words = [word.partition(":") for word in participants]
    pairs = [(name, language or "python") for name, _, language in words]
    for name, language in pairs:
        if not re.fullmatch(r"[A-Za-z][\w-]*", name):
            raise IsthmusError(f'"{name}" is no name for a participant; use letters, digits, - and _')
        if language not in LANGUAGES:
            raise IsthmusError(f'participant {name}: "{language}" is not one of {", ".join(LANGUAGES)}')
    names = [name for name, _ in pairs]
    if len(names) < 2 or len({name.lower() for name in names}) < len(names):
        raise IsthmusError("name at least two participants, each once")
    hub = names[0]
    return [Solver(name, language, 11 + 2 * number, [f"{hub}-Data"] if name != hub else
                   [f"{other}-Data" for other in names[1:]]) for number, (name, language) in enumerate(pairs)]


def write(folder: Path, participants: Sequence[str]) -> list[Path]:
    """The files of a new case in a folder that is not there yet, or is empty."""
    made = solvers(participants)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise IsthmusError(f"{folder} is there already; name a new folder")
    texts = {CONFIG: configuration([solver.name for solver in made]), "case.toml": _case(made)}
    texts |= {solver.source: _source(solver) for solver in made}
    if any(solver.language != "python" for solver in made):
        texts["CMakeLists.txt"] = _cmake(folder.resolve().name, made)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [folder / name for name in texts]


def _source(solver: Solver) -> str:
    values = {
        "NAME": solver.name, "CONFIG": CONFIG, "POINTS": solver.points, "NUM_READS": len(solver.reads),
        "READS": ", ".join(f'"{name}"' for name in solver.reads),
        "READS_FORTRAN": ", ".join(f"'{name}'" for name in solver.reads),
        "READ_LENGTH": max(map(len, solver.reads)),
    }
    text = (TEMPLATES / f"solver{LANGUAGES[solver.language]}").read_text()
    return re.sub("@([A-Z_]+)@", lambda match: str(values[match[1]]), text)


def _case(made: Sequence[Solver]) -> str:
    entries = [f'[[participant]]\nname = "{solver.name}"\ncommand = "{solver.command}"\n' for solver in made]
    return "\n".join(["# isthmus run", *entries])


def _cmake(name: str, made: Sequence[Solver]) -> str:
    languages = {solver.language for solver in made}
    compilers = ["CXX", *(name for key, name in (("c", "C"), ("fortran", "Fortran")) if key in languages)]
    lines = ["cmake_minimum_required(VERSION 3.24)",
             f"project({re.sub(r'[^A-Za-z0-9_]', '_', name)} LANGUAGES {' '.join(compilers)})"]
    if "c++" in languages:
        lines.append("find_package(isthmus REQUIRED COMPONENTS coupler)")
    if languages & {"c", "fortran"}:
        lines.append("find_package(precice 3 REQUIRED)")
    for solver in made:
        if solver.language == "python":
            continue
        module = " ${precice_FORTRAN_MODULE}" if solver.language == "fortran" else ""
        target = "isthmus::coupler" if solver.language == "c++" else "precice::precice"
        lines += [f"add_executable({solver.name.lower()} {solver.source}{module})",
                  f"target_link_libraries({solver.name.lower()} PRIVATE {target})"]
    return "\n".join(lines) + "\n"
