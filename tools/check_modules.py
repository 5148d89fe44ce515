#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the sources with the arrow table of DESIGN.md and with the form every file keeps.

    tools/check_modules.py [ROOT]

Prints file:line for each include that no arrow allows, each source that includes another header
before its own, each missing licence line, each header without #pragma once, each file, folder and module
that is too large, each arrow of the table that no include needs, two folders whose headers include each
other, and the modules and packages of python/isthmus that import each other in a circle. Exits 1 if there
is any.
"""

import collections
import itertools
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import python_imports

LICENCE = "SPDX-License-Identifier: BSD-3-Clause"
OPENFOAM_LICENCE = "SPDX-License-Identifier: GPL-3.0-or-later"  # of what is compiled against its headers
MAX_LINES = 400  # of a file
MAX_FILES = 25  # of a folder, of any kind
MAX_MODULE_LINES = 3500
FOLDERS = ("src", "api", "apps", "bench", "cli", "docs", "examples", "openfoam", "python", "solvers", "tests",
           "tools")
ROW = re.compile(r"^\|\s*([\w/]+)\s*\|[^|]*\|([^|]*)\|\s*$")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]isthmus/([\w/]+)/\w+\.')

Arrows = dict[str, set[str]]


def read_arrows(design: Path) -> Arrows:
    """Module -> modules it may include, from the rows `| module | content | may include |`."""
    lines = design.read_text(encoding="utf-8").splitlines()
    heads = [number for number, line in enumerate(lines) if re.match(r"^\|\s*module\s*\|", line)]
    rows = itertools.takewhile(bool, lines[heads[0] + 1 :] if heads else [])
    found = (ROW.match(line) for line in rows)
    return {row[1]: set(re.findall(r"[\w/]+", row[2])) for row in found if row}


def cycle_problems(arrows: Arrows) -> Iterator[str]:
    """The modules that no order can put above what they include."""
    left = dict(arrows)
    while free := [name for name, targets in left.items() if not targets & left.keys()]:
        for name in free:
            del left[name]
    if left:
        yield f"DESIGN.md: the arrows of {', '.join(sorted(left))} form a circle"


def row_of(folder: str, arrows: Arrows) -> str:
    """The row of the table for a folder of src/isthmus: its own, or that of the folder around it."""
    while folder not in arrows and "/" in folder:
        folder = folder.rpartition("/")[0]
    return folder


def module_of(path: Path, arrows: Arrows) -> str | None:
    """The row of the table that a source belongs to; None if it may include anything."""
    if path.parts[:2] == ("src", "isthmus"):
        return row_of("/".join(path.parts[2:-1]), arrows) if len(path.parts) > 3 else None
    return "api" if path.parts[0] == "api" else None


def include_problems(path: Path, lines: list[str], arrows: Arrows, used: Arrows) -> Iterator[str]:
    """Fills `used`, module -> modules that it includes."""
    module = module_of(path, arrows)
    if module is None:
        return
    if module not in arrows:
        yield f"{path}:1: module {module} has no row in the table of DESIGN.md"
        return
    for number, line in enumerate(lines, 1):
        found = INCLUDE.match(line)
        target = row_of(found[1], arrows) if found else module
        if target != module:
            used.setdefault(module, set()).add(target)
        if target != module and target not in arrows[module]:
            yield f"{path}:{number}: {module} must not include {target}"


def first_include_problems(root: Path, path: Path, lines: list[str]) -> Iterator[str]:
    """A source of a module whose header does not come first: nothing shows that it compiles alone."""
    header = path.with_suffix(".hpp")
    is_ours = path.parts[:2] == ("src", "isthmus") or path.parts[0] == "api"
    if not is_ours or path.suffix != ".cpp" or not (root / header).exists():
        return
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("#include"):
            if header.name not in line:
                yield f"{path}:{number}: its own header must be included first"
            return


def form_problems(path: Path, lines: list[str]) -> Iterator[str]:
    start = 1 if lines and lines[0].startswith("#!") else 0
    licences = (LICENCE, OPENFOAM_LICENCE) if path.parts[0] == "openfoam" else (LICENCE,)
    if not lines[start : start + 1] or not any(licence in lines[start] for licence in licences):
        yield f"{path}:{start + 1}: no line '{LICENCE}'"
    if path.suffix in (".hpp", ".h") and "#pragma once" not in lines:
        yield f"{path}:1: no #pragma once"
    if len(lines) > MAX_LINES:
        yield f"{path}:{MAX_LINES + 1}: {len(lines)} lines, more than {MAX_LINES}; split it"


def sources(root: Path) -> Iterator[Path]:
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            is_ours = "templates" not in path.parts  # those become files of a user
            if path.suffix in (".hpp", ".h", ".cpp", ".py") and is_ours:
                yield path.relative_to(root)


def folder_problems(root: Path) -> Iterator[str]:
    """Folders with too many files that git has or would add; without git, files of any kind."""
    if (root / ".git").exists():
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
        files = {Path(name) for name in listed.split("\0") if (root / name).is_file()}
    else:
        files = {path.relative_to(root) for folder in FOLDERS for path in (root / folder).rglob("*")
                 if path.is_file()}
    counts = collections.Counter(path.parent for path in files)
    for folder, count in sorted(counts.items()):
        if count > MAX_FILES:
            yield f"{folder}: {count} files, more than {MAX_FILES}; make folders"


def pair_problems(root: Path, arrows: Arrows) -> Iterator[str]:
    """Folders of a module whose headers include each other, in a circle, too; a source may use one below."""
    top = root / "src/isthmus"
    included: dict[tuple[str, str], Path] = {}
    folders: python_imports.Graph = {}
    for header in sorted(top.rglob("*.hpp")):
        folder = header.parent.relative_to(top).as_posix()
        for line in header.read_text(encoding="utf-8").splitlines():
            found = INCLUDE.match(line)
            if found and found[1] != folder and row_of(found[1], arrows) == row_of(folder, arrows):
                included.setdefault((folder, found[1]), header)
                folders.setdefault(folder, set()).add(found[1])
    pairs = [(one, other) for one, other in included if one < other and (other, one) in included]
    for one, other in pairs:
        yield (f"src/isthmus: {one} and {other} include each other: "
               f"{included[one, other].relative_to(top)}, {included[other, one].relative_to(top)}")
    if (on_circle := python_imports.circle(folders)) and not pairs:
        yield f"src/isthmus: {', '.join(on_circle)} include each other in a circle"


def size_problems(root: Path) -> Iterator[str]:
    """Modules of src and solvers with too many lines. A folder with a list file is a library of its own."""
    lines: dict[Path, int] = {}
    top = (root / "src/isthmus", root / "src", root / "solvers", root)
    tops = (root / "src", root / "solvers")
    inside = itertools.chain.from_iterable(path.rglob("*") for path in tops)
    for folder in sorted(path for path in (*tops, *inside) if path.is_dir()):
        files = [path for path in folder.iterdir() if path.suffix in (".hpp", ".cpp")]
        module = folder
        while not (module / "CMakeLists.txt").exists() and module.parent not in top:
            module = module.parent
        size = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)
        lines[module] = lines.get(module, 0) + size
    for module, count in lines.items():
        if count > MAX_MODULE_LINES:
            yield f"{module.relative_to(root)}: {count} lines, more than {MAX_MODULE_LINES}; split it"


def library_problems(root: Path, arrows: Arrows) -> Iterator[str]:
    """Rows of folders that are no libraries of their own, and such libraries without a row."""
    top = root / "src/isthmus"
    libraries = {path.parent.relative_to(top).as_posix() for path in top.glob("*/**/CMakeLists.txt")}
    for folder in sorted(libraries ^ arrows.keys()):
        if "/" in folder:
            missing = "row in DESIGN.md" if folder in libraries else "CMakeLists.txt"
            yield (f"src/isthmus/{folder}: a library of its own has a list file and a row; "
                   f"there is no {missing}")


def problems(root: Path) -> Iterator[str]:
    arrows = read_arrows(root / "DESIGN.md")
    if not arrows:
        yield "DESIGN.md: no table of modules"
    yield from cycle_problems(arrows)
    if (root / "python/isthmus").is_dir():
        yield from python_imports.problems(root / "python/isthmus")
    yield from library_problems(root, arrows)
    yield from folder_problems(root)
    yield from pair_problems(root, arrows)
    yield from size_problems(root)
    used: Arrows = {}
    for path in sources(root):
        lines = (root / path).read_text(encoding="utf-8").splitlines()
        yield from include_problems(path, lines, arrows, used)
        yield from first_include_problems(root, path, lines)
        yield from form_problems(path, lines)
    for module, targets in arrows.items():
        for target in sorted(targets - used.get(module, set())):
            yield f"DESIGN.md: {module} may include {target}, but does not"


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    found = list(problems(root))
    print("\n".join(found) or "modules and forms are as DESIGN.md says")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
