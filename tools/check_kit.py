#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Says which sources that `make demo` leaves out, behind KIT in a CMakeLists.txt, its programs need, and
which modules a preset names in ISTHMUS_QUICK_MODULES that are none.

    tools/check_kit.py [ROOT]

A program needs the headers that it includes, the sources of these, and what they include in turn. Exits 1 on
a problem.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.MULTILINE)
KIT = re.compile(r"isthmus_module\([^)]*\bKIT\s+([^)]*)\)")
MODULE = re.compile(r"isthmus_module\(\s*(\w+)")
PROGRAMS = ("apps/*.cpp", "cli/*.cpp", "examples/04-heat/*.cpp")


def left_out(root: Path) -> Iterator[Path]:
    for module in sorted((root / "src/isthmus").rglob("CMakeLists.txt")):
        for names in KIT.findall(module.read_text(encoding="utf-8")):
            yield from (module.parent / name for name in names.split())


def included(root: Path, path: Path) -> Iterator[Path]:
    """Files of the tree, and the sources that hold what they declare."""
    for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
        for folder in (root / "src", path.parent):
            if (folder / name).exists():
                yield folder / name
                break
    if path.suffix == ".hpp":
        source = path.with_suffix(".cpp")
        if source.exists():
            yield source


def needed(root: Path) -> dict[Path, Path]:
    """Each file that the programs need, and who needs it first."""
    waiting = [path for pattern in PROGRAMS for path in sorted(root.glob(pattern))]
    found = {path: path for path in waiting}
    while waiting:
        path = waiting.pop()
        for other in included(root, path):
            if other not in found:
                found[other] = path
                waiting.append(other)
    return found


def unknown_quick_modules(root: Path) -> Iterator[str]:
    """Without them configuring ends with an error."""
    lists = (root / "src/isthmus").rglob("CMakeLists.txt")
    known = {name for path in lists for name in MODULE.findall(path.read_text(encoding="utf-8"))}
    presets = json.loads((root / "CMakePresets.json").read_text(encoding="utf-8"))
    for preset in presets["configurePresets"]:
        listed = preset.get("cacheVariables", {}).get("ISTHMUS_QUICK_MODULES", "")
        for name in filter(None, listed.split(";")):
            if name not in known:
                yield f"CMakePresets.json: preset {preset['name']}: ISTHMUS_QUICK_MODULES: no module {name}"


def problems(root: Path) -> Iterator[str]:
    yield from unknown_quick_modules(root)
    by_whom = needed(root)
    for source in left_out(root):
        where = source.parent / "CMakeLists.txt"
        name = source.relative_to(root)
        if not source.exists():
            yield f"{where.relative_to(root)}: {name}, behind KIT, is not there"
        elif source in by_whom:
            header = by_whom[source]
            user = by_whom.get(header, header).relative_to(root)
            yield (f"{name}:1: {user} needs it, but make demo leaves it out; "
                   f"remove it from KIT in {where.name}")


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    found = list(problems(root))
    print("\n".join(found) or "make demo needs nothing of what it leaves out")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
