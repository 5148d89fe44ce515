# SPDX-License-Identifier: BSD-3-Clause
"""Tutorials of OpenFOAM with the packaged libPstream.so and with ours.

By openfoam/tests/survey.py: which files are the same byte by byte, how often sizes are exchanged, and how far
other layers take the fields."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement
from isthmus.bench.solvers.openfoam import record

LAYERED = re.compile(r"(?P<case>\w+, \d+ ranks, \w+)(?P<beside>, original and others)?")
BESIDE = "the packaged OpenFOAM, in the same run"
ITSELF = "another run of the packaged OpenFOAM"


def measure(context: Context) -> list[Measurement]:
    few = [context.only] if context.only else [] if context.full else ["cavity, collated files"]
    folder = record(context, "survey.py", *few)
    if folder is None:
        return []
    return list(compared(json.loads((folder / "survey.json").read_text(encoding="utf-8"))))


def compared(figures: dict[str, dict]) -> Iterator[Measurement]:
    for name, found in figures.items():
        match = LAYERED.fullmatch(name)
        if match is None:
            yield from of_tutorial(name, found)
        elif match["beside"]:
            for pair, distance in found.items():
                yield Measurement(name, f"largest difference, {pair}", "",
                                  distance)
        else:
            yield from of_layers(match["case"], found)


def of_tutorial(name: str, found: dict[str, float]) -> Iterator[Measurement]:
    where = f"{name}, {found['ranks']} ranks"
    files = found["files"]
    again = files - found.get("the same in another run of the original", files)
    yield counted(where, "files that differ from the original's", files - found["the same"], again, ITSELF)
    yield counted(where, "files that are compared", files)
    yield counted(where, "exchanges of sizes of a step", found["sizes with ours"], found["sizes"])
    if "difference with predictedPCG" in found:
        yield Measurement(where, "largest difference with predictedPCG", "",
                          found["difference with predictedPCG"])
        yield counted(where, "iterations with predictedPCG", found["iterations with predictedPCG"],
                      found["iterations"])


def of_layers(case: str, layers: dict[str, dict[str, float]]) -> Iterator[Measurement]:
    for layer, row in layers.items():
        original = {} if layer == "original" else layers["original"]
        where = f"{case}, {layer}"
        for what, number in row.items():
            if what.startswith("difference"):
                if original:
                    yield Measurement(where, f"largest {what}", "", number)
            elif what.startswith(("files", "iterations")):
                yield counted(where, what, number, original.get(what))
            else:
                beside = original.get(what) if what != "beside" else None  # no better with more
                yield counted(where, f"{what} of a step", number, beside)


def counted(case: str, quantity: str, ours: float, reference: float | None = None, source: str = BESIDE
            ) -> Measurement:
    return Measurement(case, quantity, "", ours, reference, source, kind="counted", tolerance=0.03,
                       why="what waits less multiplies more, and some runs of the original differ")
