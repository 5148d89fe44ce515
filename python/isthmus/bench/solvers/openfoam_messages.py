# SPDX-License-Identifier: BSD-3-Clause
"""Messages, reductions and waits of a step of OpenFOAM as Debian packs it, and with our layers.

The case is damBreak, by openfoam/tests/messages.py, which also finds from which functions messages are sent,
and how many of them could be joined with others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement
from isthmus.bench.reference import TARGET
from isthmus.bench.solvers.openfoam import record

NAME = re.compile(r"(?P<ranks>\d+) ranks, (?P<way>.+?)(?P<origins>, origins)?")
ORIGINAL = "original"
BESIDE = "the packaged OpenFOAM, counted the same way"
TARGETS = {"messages": 1 / 3, "messages with those of collectives": 1 / 3, "waits": 1 / 2}
WORDS = {"messages": "messages of a step", "messages with those of collectives":
         "messages of a step with those of collectives", "waits": "waits of a step",
         "reductions": "reductions of a step that are waited for",
         "sums beside": "reductions of a step beside other work",
         "exchanges of sizes": "exchanges of sizes of a step",
         "joinable": "messages of a step that could go with the one before"}
WHY = "values at borders, gradients and limits stay, each of which is read before the next is known"


def measure(context: Context) -> list[Measurement]:
    named = tuple(map(str, context.ranks()))
    ranks = named[0] if named else "16" if context.full else "4"
    folder = record(context, "messages.py", "--ranks", ranks)
    if folder is None:
        return []
    return list(compared(json.loads((folder / "messages.json").read_text(encoding="utf-8"))))


def compared(figures: dict[str, dict]) -> Iterator[Measurement]:
    for name, found in figures.items():
        match = NAME.fullmatch(name)
        assert match is not None, name
        where = f"damBreak, {match['ranks']} ranks, {match['way']}"
        if match["origins"]:
            for what, number in found.items():
                yield counted(where, f"messages of a step, {what}", number)
            continue
        beside = figures[f"{match['ranks']} ranks, {ORIGINAL}"]
        original = {} if match["way"] == ORIGINAL else beside
        for what, words in WORDS.items():
            yield counted(where, words, found[what],
                          original.get(what) if what != "sums beside" else None)  # no better with more
        if match["way"] == "all, deflatedPCG":
            yield from targets(where, found, original)


def targets(where: str, found: dict[str, float], original: dict[str, float]) -> Iterator[Measurement]:
    for what, share in TARGETS.items():
        part = "a third" if share < 0.5 else "half"
        yield counted(where, f"{WORDS[what]} over the original's", found[what] / original[what], share,
                      f"{TARGET}: {part} of the original's")


def counted(case: str, quantity: str, ours: float, reference: float | None = None, source: str = BESIDE
            ) -> Measurement:
    return Measurement(case, quantity, "", ours, reference, source, kind="counted", tolerance=0.03, why=WHY)
