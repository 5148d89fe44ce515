# SPDX-License-Identifier: BSD-3-Clause
"""OpenFOAM on 4 ranks with libPstream.so under the address sanitizer, in every second run with a killed rank.

The case is damBreak, by openfoam/tests/endure.py, which ends with an error at the first report or hang, and
says how the libraries are built whose folder ISTHMUS_OPENFOAM has to name. It lasts a minute, with --full 30,
or as many as --only "5 minutes" says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement
from isthmus.bench.reference import TARGET
from isthmus.bench.solvers.openfoam import record
from isthmus.console import print_warning
from isthmus.errors import IsthmusError
from isthmus.openfoam import runs

CASE = "damBreak, 4 ranks, address sanitizer"
ENOUGH = f"{TARGET}: 30 minutes"


def measure(context: Context) -> list[Measurement]:
    if not is_sanitized():
        print_warning("no runs of OpenFOAM under the address sanitizer: ISTHMUS_OPENFOAM names no libraries "
                      "that were built with it; openfoam/tests/endure.py says how they are")
        return []
    named = re.findall(r"(\d+) minute", context.only)
    minutes = named[0] if named else "30" if context.full else "1"
    folder = record(context, "endure.py", "--minutes", minutes)
    if folder is None:
        return []
    found = json.loads((folder / "endure.json").read_text(encoding="utf-8"))
    return list(endured(f"{CASE}, {minutes} minute{'s' * (minutes != '1')}", found))


def is_sanitized() -> bool:
    try:
        return b"__asan_init" in (runs.libraries() / runs.PSTREAM).read_bytes()
    except IsthmusError:
        return False


def endured(case: str, found: dict[str, float]) -> Iterator[Measurement]:
    yield Measurement(case, "time without a report", "s", 60 * found["minutes"], 1800, ENOUGH,
                      more_is_better=True, why="--full runs so long")
    for what in ("whole", "killed"):
        yield Measurement(case, f"{what} runs", "", found[what], kind="counted")
    yield Measurement(case, "longest time from a death to the end", "s", found["longest end"])
