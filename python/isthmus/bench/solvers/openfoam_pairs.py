# SPDX-License-Identifier: BSD-3-Clause
"""OpenFOAM as Debian packs it, and with our layers, on ranks of this machine: runs that take turns.

The case is damBreak, by openfoam/tests/pairs.py. Ratios are those of runs of one turn, whose order is another
in each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement, Median
from isthmus.bench.reference import TARGET
from isthmus.bench.solvers.openfoam import record

NAME = re.compile(r"\S+ times, (?P<ranks>\d+) ranks, turn \d+")
ORIGINAL = "original"
WHAT = {"seconds": "time of a run", "processor": "processor time of a run"}
BESIDE = "the packaged OpenFOAM, in turns with ours"
AT_MOST = f"{TARGET}: at most 3 % slower than the packaged OpenFOAM"
WHY = "a part of a thousandth is noise of the machine, and what waits less works more"

Turns = list[dict[str, dict[str, float]]]


def measure(context: Context) -> list[Measurement]:
    named = tuple(map(str, context.ranks()))
    arguments = named or (("1", "2", "4", "8", "16") if context.full else ("1", "2"))
    folder = record(context, "pairs.py", "--ranks", *arguments, "--repeat", str(context.repeat))
    if folder is None:
        return []
    return list(compared(json.loads((folder / "pairs.json").read_text(encoding="utf-8"))))


def compared(figures: dict[str, dict[str, dict[str, float]]]) -> Iterator[Measurement]:
    """Medians and quartiles of all turns, and of the ratios within each."""
    turns: dict[int, Turns] = {}
    for name, turn in figures.items():
        if match := NAME.fullmatch(name):
            turns.setdefault(int(match["ranks"]), []).append(turn)
    for ranks, found in sorted(turns.items()):
        for way in found[0]:
            where = f"damBreak, {ranks} ranks, {way}"
            for what, words in WHAT.items():
                original = Median.of(turn[ORIGINAL][what] for turn in found)
                ours = Median.of(turn[way][what] for turn in found)
                if way == ORIGINAL:
                    yield Measurement(where, words, "s", ours)
                    continue
                yield Measurement(where, words, "s", ours, original, BESIDE, tolerance=0.03, why=WHY)
                yield Measurement(where, f"{words} over the original's", "",
                                  Median.of(turn[way][what] / turn[ORIGINAL][what] for turn in found), 1.03,
                                  AT_MOST, why=WHY)
