# SPDX-License-Identifier: BSD-3-Clause
"""A case of OpenFOAM in its folder, and the lines of it that name our solvers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from isthmus.errors import IsthmusError

SOLVERS = ("automaticPCG", "predictedPCG", "deflatedPCG", "mergedPCG", "PiPePCG", "RePiPePCG")
ASYMMETRIC = "mergedPBiCGStab"
SMOOTHER = "pipelinedSmoothSolver"
LIMITED = {"interFoam": "isthmusInterFoam", "interPhaseChangeFoam": "isthmusInterPhaseChangeFoam"}
LIBRARY = "libisthmusSolvers.so"
_OURS = re.compile(r"[A-Za-z]+; /\* isthmus, before: ([^*]*)\*/")  # lines go on behind it
_PATCH = re.compile(r"\bprocBoundary(\d+)to(\d+)\s*\{[^}]*?\bnFaces\s+(\d+);")
_LINE = f'libs ("{LIBRARY}"); // isthmus\n'
_LINE_OF_ITS_OWN = "\n" + _LINE.replace("\n", ", with its line\n")  # behind a last line that has no end
_IN_LIST = f'"{LIBRARY}" /* isthmus */ '


@dataclass(frozen=True)
class Case:
    folder: Path

    def __post_init__(self) -> None:
        for name in ("system/controlDict", "system/fvSolution"):
            if not (self.folder / name).is_file():
                packed = (self.folder / f"{name}.gz").is_file()
                remedy = f"type gunzip {self.folder / name}.gz" if packed else "give the folder of a case"
                raise IsthmusError(f"{self.folder}: there is no {name}; {remedy}")

    def text(self, name: str) -> str:
        return (self.folder / name).read_bytes().decode("utf-8", "surrogateescape")

    def write(self, name: str, text: str) -> None:
        """Byte by byte what text() gave, where that was not changed."""
        if text != self.text(name):
            (self.folder / name).write_bytes(text.encode("utf-8", "surrogateescape"))

    def entry(self, name: str) -> str | None:
        """A value of controlDict; the last one counts, as for OpenFOAM."""
        text = self.text("system/controlDict")
        found = _entries(text, rf"{name}\s+([^;]+);")
        return text[slice(*found[-1].span(2))].strip() if found else None

    @property
    def application(self) -> str:
        application = self.entry("application")
        if application is None:
            raise IsthmusError(f"{self.folder}/system/controlDict does not name its application; "
                               "add a line as `application interFoam;`")
        return application

    @property
    def ranks(self) -> int:
        """How many parts it has been decomposed into; 1 if it has not been."""
        parts = [path for path in self.folder.glob("processor*") if re.fullmatch(r"processor\d+", path.name)]
        collated = [re.fullmatch(r"processors(\d+)", path.name) for path in self.folder.glob("processors*")]
        counts = [int(found[1]) for found in collated if found]
        return max([len(parts), 1, *counts])

    def check_patches(self) -> None:
        """Raises IsthmusError where two parts do not agree on the patch between them."""
        faces: dict[tuple[int, int], int] = {}
        for part in range(self.ranks):
            boundary = self.folder / f"processor{part}/constant/polyMesh/boundary"
            if boundary.is_file():
                for found in _PATCH.finditer(boundary.read_text(encoding="latin-1")):
                    faces[int(found[1]), int(found[2])] = int(found[3])
        for (one, other), number in faces.items():
            if faces.get((other, one)) != number:
                raise IsthmusError(f"{self.folder}: processor{one} has {number} faces to processor{other}, "
                                   f"which has {faces.get((other, one), 0)} to processor{one}; "
                                   f"type decomposePar -force -case {self.folder}")


def _code(text: str) -> str:
    """As long as the text, with blanks in place of comments and strings: places stay."""
    return re.sub(r'"(?:[^"\\]|\\.)*"|/\*.*?(?:\*/|\Z)|//[^\n]*', lambda found: " " * len(found[0]), text,
                  flags=re.DOTALL)


def _entries(text: str, pattern: str) -> list[re.Match[str]]:
    """Matches, as group 1, at the begin of entries that are in no sub-dictionary and no comment."""
    code = _code(text)
    found = re.finditer(rf"(?:^[ \t]*|[;}}][ \t]*)({pattern})", code, re.MULTILINE)
    return [one for one in found if code.count("{", 0, one.start(1)) == code.count("}", 0, one.start(1))]


def _replace(text: str, pattern: str, name: str) -> tuple[str, int]:
    """Puts `name` in place of group 1, which a semicolon follows, and notes what stood there; not where that
    has a comment, which would end ours."""
    places = [match.span(1) for match in re.finditer(pattern, _code(text))]
    places = [(start, end) for start, end in places if "*" not in text[start:end]]
    for start, end in reversed(places):
        text = f"{text[:start]}{name}; /* isthmus, before: {text[start:end]}*/{text[end + 1 :]}"
    return text, len(places)


def set_up(case: Case, solver: str | None, asymmetric: bool = False, limiter: bool = False,
           smoothers: bool = False) -> int:
    """Changes the case, after undo(). Where fvSolution says PCG it names `solver`, if that is one; with
    `smoothers` ours in place of smoothSolver, whose values these are, and with `asymmetric` another one in
    place of PBiCGStab, PBiCG and, without `smoothers`, smoothSolver; with `limiter` controlDict names the
    program that has ours. Returns how many solvers were replaced, for which controlDict names the library."""
    undo(case)
    solution, control = case.text("system/fvSolution"), case.text("system/controlDict")
    replaced = [("PCG", solver)] if solver is not None else []
    replaced += [("smoothSolver", SMOOTHER)] if smoothers else []
    replaced += [("PBiCGStab|PBiCG|smoothSolver", ASYMMETRIC)] if asymmetric else []
    number = 0
    for names, ours in replaced:
        solution, count = _replace(solution, rf"\bsolver\s+((?:{names})\s*)(?=;)", ours)
        number += count
    if limiter and case.application in LIMITED:
        program = rf"\bapplication\s+({case.application}\s*)(?=;)"
        control, _ = _replace(control, program, LIMITED[case.application])
    if number > 0:
        control = _with_library(control)
    case.write("system/fvSolution", solution)
    case.write("system/controlDict", control)
    return number


def _with_library(control: str) -> str:
    lists = _entries(control, r"libs\s*\(")
    if lists:  # the last one counts
        end = lists[-1].end()
        return control[:end] + _IN_LIST + control[end:]
    return control + (_LINE if control.endswith("\n") else _LINE_OF_ITS_OWN)


def undo(case: Case) -> int:
    """Takes out what set_up() put in, whatever else was edited. Returns how many entries were set back."""
    solution, number = _OURS.subn(r"\g<1>;", case.text("system/fvSolution"))
    control, more = _OURS.subn(r"\g<1>;", case.text("system/controlDict"))
    for line in (_LINE_OF_ITS_OWN, _LINE, _IN_LIST):
        control = control.replace(line, "")
    case.write("system/fvSolution", solution)
    case.write("system/controlDict", control)
    return number + more
