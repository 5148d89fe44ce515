# SPDX-License-Identifier: BSD-3-Clause
"""Instructions of a step of OpenFOAM as Debian packs it, and with our layers, on one of the ranks.

The case is damBreak, by openfoam/tests/instructions.py, with valgrind: other work on a machine does not
change what it counts on one rank; on several a rank that waits counts that, too."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator

from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement
from isthmus.bench.solvers.openfoam import record
from isthmus.console import print_warning

NAME = re.compile(r"(?P<ranks>\d+) ranks, (?P<way>.+)")
ORIGINAL = "original"
BESIDE = "the packaged OpenFOAM, counted the same way"
WHY = "what waits for fewer reductions works more in an iteration"


def measure(context: Context) -> list[Measurement]:
    if shutil.which("valgrind") is None:
        print_warning("no instructions of OpenFOAM: there is no valgrind on PATH")
        return []
    ranks = re.findall(r"(\d+) rank", context.only) or (("1", "4") if context.full else ("1",))
    folder = record(context, "instructions.py", "--ranks", *ranks)
    if folder is None:
        return []
    return list(compared(json.loads((folder / "instructions.json").read_text(encoding="utf-8"))))


def compared(figures: dict[str, float]) -> Iterator[Measurement]:
    """Each way beside the original on as many ranks."""
    for name, number in figures.items():
        match = NAME.fullmatch(name)
        assert match is not None, name
        original = None if match["way"] == ORIGINAL else figures[f"{match['ranks']} ranks, {ORIGINAL}"]
        ranks = f"{match['ranks']} rank{'s' * (match['ranks'] != '1')}"
        yield Measurement(f"damBreak, {ranks}, {match['way']}", "instructions of a step, first rank", "",
                          number, original, BESIDE, kind="counted", tolerance=0.03, why=WHY)
