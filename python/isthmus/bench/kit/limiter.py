# SPDX-License-Identifier: BSD-3-Clause
"""An explicit limiter in four versions on the same work: messages, bytes, simulated time, bounds.

With a size before each message, with sizes that are remembered (Lin et al.), with sizes that follow from a
plan, all with five iterations from one downwards; and ours, whose limits grow from zero and whose faces that
are done send nothing."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass

from isthmus import programs
from isthmus.bench import simulated
from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement, of_kind
from isthmus.bench.reference import TARGET
from isthmus.console import console

LIMIT = 300  # seconds of one run
VISIT_NS = 2.5  # of a face, on one core of this machine, where everything is in the caches

WORDS = {"announced": "a size before each message", "remembered": "sizes remembered, Lin et al.",
         "planned": "sizes planned, five iterations", "ours": "ours"}
SAME_RUN = "{}, the best of the others, the same work in one run"
STARTS = (1, 2, 3, 5, 8)  # iterations from one downwards


@dataclass(frozen=True)
class Limited:
    """One version on one number of ranks: figures of a step."""

    ranks: int
    version: str
    figures: dict[str, float]

    def __getitem__(self, name: str) -> float:
        return self.figures[name]

    @property
    def all_messages(self) -> float:
        return self["messages"] + self["size_messages"]


def measure(context: Context) -> list[Measurement]:
    """On growing simulated clusters, on two ranks here, how bounded the iterations are; the water at the end
    goes to <out>/runs/water.csv."""
    cells, steps = (1428, 20) if context.full else (480, 3)  # 2.04 million cells in Lin et al.
    found: list[Measurement] = []
    for ranks in (16, 64, 192, 768) if context.full else (16, 64, 192):
        found += of_kind("simulated", compared(_simulate(ranks, cells, steps)))
    here = {row.version: row for row in _here(2, 120, 40, "-")}
    best = min((version for version in here if version != "ours"),
               key=lambda version: here[version]["least_step_us"])
    times = [1e-6 * here[version]["least_step_us"] for version in ("ours", best)]
    found.append(Measurement("2 ranks, 14,400 cells", "limited step on this machine", "s", *times,
                             SAME_RUN.format(WORDS[best])))
    plane = context.out / "runs" / "water.csv"
    plane.parent.mkdir(parents=True, exist_ok=True)
    versions = [f"one{k}" for k in STARTS] + [f"zero{k}" for k in STARTS] + ["ours"]
    found += bounded({row.version: row for row in _here(1, 100, 150, str(plane.resolve()), *versions)})
    return found


def compared(by_version: dict[str, Limited]) -> Iterator[Measurement]:
    """Exact counts and simulated times of a step."""
    if "ours" not in by_version:
        return
    ours = by_version["ours"]
    others = {version: row for version, row in by_version.items() if version != "ours"}
    where = f"{ours.ranks:,} simulated ranks"
    for quantity, unit, figure in (
            ("messages of a limited step, all ranks", "", lambda row: row.all_messages),
            ("bytes of a limited step, all ranks", "B", lambda row: row["bytes"]),
            ("simulated time of a limited step", "s", lambda row: 1e-6 * row["step_us"])):
        best = min(others, key=lambda version, figure=figure: figure(others[version]))
        for version, row in by_version.items():
            yield Measurement(f"{where}, {WORDS[version]}", quantity, unit, figure(row),
                              figure(others[best]) if version == "ours" else None,
                              SAME_RUN.format(WORDS[best]))
    yield Measurement(where, "size messages", "", ours["size_messages"], 0, TARGET)
    five = by_version["planned"]
    yield Measurement(where, "messages beside five iterations without sizes", "",
                      ours["messages"] / five["messages"], 0.6, TARGET)
    yield Measurement(where, "iterations of the busiest rank beside five", "",
                      ours["iterations"] / five["iterations"], 0.6, TARGET)
    yield Measurement(where, "share of the work done while messages travel", "", ours["hidden"], 0.8, TARGET,
                      more_is_better=True, why="blocks this small have few cells inside")


def bounded(by_version: dict[str, Limited]) -> Iterator[Measurement]:
    """How far fractions leave [0, 1], and how sharp the surface is."""
    case = "100 x 100 cells, 150 steps"
    for version, row in by_version.items():
        if version == "ours":
            yield Measurement(f"{case}, ours, {row['iterations']:.2f} iterations", "overshoot", "",
                              row["overshoot"], 1e-12, TARGET)
            yield Measurement(f"{case}, ours", "mixed cells", "", row["mixed"], by_version["one8"]["mixed"],
                              "eight iterations from one", tolerance=0.01)
            yield Measurement(f"{case}, ours", "mass lost", "", abs(row["mass_change"]), 1e-12, TARGET)
        else:
            yield Measurement(f"{case}, from {version[:-1]}, {version[-1]} iterations", "overshoot", "",
                              row["overshoot"])


def _simulate(ranks: int, cells: int, steps: int) -> dict[str, Limited]:
    arguments = [str(cells), str(steps), str(VISIT_NS), "-"]
    return {row.version: row
            for row in map(_limited, simulated.rows("bench_mules", ranks, arguments, LIMIT))}


def _here(ranks: int, cells: int, steps: int, plane: str, *versions: str) -> list[Limited]:
    console.print(f"running bench_mules on {ranks} rank{'s'[:ranks > 1]}", style="dim")
    command = [*programs.mpi_launcher(), "-n", str(ranks), str(programs.find("bench_mules")), str(cells),
               str(steps), "0", plane, *versions]
    text = programs.output("bench_mules", command, LIMIT,
                           programs.mpi_environment() | {"OMPI_MCA_mpi_yield_when_idle": "1"})
    return [_limited(row) for row in csv.DictReader(text.splitlines())]


def _limited(row: dict[str, str]) -> Limited:
    return Limited(int(row["ranks"]), row["version"],
                   {name: float(value) for name, value in row.items() if name != "version"})
