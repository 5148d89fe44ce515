# SPDX-License-Identifier: BSD-3-Clause
"""Solves a case: compressible flow on block-structured grids, flow with heat on tetrahedra, or moving
particles, as the tables of its TOML file say (docs/solvers). Shows how it goes while it runs, then a table
and a picture."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

from rich.live import Live
from rich.table import Table
from rich.text import Text

from isthmus.console import console, table
from isthmus.errors import OK, IsthmusError
from isthmus.run.case import read_toml
from isthmus.solvers import convection, flow, particles
from isthmus.solvers.program import Line

MOST_ROWS = 24  # of a table of loads
SOLVERS = {"flow": "flow", "fluid": "convection", "particles": "particles"}  # by table of the case file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("case", type=Path, metavar="CASE", help="file of the case, TOML")
    parser.add_argument("--ranks", type=int, default=1, metavar="N", help="number of ranks (default 1)")
    parser.add_argument(
        "--restart",
        type=Path,
        metavar="FILE",
        help="go on from flow.blocks, convection.restart or particles.restart, also of other ranks",
    )
    parser.add_argument("--no-picture", action="store_true", help="draw no picture at the end")


def execute(options: argparse.Namespace) -> int:
    tables = read_toml(options.case)
    solver = next((name for key, name in SOLVERS.items() if key in tables), None)
    if solver is None:
        raise IsthmusError(
            f"{options.case}: no solver has such a case: [flow] is for flow on blocks, [fluid] for flow with "
            "heat on tetrahedra, [particles] for moving particles"
        )
    began = time.perf_counter()
    end = globals()[f"_solve_{solver}"](options, tables)
    console.print(f"{end}, {time.perf_counter() - began:.1f} s", soft_wrap=True)
    return OK


class _Shown:
    """Lines of a run: the latest in a terminal, all of them elsewhere. `reached` says which part of the run a
    line is at the end of; then the time that is left is shown, too."""

    def __init__(self, words: Callable[[Line], str], reached: Callable[[Line], float] | None = None) -> None:
        self.words, self.reached, self.began = words, reached, time.perf_counter()
        self.first: tuple[float, float] | None = None  # part and time of the first line
        self.live = Live(console=console, transient=True, auto_refresh=False)

    def __enter__(self) -> Callable[[Line], None]:
        self.live.__enter__()
        return self.show

    def __exit__(self, *reason: object) -> None:
        self.live.__exit__(*reason)

    def show(self, line: Line) -> None:
        text = Text(f"{self.words(line)}  {time.perf_counter() - self.began:.0f} s{self.left(line)}")
        if console.is_terminal:
            self.live.update(text, refresh=True)
        else:
            console.print(text)

    def left(self, line: Line) -> str:
        if self.reached is None:
            return ""
        part, now = self.reached(line), time.perf_counter()
        if self.first is None:
            self.first = part, now
        since, began = self.first
        return f", {(now - began) * max(0, 1 - part) / (part - since):.0f} s left" if part > since else ""


def _say_picture(path: Path) -> None:
    console.print(f"picture: {path}", soft_wrap=True)


def _solve_flow(options: argparse.Namespace, _: dict) -> str:
    def words(line: Line) -> str:
        return (
            f"step {line['step']:.0f}  iteration {line['iteration']:.0f}  residual {line['density']:.2e}"
            f"  lift {line['lift']:+.5f}  drag {line['drag']:+.5f}"
        )

    with _Shown(words) as show:
        solved = flow.solve(options.case, options.ranks, options.restart, show)
    name = options.case.stem
    results = table(f"{name}: loads on all walls", "time", "incidence", "lift", "drag", "moment", numbers=5)
    for row in solved.loads[-MOST_ROWS:]:
        results.add_row(
            f"{row['time']:.4f}",
            f"{row['incidence']:.3f}",
            *(f"{row[key]:.5f}" for key in ("lift", "drag", "moment")),
        )
    console.print(results)
    if not options.no_picture:
        from isthmus.plot.flow import flow_picture  # takes a while, and only this needs it

        _say_picture(
            flow_picture(solved.output / "flow.png", name, solved, flow.read_fields(solved.output))
        )
    how = "converged" if solved.is_converged else "ended"
    return f"{how} after {solved.iterations:,} iterations, files are in {solved.output}"


def _solve_convection(options: argparse.Namespace, tables: dict) -> str:
    boundaries = tables.get("boundary", ())
    groups = [boundary.get("group", "") for boundary in boundaries if "temperature" in boundary]

    def words(line: Line) -> str:
        heat = "  ".join(f"{group} {line[f'heat_{group}']:+.4f}" for group in groups)
        return (
            f"step {line['step']:.0f}  time {line['time']:.4g}  residual {line['residual']:.2e}"
            f"  change {max(line['flow_change'], line['heat_change']):.2e}  heat: {heat}"
        )

    with _Shown(words) as show:
        solved = convection.solve(options.case, tables, options.ranks, show, options.restart)
    for remark in solved.remarks:
        console.print(remark)
    if options.ranks > 1:
        least, most = (f"{100 * share:.1f}" for share in solved.shares)
        console.print(f"{solved.sums:,} sums over interfaces took {least} to {most} % of the time of a rank")
    results = table(f"{options.case.stem}: heat at the end", "group", "enters", numbers=1)
    for group, heat in solved.heat().items():
        results.add_row(group, f"{heat:.5f}")
    console.print(results)
    if solved.output and not options.no_picture:
        from isthmus.plot.convection import convection_picture

        _say_picture(convection_picture(solved.output / "convection.png", options.case.stem, solved, groups))
    return f"{'steady' if solved.is_steady else 'ended'} after {solved.steps:,} steps{_files(solved.output)}"


def _solve_particles(options: argparse.Namespace, tables: dict) -> str:
    def words(line: Line) -> str:
        return (
            f"step {line['step']:.0f}  time {line['time']:.4f}  particles {line['fluid']:.0f}"
            f"  speed {line['speed']:.3f}  front {line['front']:.4f}  imbalance {line['imbalance']:.2f}"
        )

    times = tables.get("time", {})
    reached = None if "steps" in times else lambda line: line["time"] / times.get("end", 1)
    with _Shown(words, reached) as show:
        solved = particles.solve(options.case, tables, options.ranks, show, options.restart)
    if solved.history:
        console.print(_table_of_particles(options.case.stem, solved.history, options.ranks))
    if solved.output and not options.no_picture:
        from isthmus.plot.particles import particles_picture

        picture = solved.output / "particles.png"
        _say_picture(particles_picture(picture, options.case.stem, solved, tables["tank"]))
    return (
        f"ended after {solved.steps:,} steps with {solved.particles:,} particles of fluid, {solved.left:,} "
        f"left the tank{_files(solved.output)}"
    )


def _table_of_particles(name: str, history: list[Line], ranks: int) -> Table:
    """What the columns of the lines were at the end, at least and at most."""
    units = {"length": "step in s", "speed": "speed in m/s", "front": "front in m", "energy": "energy in J"}
    if ranks > 1:
        units |= {"imbalance": "imbalance of busy time", "pairs": "imbalance of pairs"}
    gauges = [column for column in history[-1] if column.startswith("gauge")]
    units |= {column: f"{column} in Pa" for column in gauges}
    results = table(f"{name}: the run", "", "at the end", "smallest", "largest", numbers=3)
    for column, words in units.items():
        values = [line[column] for line in history]
        results.add_row(words, *(f"{value:.4g}" for value in (values[-1], min(values), max(values))))
    return results


def _files(output: Path | None) -> str:
    return f", files are in {output}" if output else ""
