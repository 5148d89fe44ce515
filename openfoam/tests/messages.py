# SPDX-License-Identifier: BSD-3-Clause
"""Messages, reductions and waits of a step of damBreak, mean of the ranks, as it is and with our layers;
where its messages come from; and how many of them could be joined:
messages.py LIBRARIES FOLDER [--ranks 16] [--steps 20]

The tutorial's mesh, divided into bricks in two rows, in steps as long as the tutorial's first; the first of
them and what comes before is left out. A message comes from what is found first among the functions from
which it was sent, and one that could go with the message before it to the same rank is one since which this
rank has waited for nobody. Figures are kept in FOLDER/messages.json."""

from __future__ import annotations

import argparse
import itertools
import os
import re
import shutil
from collections import Counter
from pathlib import Path

import command_line
import kinds
import known
import record
import tutorials

from isthmus.openfoam import case as cases
from isthmus.openfoam import runs

WAYS = {"original": ("original", "PCG"), "libPstream.so": ("supporting", "PCG"),
        "libPstream.so and limiter": ("supporting+limiter", "PCG"),
        "libPstream.so and schemes": ("supporting+schemes", "PCG"),
        "both, predictedPCG": ("both", "predictedPCG"), "both, deflatedPCG": ("both", "deflatedPCG"),
        "all, predictedPCG": ("all", "predictedPCG"), "all, deflatedPCG": ("all", "deflatedPCG"),
        "close, predictedPCG": ("close", "predictedPCG"), "close, deflatedPCG": ("close", "deflatedPCG")}
LIMIT = 1800
# the first that is found in one of the functions, the innermost first
ORIGINS = {"products and smoothers of solutions": r"initMatrixInterfaces",
           "corrections of gradients": r"correctedSnGrad",
           "other gradients": r"gaussGrad|fv8gradScheme",
           "limits": r"PstreamBuffers|syncTools|^\[\w+Foam\]$",
           "trees and starts": r"Pstream\d*(gather|scatter)|combine(Gather|Scatter)|(gather|scatter)List|"
                               r"[io]?fstream|OSstream|IOobject|polyMesh|regIOobject",
           "values at borders": r"initEvaluate|evaluate"}
SENDING = re.compile(r"isthmus5count|^MPI_|UOPstream|_ZN7isthmus8openfoam7Postbox|^\[libmpi_calls.so\]$")
TRACED = ("original", "all, deflatedPCG")  # ways whose messages are asked where they come from


def origin(functions: list[str]) -> str:
    """Of a message, by the functions from which it was sent."""
    outer = [name for name in functions if not SENDING.search(name)]
    limits = ORIGINS["limits"]
    if outer and re.search(limits, outer[0]):
        return "limits"
    for what, pattern in ORIGINS.items():
        found = [name for name in outer if re.search(pattern, name)]
        if found and (what != "limits" or any(not name.startswith("[") for name in found)):
            return what
    return "others"


def origins(folder: Path, ranks: int) -> Counter[str]:
    """Messages of a run, of all ranks."""
    found: Counter[str] = Counter()
    for rank in range(ranks):
        for line in (folder / f"places.{rank}").read_text().splitlines():
            number, *functions = line.split("\t")
            found[origin(functions)] += int(number)
    return found


def num_joinable(texts: list[str]) -> int:
    """Of what a rank asked of MPI: messages since whose predecessor to the same rank it has received nothing
    and taken part in no collective operation."""
    receives: set[str] = set()
    known_since: dict[str, int] = {}  # by rank, when the last message was sent
    waits = joinable = 0
    for words in map(str.split, texts):
        if words[0] == "j":
            receives.add(words[5])
        elif words[0] in "rALGF" or (words[0] == "w" and not receives.isdisjoint(words[1:])):
            waits += 1
        elif words[0] in "si":
            joinable += known_since.get(words[1]) == waits
            known_since[words[1]] = waits
    return joinable


def counts(texts: list[str], ranks: int) -> dict[str, float]:
    """Of what a rank asked of MPI. A sum is beside other work if something was asked between its begin and
    its end. A reduction is as many messages of a rank as doublings give all ranks, an exchange of sizes one
    to each other rank."""
    kinds_of = Counter(text[0] for text in texts)
    at_once = sum(one[0] == "S" and other[0] == "F" for one, other in itertools.pairwise(texts))
    messages, sizes = kinds_of["s"] + kinds_of["i"], kinds_of["L"]
    reductions, beside = kinds_of["A"] + kinds_of["G"] + at_once, kinds_of["S"] - at_once
    collectives = (ranks - 1).bit_length() * (reductions + beside) + (ranks - 1) * sizes
    return {"messages": messages, "messages with those of collectives": messages + collectives,
            "reductions": reductions, "sums beside": beside, "exchanges of sizes": sizes,
            "waits": reductions + sizes + kinds_of["w"] + kinds_of["r"], "joinable": num_joinable(texts)}


def per_step(recording: record.Recording) -> dict[str, float]:
    """Means of the ranks."""
    ranks = len(recording.cells)
    found: Counter[str] = Counter()
    for rank in range(ranks):
        texts, steps = kinds.of_steps(recording.calls(rank))
        found.update({what: number / steps / ranks for what, number in counts(texts, ranks).items()})
    return dict(found)


class Messages:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.libraries = options.libraries.resolve()
        self.folder = options.folder / "messages"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.find = known.Known(options.folder / "messages.json").find

    def copy(self, steps: int) -> cases.Case:
        case, step = record.refined("damBreak", self.folder / "case", 1)
        tutorials.decompose(case, self.options.ranks, "hierarchical")
        copy = runs.copy_of(case, self.folder / "run", steps * step)
        shutil.rmtree(case.folder)
        return copy

    def of_step(self, layer: str, solver: str) -> dict[str, float]:
        return per_step(record.record(self.copy(self.options.steps), runs.Layer.of(layer), solver,
                                      self.libraries))

    def origins(self, layer: str, solver: str) -> dict[str, float]:
        """Of a step: a run less one of half as many steps."""
        ranks, steps = self.options.ranks, self.options.steps
        os.environ["MPI_PLACES"] = "places"
        both = []
        for number in (steps, steps // 2):
            run = runs.run(self.copy(number), runs.Layer.of(layer), solver, self.libraries, LIMIT)
            both.append(origins(run.folder, ranks))
        del os.environ["MPI_PLACES"]
        return {what: (both[0][what] - both[1][what]) / ranks / (steps - steps // 2)
                for what in [*ORIGINS, "others"]}

    def all(self) -> None:
        for way, (layer, solver) in WAYS.items():
            name = f"{self.options.ranks} ranks, {way}"
            self.find(name, lambda layer=layer, solver=solver: self.of_step(layer, solver))
            if way in TRACED:
                self.find(f"{name}, origins", lambda layer=layer, solver=solver: self.origins(layer, solver))


def main() -> None:
    parser = command_line.parser_of(__doc__)
    parser.add_argument("--ranks", type=int, default=16)
    parser.add_argument("--steps", type=int, default=20)
    tutorials.skip_without("interFoam", "blockMesh", "setFields", "decomposePar")
    Messages(parser.parse_args()).all()


if __name__ == "__main__":
    main()
