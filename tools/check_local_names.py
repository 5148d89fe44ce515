#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Says which names stand in the anonymous namespaces of two sources that are compiled together.

    tools/check_local_names.py [ROOT]

Builds put several sources of a library into one unit (isthmus_together in cmake/module.cmake). There an
anonymous namespace is one for all of them: of two functions with one name, a call takes the one whose
arguments fit better, which may be that of the other source, and without a word. So a name is local to one
source of a library, which is a folder with a list file and those below it without one. Exits 1 on a problem.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOTS = ("src/isthmus", "solvers")
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|'
                   r"^[ \t]*#(?:\\\n|[^\n])*", re.DOTALL | re.MULTILINE)
OPENING = re.compile(r"\bnamespace\s*\{")
TYPE = re.compile(r"^(?:template\s*<.*>\s*)?(?:struct|class|union|enum(?:\s+(?:class|struct))?)\s+(\w+)",
                  re.DOTALL)
ALIAS = re.compile(r"^(?:template\s*<.*>\s*)?using\s+(\w+)\s*=", re.DOTALL)
KEYWORDS = "alignas|decltype|noexcept|requires|__attribute__|sizeof"
FUNCTION = re.compile(rf"(?<![\w:~.])(?!(?:{KEYWORDS})\b)(\w+)\s*\(")
VARIABLE = re.compile(r"(\w+)(?:\[\w*\])*\s*$")


def without_noise(text: str) -> str:
    """Comments, literals and directives become blanks that keep the lines."""
    return NOISE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def declarations(text: str, begin: int) -> Iterator[tuple[int, str]]:
    """What begins a declaration of the namespace that opens before `begin`: its place, text up to { or ;."""
    depth, start = 0, begin
    for place in range(begin, len(text)):
        letter = text[place]
        if letter in "{;" and depth == 0:
            yield start, text[start:place]
        if letter == "{":
            depth += 1
        elif letter == "}":
            depth -= 1
        if depth < 0:
            return
        if letter in ";}" and depth == 0:
            start = place + 1


def name_of(declaration: str) -> str:
    """The name that a declaration introduces, or "" where it introduces none that others could take."""
    for kind in (TYPE, ALIAS):
        found = kind.search(declaration)
        if found:
            return found.group(1)
    if declaration.startswith(("using ", "namespace ", "static_assert")):
        return ""
    found = FUNCTION.search(declaration) if "(" in declaration.split("=")[0] else None
    found = found or VARIABLE.search(declaration.split("=")[0])
    return found.group(1) if found and found.group(1) != "operator" else ""


def local_names(path: Path) -> dict[str, tuple[int, str]]:
    """Names of the anonymous namespaces of a source, with the line of each and the text of an alias."""
    text, names = without_noise(path.read_text(encoding="utf-8")), {}
    for opening in OPENING.finditer(text):
        for start, raw in declarations(text, opening.end()):
            name = name_of(raw.strip())
            if name:
                start += len(raw) - len(raw.lstrip())
                alias = " ".join(raw.split()) if ALIAS.search(raw.strip()) else ""
                names.setdefault(name, (text.count("\n", 0, start) + 1, alias))
    return names


def library_of(path: Path) -> Path:
    return next((folder for folder in path.parents if (folder / "CMakeLists.txt").exists()), path.parent)


def problems(root: Path) -> Iterator[str]:
    libraries: dict[Path, list[Path]] = {}
    for path in sorted(path for folder in ROOTS for path in (root / folder).rglob("*.cpp")):
        libraries.setdefault(library_of(path), []).append(path)
    for library in libraries.values():
        first: dict[str, tuple[str, str]] = {}
        for path in library:
            for name, (line, alias) in local_names(path).items():
                place = f"{path.relative_to(root).as_posix()}:{line}"
                other, same = first.setdefault(name, (place, alias))
                if other != place and not (alias and alias == same):
                    yield f"{place}: {name} is a local name of {other}, too; give one of them another name"


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    found = list(problems(root))
    print("\n".join(found) or "no name is local to two sources of a library")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
