#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Says which classes are too large: more than 12 data members or 25 functions of their own.

    tools/check_classes.py [ROOT]

Reads C++ and Python: src, api, apps, bench, cli, examples, openfoam, python, solvers, tests and tools. In
C++, static data, types, friends and functions that are deleted or defaulted do not count. In Python, data
members are what functions set in self, and what is declared with a type in the class. What a class inherits
counts for its base alone: the calls of a participant are in three classes. The class whose
functions preCICE prescribes is left out. Exits 1 if there is a problem.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

MAX_MEMBERS = 12
MAX_FUNCTIONS = 25
FOLDERS = ("src", "api", "apps", "bench", "cli", "examples", "openfoam", "python", "solvers", "tests",
           "tools")
SUFFIXES = (".hpp", ".cpp", ".h", ".H", ".C")
PRESCRIBED = {"api/precice/include/precice/Participant.hpp": "Participant"}
TEMPLATE = re.compile(r"@[A-Z_]+@")  # what `isthmus new` fills in
HEAD = re.compile(r"\b(?:class|struct)\s+(?:alignas\s*\([^()]*\)\s*)?(?:[A-Z_]+\s+)?(\w+)[^;{}()=]*$")
NO_MEMBER = re.compile(r"^(?:using|friend|static|typedef|enum|template\s*<[^>]*>\s*friend|constexpr)\b")
LABEL = re.compile(r"^(?:(?:public|private|protected)\s*:\s*)+")


def without_comments(text: str) -> str:
    """The text with comments, strings and lines of the preprocessor emptied; lines stay."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"/\*.*?\*/", lambda found: "\n" * found[0].count("\n"), text, flags=re.S)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    text = re.sub(r"'(?:\\.|[^'\\\n])'", "' '", text)
    return re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*", lambda found: "\n" * found[0].count("\n"), text, flags=re.M)


def matching(text: str, opening: int) -> int:
    """The position behind the brace that closes the one at `opening`."""
    depth = 0
    for at in range(opening, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    return len(text)


def statements(body: str) -> Iterator[str]:
    """Declarations of a class body, what stands in braces left out."""
    at, current = 0, ""
    while at < len(body):
        if body[at] == "{":
            end = matching(body, at)
            following = body[end:].lstrip()[:1]
            is_value = following in (";", ",", ")") or (following == "{" and ":" in current)
            current += "{}"
            at = end
            if not is_value:
                yield current
                current = ""
        elif body[at] == ";":
            yield current
            current = ""
            at += 1
        else:
            current += body[at]
            at += 1


def is_function(declaration: str) -> bool:
    flat = declaration
    while (shorter := re.sub(r"<[^<>]*>", "", flat)) != flat:  # what std::function<void(int)> takes
        flat = shorter
    declared = re.sub(r"\[\[.*?\]\]|alignas\([^)]*\)", "", flat).split("=")[0].split("{}")[0]
    return "(" in declared or "operator" in flat


def sizes(body: str) -> tuple[int, int]:
    """Data members and functions."""
    members = functions = 0
    for raw in statements(body):
        text = LABEL.sub("", " ".join(raw.split()))
        if not text or re.match(r"^(?:class|struct|union)\s+[\w:\s<,>]*(?:\{\})?$", text):
            continue
        if is_function(text):
            if not re.search(r"=\s*(?:default|delete)$", text) and not re.match(r"^friend\b", text):
                functions += 1
        elif not NO_MEMBER.match(text):
            members += 1 + declared_beside(text)
    return members, functions


def declared_beside(text: str) -> int:
    """Further names of one declaration: `double a = 0, b = 0`."""
    flat = text
    while (shorter := re.sub(r"<[^<>]*>|\([^()]*\)|\{[^{}]*\}", "", flat)) != flat:
        flat = shorter
    return flat.count(",")


def python_sizes(of: ast.ClassDef) -> tuple[int, int]:
    """Data members and functions."""
    functions = [one for one in of.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
    declared = [one for one in of.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)]
    members = {one.target.id for one in declared if "ClassVar" not in ast.unparse(one.annotation)}
    for function in functions:
        members |= {one.attr for one in ast.walk(function)
                    if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store)
                    and isinstance(one.value, ast.Name) and one.value.id == "self"}
    return len(members), len(functions)


def classes(text: str) -> Iterator[tuple[str, int, int, int]]:
    """Name, line, data members and functions of each class of C++."""
    text = without_comments(text)
    for brace in (found.start() for found in re.finditer(r"\{", text)):
        start = max(text.rfind(mark, 0, brace) for mark in ";{}")
        head = HEAD.search(text[start + 1 : brace])
        before = text[start + 1 : brace]
        if head and not re.search(r"\benum\b", before):
            line = text.count("\n", 0, brace) + 1
            yield head[1], line, *sizes(text[brace + 1 : matching(text, brace) - 1])


def python_classes(text: str) -> Iterator[tuple[str, int, int, int]]:
    for of in ast.walk(ast.parse(TEMPLATE.sub("0", text))):
        if isinstance(of, ast.ClassDef):
            yield of.name, of.lineno, *python_sizes(of)


def too_large(path: Path, name: Path) -> Iterator[tuple[str, int, str]]:
    """Class, line and what is too much, for each class of a source that is too large."""
    text = path.read_text(encoding="utf-8")
    for found, line, members, functions in (python_classes if path.suffix == ".py" else classes)(text):
        is_too_large = members > MAX_MEMBERS or functions > MAX_FUNCTIONS
        if is_too_large and PRESCRIBED.get(name.as_posix()) != found:
            yield found, line, f"{members} data members (at most {MAX_MEMBERS}) and " \
                               f"{functions} functions (at most {MAX_FUNCTIONS})"


def problems(root: Path) -> Iterator[str]:
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (*SUFFIXES, ".py"):
                name = path.relative_to(root)
                for found, line, what in too_large(path, name):
                    yield f"{name}:{line}: {found} has {what}; split it by what it owns"


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    found = list(problems(root))
    print("\n".join(found) or "no class is too large")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
