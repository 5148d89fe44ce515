# SPDX-License-Identifier: BSD-3-Clause
"""Every public function of every interface is found, and its comment says what a user has to know: what it
needs and gives, the shape of arrays, the unit of times, what is an error."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools/site"))
import reference  # noqa: E402

SYMBOLS = (ROOT / "tests/package/precice-symbols.txt").read_text()
ALIASES = {"set_edge", "set_triangle", "set_quad", "set_tetrahedron"}
PARTICIPANT = "python/isthmus/participant.py"
PARTS_OF_PARTICIPANT = ("python/isthmus/mesh_calls.py", "python/isthmus/data_calls.py")
NATIVE = [reference.NATIVE, *reference.NATIVE_BASES.values()]
INTERFACES = {"C++": [function for path in NATIVE for function in reference.cpp(path)],
              "drop-in": reference.cpp(reference.DROP_IN), "C": reference.c(),
              "Fortran": reference.fortran(), "Python": reference.python(PARTICIPANT)}
CANNOT_FAIL = r"~|give_up|statistics|restarted|[vV]ersion"
ARRAYS = r"span<|\*\s?(ids|values|gradients|coordinates|positions?|boundingBox)\b|\(\*\)|ArrayLike"
SHAPES = r"one per|ids? per|rows?\b|coordinates?\b|dimension|component|each axis"
TIMES = r"advance\(|(relative_time|relativeReadTime|relative_read_time)\b|[mM]ax_?[tT]ime_?[sS]tep"


def faults(function: reference.Function) -> Iterator[str]:
    text = " ".join(function.text.split())
    if len(text) < 20:
        yield "no comment"
    if "Error: " not in text and not re.search(CANNOT_FAIL, function.name):
        yield "what is an error"
    if re.search(ARRAYS, function.signature) and not re.search(SHAPES, text):
        yield "the shape of an array"
    if re.search(TIMES, function.signature) and "unit of the configuration's times" not in text:
        yield "the unit of a time"
    for word in re.findall(r"`(\w+)`", text):
        if word != "with" and not re.search(rf"\b{word}\b", function.signature):
            yield f"there is no argument {word}"


@pytest.mark.parametrize("language", INTERFACES)
def test_comments_say_what_a_user_has_to_know(language):
    found = [f"{function.name}: {fault}" for function in INTERFACES[language] for fault in faults(function)
             if function.signature != "class Participant"]
    assert not found


def test_all_functions_are_found():
    names = {language: [function.name for function in of] for language, of in INTERFACES.items()}
    methods = {name[:int(length)] for length, name in re.findall(r"11Participant(\d+)(\w+)", SYMBOLS)}
    assert len(methods) > 30 and methods <= set(names["drop-in"])
    assert set(names["C"]) == set(re.findall(r"^precicec_\w+", SYMBOLS, re.MULTILINE))
    exported = {name.rstrip("_") for name in re.findall(r"^precicef_(\w+)", SYMBOLS, re.MULTILINE)}
    assert {f"precicef_{name}" for name in exported - ALIASES} == set(names["Fortran"])
    headers = "".join((ROOT / path).read_text() for path in NATIVE)
    declared = re.findall(r"^(?! *explicit)[^/\n]*\w ~?\w+\(|^  ~?Participant\(", headers, re.MULTILINE)
    assert len(names["C++"]) == len(declared)
    python = "".join((ROOT / path).read_text() for path in (PARTICIPANT, *PARTS_OF_PARTICIPANT))
    assert len(names["Python"]) == 1 + len(re.findall(r"^ *def (?!_)|__init__\(", python, re.MULTILINE))
