#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Says which headers of src no test of their own module includes.

    tools/check_headers.py [ROOT]

A module of src/isthmus has its tests in the folder of tests with its name, or in folders of that.
Exits 1 on a problem.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"](isthmus/[^">]+)[">]', re.MULTILINE)


def included(folder: Path) -> set[str]:
    """Headers of src that the sources of a folder of tests include."""
    return {name for path in folder.rglob("*") if path.suffix in (".hpp", ".cpp")
            for name in INCLUDE.findall(path.read_text(encoding="utf-8"))}


def untested(root: Path) -> Iterator[str]:
    for module in sorted(path for path in (root / "src/isthmus").iterdir() if path.is_dir()):
        tested = included(root / "tests" / module.name)
        for header in sorted(module.rglob("*.hpp")):
            name = header.relative_to(root / "src").as_posix()
            if name not in tested:
                yield name


def problems(root: Path) -> Iterator[str]:
    for name in untested(root):
        module = name.split("/")[1]
        yield f"src/{name}:1: no test in tests/{module} includes it; add one that holds what it promises"


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    found = list(problems(root))
    print("\n".join(found) or "no header is without a test of its module")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
