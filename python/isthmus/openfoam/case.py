# SPDX-License-Identifier: BSD-3-Clause
"""A case of OpenFOAM in its folder, and the lines of it that name our solvers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from isthmus.errors import IsthmusError

SOLVERS = ("automaticPCG", "predictedPCG", "deflatedPCG", "mergedPCG", "PiPePCG", "RePiPePCG")
LIBRARY = "libisthmusSolvers.so"
_BEFORE_PCG = "/* isthmus, before: PCG */"  # lines go on behind it
_PCG = re.compile(r"\bsolver(\s+)PCG\s*;")
_OURS = re.compile(rf"\bsolver(\s+)(?:{'|'.join(SOLVERS)}); {re.escape(_BEFORE_PCG)}")
_PATCH = re.compile(r"\bprocBoundary(\d+)to(\d+)\s*\{[^}]*?\bnFaces\s+(\d+);")
_LINE = f'libs ("{LIBRARY}"); // isthmus\n'
_LIBS = re.compile(r"^(\s*libs\s*\()", re.MULTILINE)


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
        return (self.folder / name).read_text(encoding="utf-8")

    def entry(self, name: str) -> str | None:
        """A value of controlDict; the last one counts, as for OpenFOAM."""
        found = re.findall(rf"^\s*{name}\s+([^;]+);", self.text("system/controlDict"), re.MULTILINE)
        return found[-1].strip() if found else None

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

    @property
    def is_set_up(self) -> bool:
        return LIBRARY in self.text("system/controlDict")


def set_up(case: Case, solver: str) -> int:
    """Names the library in controlDict, and `solver` in fvSolution wherever that says PCG. Returns how often;
    changes nothing where that is zero."""
    undo(case)
    changed, number = _PCG.subn(rf"solver\g<1>{solver}; {_BEFORE_PCG}", case.text("system/fvSolution"))
    if number == 0:
        return 0
    control = case.text("system/controlDict")
    if _LIBS.search(control):
        control = _LIBS.sub(rf'\g<1>"{LIBRARY}" ', control, count=1)
    else:
        control += _LINE
    (case.folder / "system/fvSolution").write_text(changed, encoding="utf-8")
    (case.folder / "system/controlDict").write_text(control, encoding="utf-8")
    return number


def undo(case: Case) -> int:
    """Takes out what set_up() put in, whatever else was edited. Returns how many solvers were set back."""
    before, number = _OURS.subn(r"solver\g<1>PCG;", case.text("system/fvSolution"))
    control = case.text("system/controlDict").replace(_LINE, "").replace(f'"{LIBRARY}" ', "")
    for name, text in (("system/fvSolution", before), ("system/controlDict", control)):
        if text != case.text(name):
            (case.folder / name).write_text(text, encoding="utf-8")
    return number
