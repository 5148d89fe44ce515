# SPDX-License-Identifier: BSD-3-Clause
"""Strong and weak series of a case on a simulated cluster, the packaged OpenFOAM beside ours in one table:
series.py LIBRARIES FOLDER CASE --ranks 2 4 16 64 [--times 2] [--weak 567] [--repeats 5] [--layers 0 4]
          [--record | --prices]

CASE: cavity or damBreak. A strong series has the tutorial's cells, divided along each edge `--times`; a weak
one so many cells for each rank. Every layer, or the original and those of these numbers (from 0), runs on so
many processes, and records what each asks of MPI. The work between these calls gets prices, measured in the
same command on ranks that never wait (prices.py): of a step without its solutions by gradients the same for
all layers, of an iteration each solver's own, and deflatedPCG pays for its small system. Then the calls
are replayed, without the work and with it. The same FOLDER goes on where a command was ended: figures.json of
its case has what is known, of the two replays of a run each by itself. With --record the runs are recorded
and nothing else is done: that may be beside other work, as may the replays. With --prices only the prices are
measured, for which nothing else should run. Needs tools/build.sh smpi 2 bench_calls. One line of the table
for each number of ranks: milliseconds of a step without the work; with it; iterations of a solution."""

from __future__ import annotations

import argparse
import itertools
import shutil
import time
from pathlib import Path

import command_line
import known
import prices
import record
import tutorials

from isthmus.openfoam import case as cases
from isthmus.openfoam import runs

STEPS = 5  # of which three are replayed
NODE = 24  # ranks of a node, at most
LAYERS = (("original", "PCG"), ("supporting", "PCG"), ("both", "predictedPCG"),
          ("both+limiter+schemes", "predictedPCG"), ("both+limiter+schemes", "deflatedPCG"))


class Series:
    """Figures by name; those of one case are the same in strong and weak series."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.libraries = options.libraries.resolve()
        self.folder = options.folder / options.case
        self.folder.mkdir(parents=True, exist_ok=True)
        self.find = known.Known(self.folder / "figures.json").find

    def times(self, ranks: int) -> float:
        weak = self.options.weak
        return (weak * ranks / record.CELLS[self.options.case]) ** 0.5 if weak else self.options.times

    def cells(self, ranks: int) -> int:
        """Of a rank, as its recordings find them."""
        return round(record.CELLS[self.options.case] * self.times(ranks) ** 2 / ranks)

    def case(self, ranks: int) -> tuple[cases.Case, float]:
        """Decomposed; and its time step, which is that of the tutorial divided as its cells are."""
        times = self.times(ranks)
        folder = self.folder / f"{times:g}-{ranks}"
        if not folder.is_dir():
            unfinished = folder.with_name(f"{folder.name}.part")
            shutil.rmtree(unfinished, ignore_errors=True)
            record.decompose(record.refined(self.options.case, unfinished, times)[0], ranks)
            unfinished.rename(folder)
        return cases.Case(folder), record.STEPS[self.options.case] / times

    def recording(self, ranks: int, layer: str, solver: str) -> record.Recording:
        folder = self.folder / f"{self.times(ranks):g}-{ranks}-{layer}-{solver}"
        if found := record.Recording.saved(folder.resolve() / "recorded"):
            return found
        case, step = self.case(ranks)
        copy = runs.copy_of(case, folder, STEPS * step)
        return record.record(copy, runs.Layer.of(layer), solver, self.libraries)

    def price(self, cells: int, solver: str) -> prices.Price:
        solvers = list(dict.fromkeys(solver for _, solver in LAYERS))

        def measure() -> dict[str, dict[str, float]]:
            folder = self.folder / f"prices-{cells}"
            shutil.rmtree(folder, ignore_errors=True)  # of a command that was ended
            found = prices.measure(self.options.case, cells, solvers, self.options.repeats, self.libraries,
                                   folder)
            return {solver: vars(price) for solver, price in found.items()}

        return prices.Price(**self.find(f"prices {cells}", measure)[solver])

    def price_of_step(self, cells: int) -> float:
        """Without its solutions it is the same for all solvers, so the least noise counts."""
        return min(self.price(cells, solver).step for solver in dict.fromkeys(one for _, one in LAYERS))

    def price_of_small_system(self, ranks: int, solver: str) -> tuple[float, float]:
        """For a solution and for an iteration."""
        if solver != "deflatedPCG":
            return 0.0, 0.0
        return tuple(self.find(f"small system {ranks}", lambda: prices.small_system(ranks, self.libraries)))

    def find_prices(self, ranks: int) -> None:
        """Those that the layers of so many ranks need."""
        self.price_of_step(self.cells(ranks))
        for _, solver in self.layers:
            self.price_of_small_system(ranks, solver)

    def priced(self, found: record.Recording, ranks: int, solver: str) -> Path:
        """Its calls, with work between them that costs what it is worth."""
        cells = round(found.mean_cells())
        step, iteration = self.price_of_step(cells), self.price(cells, solver).iteration
        once, again = self.price_of_small_system(ranks, solver)

        def price(part: str) -> float:
            if not part.startswith("solution"):
                return step
            return once + (found.iterations[int(part.split()[1])] + 1) * (again + iteration)

        return found.write_priced(price)

    def calls_alone(self, ranks: int, layer: str, solver: str) -> float:
        """Microseconds of a step without the work."""
        prefix = self.recording(ranks, layer, solver).prefix
        return float(record.replay(prefix, ranks, min(NODE, ranks), 0)["microseconds"])

    def measure(self, ranks: int, layer: str, solver: str) -> dict[str, float]:
        alone = self.find(f"{self.name(ranks, layer, solver)}, calls alone",
                          lambda: self.calls_alone(ranks, layer, solver))
        found = self.recording(ranks, layer, solver)
        whole = record.replay(self.priced(found, ranks, solver), ranks, min(NODE, ranks), 1)
        return {"alone": alone, "whole": float(whole["microseconds"]), "work": float(whole["work"]),
                "cells": found.mean_cells(), "iterations": sum(found.iterations) / len(found.iterations)}

    def name(self, ranks: int, layer: str, solver: str) -> str:
        """Of its figures."""
        return f"{self.times(ranks):g} times, {ranks} ranks, {layer}, {solver}"

    @property
    def layers(self) -> list[tuple[str, str]]:
        """The original first."""
        return [LAYERS[i] for i in sorted({0, *self.options.layers})]

    def row(self, ranks: int) -> list[dict[str, float]]:
        return [self.find(self.name(ranks, layer, solver),
                          lambda layer=layer, solver=solver: self.measure(ranks, layer, solver))
                for layer, solver in self.layers]


def show(layers: list[tuple[str, str]], rows: dict[int, list[dict[str, float]]]) -> None:
    """As a table of Markdown, and the best of the original over the best of each layer."""
    print("| ranks, cells of each | " + " | ".join(f"{layer}, {solver}" for layer, solver in layers) + " |")
    print("|---" * (len(layers) + 1) + "|")
    for ranks, row in rows.items():
        print(f"| {ranks}, {row[0]['cells']:.0f} | " + " | ".join(
            f"{one['alone'] / 1e3:.2f}; {one['whole'] / 1e3:.2f}; {one['iterations']:.0f}" for one in row)
            + " |")
    best = [min((row[i]["whole"], ranks) for ranks, row in rows.items()) for i in range(len(layers))]
    for (layer, solver), (least, ranks) in zip(layers, best, strict=True):
        print(f"{layer}, {solver}: least on {ranks} ranks, {least / 1e3:.2f} ms, "
              f"{best[0][0] / least:.2f} times less than the original's least")


def main() -> None:
    parser = command_line.parser_of(__doc__)
    parser.add_argument("case", choices=record.CELLS)
    parser.add_argument("--ranks", type=int, nargs="+", default=[2, 4, 16, 64])
    parser.add_argument("--times", type=float, default=2)
    parser.add_argument("--weak", type=int, default=0)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--layers", type=int, nargs="+", default=list(range(len(LAYERS))),
                        choices=range(len(LAYERS)))
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--prices", action="store_true")
    tutorials.skip_without("icoFoam", "interFoam", "blockMesh", "decomposePar")
    series = Series(parser.parse_args())
    if series.options.record:
        for ranks, (layer, solver) in itertools.product(series.options.ranks, series.layers):
            begin = time.monotonic()
            series.recording(ranks, layer, solver)
            print(f"{ranks} ranks, {layer}, {solver}: {time.monotonic() - begin:.0f} s", flush=True)
        return
    if series.options.prices:
        for ranks in series.options.ranks:
            series.find_prices(ranks)
        return
    rows: dict[int, list[dict[str, float]]] = {}
    for ranks in series.options.ranks:
        rows[ranks] = series.row(ranks)
        show(series.layers, rows)


if __name__ == "__main__":
    main()
