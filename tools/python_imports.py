# SPDX-License-Identifier: BSD-3-Clause
"""Modules of a Python package, or the folders and modules right below it, that import each other in a
circle."""

import ast
from collections.abc import Iterator
from pathlib import Path

Graph = dict[str, set[str]]


def imports(folder: Path) -> Graph:
    """Module -> modules of the package `folder` that it imports anywhere in its text."""
    paths = {_name(path, folder.parent): path for path in sorted(folder.rglob("*.py"))
             if "templates" not in path.parts}  # those become files of a user
    return {name: set(_imported(path, paths.keys())) - {name} for name, path in paths.items()}


def _name(path: Path, root: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(path: Path, known: set[str]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield from {full if full in known else node.module} & known


def packages(modules: Graph) -> Graph:
    """The same between what lies right below the package."""
    def top(name: str) -> str:
        return ".".join(name.split(".")[:2])

    found: Graph = {}
    for name, targets in modules.items():
        found.setdefault(top(name), set()).update(top(target) for target in targets)
    return {name: targets - {name} for name, targets in found.items()}


def circle(graph: Graph) -> list[str]:
    """What lies on circles: all that import each other, directly or by others; nothing if there is none."""
    reached = {name: set(targets) for name, targets in graph.items()}
    while True:
        before = sum(map(len, reached.values()))
        for targets in reached.values():
            targets.update(*(reached.get(target, set()) for target in list(targets)))
        if sum(map(len, reached.values())) == before:
            return sorted(name for name, targets in reached.items() if name in targets)


def problems(folder: Path) -> Iterator[str]:
    """A line for the modules, and one for the packages, that import each other."""
    modules = imports(folder)
    for words, graph in (("modules", modules), ("packages", packages(modules))):
        if on_circle := circle(graph):
            yield f"python/{folder.name}: the {words} {', '.join(on_circle)} import each other"
