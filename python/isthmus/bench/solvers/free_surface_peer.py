# SPDX-License-Identifier: BSD-3-Clause
"""The solver of moving particles beside PySPH: particles a second and core in a column that collapses.

The same column with as many particles of fluid on one rank and one thread, by turns, in time of the
processor: our explicit form and PySPH's weakly compressible scheme (bench/peers/pysph_column.py) with the
same speed of sound, each with steps as long as it allows; and our semi-implicit form, which has none. The
peer is run by the Python that ISTHMUS_PEER_PYTHON names, or python3: pip install numpy==1.26.4
cython==3.0.12, then --no-build-isolation cyarray==1.2 compyle==0.9.1 pysph==1.0b2. --full: twice as fine."""

from __future__ import annotations

import csv
import resource
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from isthmus.bench.framework import Context, in_turns
from isthmus.bench.measurement import Measurement, Median
from isthmus.bench.peer_python import SCRIPTS, output_of, peer_python
from isthmus.bench.solvers.free_surface import GRAVITY, Outcome, collapse, solve
from isthmus.console import console

PEER = "PySPH"
SCRIPT = SCRIPTS / "pysph_column.py"
LIMIT = 900  # seconds of one run
STEPS = 100
HEIGHT = 0.292  # of the column
SPEED = "particles of fluid moved in a second of a core"
COST = "seconds of a core for a second of the flow"


def measure(context: Context) -> list[Measurement]:
    python, version = peer_python("pysph", PEER, "name a Python that has it")
    found: list[Measurement] = []
    for across in (40, 80) if context.full else (40,):
        found += beside(context, across, python, version)
    return found


def sound() -> float:
    """Ten times the speed of a fall through the column."""
    return 10 * float(np.sqrt(2 * GRAVITY * HEIGHT))


def theirs(folder: Path, across: int, python: str) -> tuple[float, float]:
    """Particles a second, seconds for a second."""
    console.print("running PySPH", style="dim")
    command = [python, str(SCRIPT), str(across), str(STEPS), repr(sound())]
    return figures(output_of(PEER, command, folder, LIMIT))


def figures(text: str) -> tuple[float, float]:
    """Of what the script prints, which is its only line of five numbers."""
    line = next(row for row in csv.reader(text.splitlines()) if len(row) == 5)
    fluid, _, steps, seconds, flow = map(float, line)
    return fluid * steps / seconds, seconds / flow


def ours(folder: Path, across: int, form: str) -> tuple[float, float]:
    """The same."""
    def run(steps: int) -> tuple[Outcome, float]:
        """And the seconds of the processor that it took."""
        words: dict[str, object] = {"method": form, "steps": steps}
        if form == "explicit":
            words["speed-of-sound"] = sound()
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        found = solve(folder, f"{form}-{across}-{steps}", collapse(across, 10, **words))
        return found, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

    start = run(1)[1]  # of the program, and one step
    found, whole = run(STEPS + 1)
    seconds = (whole - start) / STEPS
    return float(found.column("fluid").mean()) / seconds, seconds / float(found.column("length")[1:].mean())


def beside(context: Context, across: int, python: str, version: str | None) -> Iterator[Measurement]:
    folder = context.out / "free_surface_peer"
    solvers = {form: partial(ours, folder, across, form) for form in ("explicit", "semi-implicit")}
    if version is not None:
        solvers[PEER] = partial(theirs, folder, across, python)
    found = in_turns(solvers, context.repeat)
    case = f"column {across} particles across, one core"
    source = f"{PEER} {version}, weakly compressible, in the same run"
    for n, quantity in enumerate((SPEED, COST)):
        medians = {program: Median.of(run[n] for run in runs) for program, runs in found.items()}
        for program, median in medians.items():
            yield Measurement(f"{case}, {program}", quantity, "", median,
                              medians.get(PEER) if program != PEER else None, source, more_is_better=n == 0,
                              why="its steps are long, and a system of equations is solved in each")
