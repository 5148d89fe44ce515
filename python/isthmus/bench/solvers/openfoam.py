# SPDX-License-Identifier: BSD-3-Clause
"""OpenFOAM as Debian packs it, and with our layers, on simulated clusters: strong and weak series.

Real runs are recorded on as many processes, their work gets prices, and their calls are made again: by
openfoam/tests/series.py, whose folder <out>/runs/openfoam keeps what is known, so that a later run goes on.
After Lin and others, "A layered communication optimization method based on OpenFOAM"."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from isthmus import programs
from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement
from isthmus.bench.reference import LAYERED, LAYERED_BEST, LAYERED_KNEE
from isthmus.console import console, print_warning
from isthmus.errors import IsthmusError
from isthmus.openfoam import runs

SCRIPTS = Path(__file__).resolve().parents[4] / "openfoam" / "tests"
CELLS = {"cavity": 400, "damBreak": 2268}  # of the tutorials
LIMIT = 6 * 3600  # seconds of a series
SERIES = re.compile(r"(?P<times>\S+) times, (?P<ranks>\d+) ranks, (?P<layer>\S+), (?P<solver>\w+)")
ORIGINAL = "original"
WAYS = {"original, PCG": ORIGINAL, "supporting, PCG": "libPstream.so",
        "both, predictedPCG": "both, predictedPCG",
        "both+limiter+schemes, predictedPCG": "all, predictedPCG",
        "both+limiter+schemes, deflatedPCG": "all, deflatedPCG"}
TIME, CALLS = "simulated time of a step", "simulated time of a step without its work"
SAME_CALLS = "the packaged OpenFOAM, recorded and replayed the same way"
WHY = "ranks that have few cells spend most of a step in work that more ranks do not divide"


def where(case: str, cells: int, ranks: int, way: str) -> str:
    """The case of a row."""
    return f"{case}, {cells:,} cells, {ranks} simulated ranks, {way}"


@dataclass(frozen=True)
class Point:
    """Of one series: the figures of a way on a number of ranks."""

    ranks: int
    way: str
    figures: dict[str, float]

    def where(self, case: str) -> str:
        """Of its rows."""
        return where(case, round(self.figures["cells"] * self.ranks), self.ranks, self.way)


@dataclass(frozen=True)
class Series:
    """Of a tutorial: a strong one, of a mesh that is so many times as fine as the tutorial's. The runs with
    567 cells of damBreak for each rank are a weak one, as are those with 625 cells of cavity."""

    case: str
    times: str
    ranks: tuple[str, ...]
    layers: tuple[str, ...] = ("0", "1", "2", "3", "4")  # numbers of WAYS

    def parts(self, only: str) -> Iterator[Series]:
        """One for each number of ranks: of the layers in whose rows this text is."""
        cells = round(CELLS[self.case] * float(self.times) ** 2)
        for ranks in self.ranks:
            layers = tuple(layer for layer in self.layers
                           if only in where(self.case, cells, int(ranks), [*WAYS.values()][int(layer)]))
            if layers:
                yield replace(self, ranks=(ranks,), layers=layers)


FULL = (Series("damBreak", "1", ("4",)), Series("damBreak", "2", ("2", "4", "16", "64", "192")),
        Series("damBreak", "4", ("16", "32", "64", "128", "256"), ("0", "4")),
        Series("cavity", "2.5", ("4",)), Series("cavity", "5", ("2", "4", "16", "64")),
        Series("cavity", "10", ("64",), ("0", "4")))
QUICK = (Series("damBreak", "1", ("2", "4")),)


def measure(context: Context) -> list[Measurement]:
    found: dict[tuple[str, str], list[Measurement]] = {}
    every = FULL if context.full or context.only else QUICK
    for one in (part for series in every for part in series.parts(context.only)):
        folder = record(context, "series.py", one.case, "--times", one.times, "--ranks", *one.ranks,
                        "--layers", *one.layers)
        if folder is None:
            return []
        found[one.case, one.times] = list(compared(one.case, read(folder / one.case, one.times)))
    return [m for measurements in found.values() for m in measurements]


def record(context: Context, script: str, *arguments: str) -> Path | None:
    """Runs a program of openfoam/tests; the folder of its figures, or nothing where OpenFOAM or the libraries
    are missing."""
    folder = context.out / "runs" / "openfoam"
    try:
        libraries = runs.libraries()
        for name in ("interFoam", "interPhaseChangeFoam", "icoFoam"):
            if shutil.which(name) is None:
                raise IsthmusError(f"there is no {name} on PATH; type openfoam/setup.sh")
    except IsthmusError as error:
        print_warning(f"no series of OpenFOAM: {error}")
        return None
    console.print(f"recording OpenFOAM: {script} {' '.join(arguments)}", style="dim")
    command = [sys.executable, "-B", str(SCRIPTS / script), str(libraries), str(folder), *arguments]
    programs.output(script, command, LIMIT)
    return folder


def read(folder: Path, times: str) -> list[Point]:
    figures = json.loads((folder / "figures.json").read_text(encoding="utf-8"))
    found = []
    for name, row in figures.items():
        match = SERIES.fullmatch(name)
        if match and match["times"] == times:
            found.append(Point(int(match["ranks"]), WAYS[f"{match['layer']}, {match['solver']}"], row))
    return sorted(found, key=lambda point: (point.ranks, list(WAYS.values()).index(point.way)))


def compared(case: str, points: list[Point]) -> Iterator[Measurement]:
    """Each point beside the original on as many ranks; then the least times and where they are."""
    originals = {point.ranks: point for point in points if point.way == ORIGINAL}
    for point in points:
        beside = None if point.way == ORIGINAL else originals.get(point.ranks)
        name = point.where(case)
        for quantity, what in ((TIME, "whole"), (CALLS, "alone")):
            yield Measurement(name, quantity, "s", 1e-6 * point.figures[what],
                              1e-6 * beside.figures[what] if beside else None, SAME_CALLS, kind="simulated",
                              tolerance=0.03, why=WHY)
        yield Measurement(name, "iterations of a solution", "", point.figures["iterations"], kind="counted")
    if len(originals) >= 4:  # fewer do not say where the least is
        yield from least(case, points)


def least(case: str, points: list[Point]) -> Iterator[Measurement]:
    """Of ways that are known on as many ranks as the original."""
    of_way: dict[str, list[Point]] = {}
    for point in points:
        of_way.setdefault(point.way, []).append(point)
    best = {way: min(found, key=lambda p: p.figures["whole"]) for way, found in of_way.items()
            if len(found) == len(of_way[ORIGINAL])}
    original = best.pop(ORIGINAL)
    for point in best.values():
        name = point.where(case).replace(f" {point.ranks} simulated ranks,", "")
        for quantity, ours, target in (
                ("original's least simulated time over ours",
                 original.figures["whole"] / point.figures["whole"], LAYERED_BEST),
                ("ranks of the least simulated time over the original's", point.ranks / original.ranks,
                 LAYERED_KNEE)):
            yield Measurement(name, quantity, "", ours, target, LAYERED, more_is_better=True,
                              kind="simulated", why=WHY)
