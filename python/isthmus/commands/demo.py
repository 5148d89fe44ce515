# SPDX-License-Identifier: BSD-3-Clause
"""The main example, in two parts, with pictures of each. blade: two meshes of a wind-turbine blade that do
not match, a scalar and a vector field through nearest projection; errors and counts. heat: two plates with a
known solution, strongly coupled in parallel, once with each acceleration; residuals while it runs. A part
that runs only when it is named, for it takes longer: gate, rubber that water opens, beside an experiment."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from isthmus import heat
from isthmus.commands.replay import ranks_pair, show
from isthmus.console import console, status, table
from isthmus.demo import demo
from isthmus.errors import OK
from isthmus.mesh import LEVELS
from isthmus.replay.settings import MAPPINGS
from isthmus.solvers import elastic_gate

PARTS = ("blade", "heat", "gate")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("only", nargs="?", choices=PARTS, metavar="PART",
                        help="run this part only: %(choices)s")
    parser.add_argument("--part", choices=PARTS, help="the same")
    parser.add_argument("--ranks", type=ranks_pair, default=(2, 3), metavar="B,A",
                        help="ranks of B and A, and of the left and the right plate (default 2,3)")
    parser.add_argument("--vertices", type=int, default=LEVELS["M1"], metavar="N",
                        help="vertices of the blade of B; that of A has 0.8 of them "
                             f"(default {LEVELS['M1']:,})")
    parser.add_argument("--windows", type=int, default=5, metavar="N",
                        help="time windows of the blade (default 5)")
    parser.add_argument("--mapping", choices=MAPPINGS, default="nearest-projection",
                        help="mapping of the blade (default nearest-projection)")
    parser.add_argument("--cells", type=int, default=36, metavar="N",
                        help="cells along a side of the left plate; the right one has 4/3 of them "
                             "(default 36)")
    parser.add_argument("--seconds", type=float, default=0.3, metavar="S",
                        help="simulated time of the gate; 0.01 take a minute (default 0.3)")
    parser.add_argument("--out", type=Path, default=Path("out/demo"), metavar="DIR",
                        help="folder of the pictures and logs (default out/demo)")


def execute(options: argparse.Namespace) -> int:
    began = time.perf_counter()
    pictures = []
    part = options.only or options.part
    if part == "gate":
        elastic_gate.run(options.out / "gate", options.seconds)
        pictures.append(options.out / "gate" / "out" / "gate.png")
    if part in (None, "blade"):
        done = demo(options.out, options.vertices, *options.ranks, options.windows, options.mapping)
        show(done.result)
        pictures += done.pictures
    if part in (None, "heat"):
        pictures += _heat(options)
    for picture in pictures:
        console.print(f"picture: {picture}", soft_wrap=True)
    console.print(f"total: {time.perf_counter() - began:.1f} s")
    return OK


def _heat(options: argparse.Namespace) -> list[Path]:
    """Runs the second part and prints its table; the pictures."""
    cells = (options.cells, options.cells * 4 // 3)
    runs = heat.couple_all(options.out / "heat", options.ranks, cells)
    results = table("heat in two plates: iterations, largest error against the solution", "acceleration",
                    "all", "first window", "last", *heat.NAMES, "time", numbers=6)
    for run in runs:
        results.add_row(run.acceleration, f"{run.iterations.sum():.0f}", f"{run.iterations[0]:.0f}",
                        f"{run.iterations[-1]:.0f}", *(f"{run.error(name):.1e}" for name in heat.NAMES),
                        f"{run.seconds:.1f} s")
    console.print(results)
    where = f"Dirichlet on {options.ranks[0]} ranks, Neumann on {options.ranks[1]}; "
    where += f"{cells[0]} and {cells[1]} cells along a side"
    with status("drawing"):
        from isthmus import plot  # takes a while, and only this needs it

        return plot.heat_pictures(options.out / "heat", runs, where)
