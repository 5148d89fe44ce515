# SPDX-License-Identifier: BSD-3-Clause
"""The public functions of all interfaces with their comments, as they stand in the sources."""

from __future__ import annotations

import ast
import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NATIVE = "src/isthmus/participant/participant.hpp"
NATIVE_BASES = {"MeshCalls": "src/isthmus/participant/mesh_calls.hpp",
                "DataCalls": "src/isthmus/participant/data_calls.hpp"}
VERTEX_ID = "src/isthmus/participant/vertex_id.hpp"
DROP_IN = "api/precice/include/precice/Participant.hpp"
C = "api/precice/include/precice/preciceC.h"
FORTRAN = "api/precice/fortran/precice.f90"


@dataclass
class Function:
    name: str
    signature: str
    text: str  # what its comment says


def cpp(path: str) -> list[Function]:
    """Of a header, but those that are deleted."""
    source = re.sub(r"^ (?:protected|private):\n.*?^};", "};", (ROOT / path).read_text(),
                    flags=re.MULTILINE | re.DOTALL)
    source = source.replace(" public:\n", "").replace("PRECICE_API ", "")
    declarations = re.findall(r"((?:^ *///[^\n]*\n)*)^ *([^/\s#{}][^;{}]*\)[^;{}]*;)", source, re.MULTILINE)
    return [Function(_name(signature), _joined(signature), _plain(comment, "///"))
            for comment, signature in declarations if "= delete" not in signature]


def c() -> list[Function]:
    source = (ROOT / C).read_text()
    return [Function(_name(signature), _joined(signature), _plain(comment, "*"))
            for comment, signature in re.findall(r"(?:/\*((?:(?!\*/).)*)\*/\n)?^PRECICE_API ([^;]*;)", source,
                                                 re.MULTILINE | re.DOTALL)]


def fortran() -> list[Function]:
    """The signature holds the declarations of the arguments."""
    source = (ROOT / FORTRAN).read_text().split("\ncontains\n")[1]
    return [Function(name, "\n".join(line.removeprefix("  ") for line in lines.rstrip().split("\n")),
                     _plain(comment, "!>"))
            for comment, lines, name in re.findall(
                r"((?:^ *!>[^\n]*\n)*)^( *subroutine (\w+)\(.*?)^ *call ", source, re.MULTILINE | re.DOTALL)]


def python(path: str) -> list[Function]:
    """Of a module; methods, also those of base classes in other modules, are called Class.method."""
    tree = ast.parse((ROOT / path).read_text())
    modules = {alias.name: node.module for node in tree.body if isinstance(node, ast.ImportFrom)
               for alias in node.names}
    found = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found.append(_python(node, node.name))
        if isinstance(node, ast.ClassDef):
            found.append(Function(node.name, f"class {node.name}", ast.get_docstring(node) or ""))
            bases = [_python_class(modules[base.id], base.id) for base in node.bases
                     if isinstance(base, ast.Name) and base.id in modules]
            found += [_python(method, f"{node.name}.{method.name}") for one in (node, *bases)
                      for method in one.body if isinstance(method, ast.FunctionDef)]
    return [function for function in found if not re.search(r"(^|\.)_(?!_init__)", function.name)]


def _python_class(module: str, name: str) -> ast.ClassDef:
    tree = ast.parse((ROOT / "python" / module.replace(".", "/")).with_suffix(".py").read_text())
    return next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)


def _python(node: ast.FunctionDef, name: str) -> Function:
    arguments = ast.unparse(node.args).removeprefix("self").removeprefix(", ")
    answer = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    name = name.removesuffix(".__init__")
    return Function(name, f"{name}({arguments}){answer}", ast.get_docstring(node) or "")


def _name(signature: str) -> str:
    return re.search(r"(~?\w+)\(", signature)[1]


def _joined(text: str) -> str:
    return textwrap.fill(" ".join(text.split()), 100, subsequent_indent="    ")


def _plain(comment: str, mark: str) -> str:
    lines = [line.strip().removeprefix(mark).strip() for line in comment.strip().split("\n")]
    return " ".join(line for line in lines if line)
