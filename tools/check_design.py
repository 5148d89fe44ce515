#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares what DESIGN.md and the pages name with the sources.

    tools/check_design.py [ROOT]

Prints page:line for each source that DESIGN.md or a page names and that is not there, each function that
DESIGN.md names in vain, each function of a walk that is not in the file before it, and the walk of a vertex
if it passes more than 20 units, by the list of them or by its steps, and each of these that has a
std::function. Exits 1 if there is any.

In a walk a file stands before the functions in it: `mesh/mesh.cpp` `add_vertices`, or behind one: `Meeting`
of `meetings.cpp`. What stands behind an arrow or other words is in some file that the walk names.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import check_modules

MAX_WALK = 20
WALKS = ("The way of a value", "The way of a vertex", "Ten questions of a stranger")
MAIN_WAY = ("**To the first plan.**", "The plan is there.")
FILE = re.compile(r"[\w/]+\.(?:cpp|hpp|py)")
FUNCTION = re.compile(r"(?:\w+::)*\w+")


def is_named(path: str, name: str) -> bool:
    return path == name or path.endswith("/" + name)


def named_file_problems(root: Path) -> Iterator[str]:
    """Sources that are not there: `folder/name.cpp`, <isthmus/…/name.hpp>, in DESIGN.md also `name.cpp`."""
    known = [path.as_posix() for path in check_modules.sources(root)]
    for page in (root / "DESIGN.md", *sorted((root / "docs").rglob("*.md"))):
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            for name in re.findall(rf"[`<]({FILE.pattern})[`>]", line):
                is_source = "/" in name or page.name == "DESIGN.md"
                if is_source and not any(is_named(path, name) for path in known):
                    yield f"{page.relative_to(root)}:{number}: there is no file {name}"


def words_of(path: Path) -> set[str]:
    return set(re.findall(r"\w+", path.read_text(encoding="utf-8")))


def named_function_problems(root: Path) -> Iterator[str]:
    """Functions that DESIGN.md names, `some_function` or `Class::function`, and no source has."""
    words = {word for path in check_modules.sources(root) if path.suffix in (".hpp", ".cpp")
             for word in words_of(root / path)}
    for number, line in enumerate((root / "DESIGN.md").read_text(encoding="utf-8").splitlines(), 1):
        for name in re.findall(r"`((?:\w+::)+\w+|[a-z]+(?:_[a-z0-9]+)+)`", line):
            if not words.issuperset(name.split("::")):
                yield f"DESIGN.md:{number}: nothing is called {name}"


def sections(design: str) -> Iterator[tuple[int, str]]:
    """Line before each of WALKS, and its text."""
    for found in re.finditer(r"^## (.+)\n((?:(?!^## ).*\n?)*)", design, re.M):
        if found[1] in WALKS:
            yield design.count("\n", 0, found.start(2)), found[2]


class Walk:
    """The files and functions of a section, in their order."""

    def __init__(self, root: Path, text: str):
        self.text = text
        self.root = root
        self.known = [path.as_posix() for path in check_modules.sources(root)]
        self.names = list(re.finditer(r"`([^`]+)`", text))
        self.read: dict[str, set[str]] = {}
        self.files = [found[1] for found in self.names if FILE.fullmatch(found[1])]

    def words(self, file: str) -> set[str]:
        """Those of a header and its source, which are one unit."""
        if file not in self.read:
            stem = file.rpartition(".")[0]
            paths = [path for path in self.known if is_named(path.rpartition(".")[0], stem)]
            self.read[file] = {word for path in paths for word in words_of(self.root / path)}
        return self.read[file]

    def problems(self) -> Iterator[tuple[int, str]]:
        """Line within the section, and what is wrong there."""
        file, end = "", 0
        for at, found in enumerate(self.names):
            line = self.text.count("\n", 0, found.start()) + 1
            if FILE.fullmatch(found[1]):
                file, end = found[1], found.end()
                continue
            if not FUNCTION.fullmatch(found[1]):
                continue
            place = ""
            following = self.names[at + 1] if at + 1 < len(self.names) else None
            if file and re.fullmatch(r",?\s+(?:and\s+)?", self.text[end : found.start()]):
                place, end = file, found.end()
            elif following and FILE.fullmatch(following[1]) and \
                    re.fullmatch(r"\s+of\s+", self.text[found.end() : following.start()]):
                place = following[1]
            parts = found[1].split("::")
            if place and not self.words(place).issuperset(parts):
                yield line, f"{found[1]} is not in {place}"
            elif not any(self.words(one).issuperset(parts) for one in self.files):
                yield line, f"{found[1]} is in no file that this section names"


def walk_problems(root: Path) -> Iterator[str]:
    design = (root / "DESIGN.md").read_text(encoding="utf-8")
    for first, text in sections(design):
        for line, what in Walk(root, text).problems():
            yield f"DESIGN.md:{first + line}: {what}"


def main_way(design: str) -> str:
    begin, end = (design.find(mark) for mark in MAIN_WAY)
    return design[begin:end] if 0 <= begin < end else ""


def listed(design: str) -> set[str]:
    """The units that a run has passed: a list before the steps."""
    items = re.findall(r"^- (?:.+\n)(?:  .+\n)*", main_way(design), re.M)
    return set(re.findall(r"`([\w/]+\.[ch]pp)`", "".join(items)))


def units(design: str) -> dict[str, str]:
    """The sources that the steps name, by their names; what stands in brackets are branches."""
    steps = re.findall(r"^\d+\. (?:.+\n)+", main_way(design), re.M)
    text = re.sub(r"\([^()]*\)", "", "".join(steps))
    return {Path(name).stem: name for name in re.findall(r"`([\w/]+\.cpp)`", text)}


def length_problems(root: Path) -> Iterator[str]:
    """The steps pass one more than they name: the mapping, which may be of any file."""
    design = (root / "DESIGN.md").read_text(encoding="utf-8")
    for what, count in (("list", len(listed(design))), ("steps", len(units(design)) + 1)):
        if count > MAX_WALK:
            yield f"DESIGN.md: the {what} of the walk of a vertex: {count} units, more than {MAX_WALK}"


def seam_problems(root: Path) -> Iterator[str]:
    """A plain call can stand in the place of each std::function in the walk of a vertex."""
    design = (root / "DESIGN.md").read_text(encoding="utf-8")
    stems = {name.rpartition(".")[0] for name in listed(design) | set(units(design).values())}
    for path in check_modules.sources(root):
        stem = path.as_posix().rpartition(".")[0]
        is_passed = any(is_named(stem, one) for one in stems)
        if is_passed and "std::function" in (root / path).read_text(encoding="utf-8"):
            yield f"{path}: the walk of a vertex passes here, and this has a std::function"


def problems(root: Path) -> Iterator[str]:
    yield from named_file_problems(root)
    yield from named_function_problems(root)
    yield from walk_problems(root)
    yield from length_problems(root)
    yield from seam_problems(root)


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    found = list(problems(root))
    print("\n".join(found) or "DESIGN.md and the pages name what is there")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
