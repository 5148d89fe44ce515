# SPDX-License-Identifier: BSD-3-Clause
"""Runs of damBreak that take turns, as it is and with our layers, on ranks of this machine:
pairs.py LIBRARIES FOLDER [--ranks 1 2 4 8 16] [--times 2] [--steps 60] [--repeat 30]

In each turn the original runs once and each way once, in another order. Figures of each run are kept in
FOLDER/pairs.json: seconds from start to end, and of processors, of all ranks and the launcher. Ranks that
wait ask again and again, so waits cost processor time as well."""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics

import command_line
import known
import record
import tutorials

from isthmus.openfoam import case as cases
from isthmus.openfoam import runs

WAYS = {"original": ("original", "PCG"), "libPstream.so": ("supporting", "PCG"),
        "both, automaticPCG": ("both", "automaticPCG"), "all, automaticPCG": ("all", "automaticPCG"),
        "all, deflatedPCG": ("all", "deflatedPCG")}
LIMIT = 1800


def processor_seconds() -> float:
    """Of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Pairs:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.libraries = options.libraries.resolve()
        self.folder = options.folder / "pairs"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.find = known.Known(options.folder / "pairs.json").find

    def case(self, ranks: int) -> cases.Case:
        """Meshed and decomposed; made once."""
        folder = self.folder / f"{self.options.times:g}-{ranks}"
        if not folder.is_dir():
            unfinished = folder.with_name(f"{folder.name}.part")
            shutil.rmtree(unfinished, ignore_errors=True)
            case, _ = record.refined("damBreak", unfinished, self.options.times)
            if ranks > 1:
                record.decompose(case, ranks)
            unfinished.rename(folder)
        return cases.Case(folder)

    def measure(self, ranks: int, layer: str, solver: str) -> dict[str, float]:
        end = self.options.steps * record.STEPS["damBreak"] / self.options.times
        copy = runs.copy_of(self.case(ranks), self.folder / "run", end)
        before = processor_seconds()
        done = runs.run(copy, runs.Layer.of(layer), solver, self.libraries, LIMIT)
        return {"seconds": done.seconds, "processor": processor_seconds() - before,
                "load": os.getloadavg()[0], "iterations": sum(done.iterations.values())}

    def turn(self, ranks: int, number: int) -> dict[str, dict[str, float]]:
        """A run of each way, the first one another each time."""
        names = list(WAYS)
        first = number % len(names)
        return {name: self.measure(ranks, *WAYS[name]) for name in names[first:] + names[:first]}

    def turns(self, ranks: int) -> list[dict[str, dict[str, float]]]:
        return [self.find(f"{self.options.times:g} times, {ranks} ranks, turn {number}",
                          lambda number=number: self.turn(ranks, number))
                for number in range(self.options.repeat)]


def main() -> None:
    parser = command_line.parser_of(__doc__)
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4, 8, 16])
    parser.add_argument("--times", type=float, default=2)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--repeat", type=int, default=30)
    tutorials.skip_without("interFoam", "blockMesh", "setFields", "decomposePar")
    pairs = Pairs(parser.parse_args())
    for ranks in pairs.options.ranks:
        turns = pairs.turns(ranks)
        for way in WAYS:
            medians = {what: statistics.median(turn[way][what] / turn["original"][what] for turn in turns)
                       for what in ("seconds", "processor")}
            print(f"{ranks} ranks, {way}: of the original's {medians}", flush=True)


if __name__ == "__main__":
    main()
