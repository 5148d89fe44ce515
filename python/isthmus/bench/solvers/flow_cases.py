# SPDX-License-Identifier: BSD-3-Clause
"""Cases of the flow solver: their text, their grids, and what a run of one came to."""

from __future__ import annotations

import json
import resource
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from isthmus.bench.measurement import Measurement, Median
from isthmus.console import console
from isthmus.solvers import flow

Tables = dict[str, dict[str, object]]
RING = {"wall": ("no-slip", ["*:j-min"]), "far": ("far-field", ["*:j-max"])}


@dataclass
class Outcome:
    """A run, and the processor time of all its ranks in seconds."""

    solved: flow.Solved
    seconds: float

    def column(self, name: str) -> np.ndarray:
        """Of loads.csv."""
        return np.array([row[name] for row in self.solved.loads])


class Known(NamedTuple):
    """What a figure is compared with, from which it may differ either way."""

    value: float
    source: str
    within: float  # of the value
    why: str = ""  # it differs


def compared(case: str, quantity: str, ours: float, known: Known) -> Measurement:
    return Measurement(case, quantity, "", ours, known.value, known.source, tolerance=known.within,
                       more_is_better=ours < known.value, why=known.why)


def once(found: list[Measurement]) -> list[Measurement]:
    """The same figures, said to be of one run each where they are not medians."""
    return [m if isinstance(m.ours, Median) else replace(m, ours=Median.of([m.ours])) for m in found]


def is_asked(only: str, *heads: str) -> bool:
    """Whether a part whose cases begin with one of these texts may have rows of --only."""
    return any(only.startswith(head) or head.startswith(only) for head in heads)


def text_of(tables: Tables, boundaries: dict[str, tuple[str, list[str]]]) -> str:
    """A case file."""
    lines = []
    for table, words in tables.items():
        lines += [f"[{table}]", *(f"{name} = {json.dumps(value)}" for name, value in words.items())]
    for name, (kind, sides) in boundaries.items():
        lines += ["[[boundary]]", f'name = "{name}"', f'kind = "{kind}"', f"sides = {json.dumps(sides)}"]
    return "\n".join(lines) + "\n"


def solve(folder: Path, name: str, tables: Tables, restart: Outcome | None = None,
          boundaries: dict[str, tuple[str, list[str]]] | None = None, ranks: int = 1) -> Outcome:
    """Runs a case in a folder of its name."""
    console.print(f"solving {name}", style="dim")
    (folder / name).mkdir(parents=True, exist_ok=True)
    tables = tables | {"run": {"report": 1000} | tables.get("run", {}) | {"output": str(folder / name)}}
    case = folder / f"{name}.toml"
    case.write_text(text_of(tables, boundaries or RING))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    begin = restart.solved.output / "flow.blocks" if restart else None
    solved = flow.solve(case, ranks, begin, lambda _: None)
    return Outcome(solved, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)


def write_plot3d(path: Path, blocks: list[tuple[np.ndarray, np.ndarray]]) -> None:
    """Flat blocks: x and y of their nodes, i along the first axis."""
    with open(path, "wb") as file:
        sizes = [size for x, _ in blocks for size in (*x.shape, 1)]
        np.array([len(blocks), *sizes], dtype=np.int32).tofile(file)
        for x, y in blocks:
            for values in (x, y, np.zeros_like(x)):
                np.ascontiguousarray(values.T).tofile(file)


def centers(points: np.ndarray) -> np.ndarray:
    """Of the cells of a flat block, (i, j, 2)."""
    p = points[:, :, 0, :2]
    return 0.25 * (p[1:, 1:] + p[:-1, 1:] + p[1:, :-1] + p[:-1, :-1])


def grown(first: float, last: float, cells: int) -> np.ndarray:
    """Places of nodes from 0 to `last`, of which the first cell has the size `first`: geometric."""
    low, high = 1 + 1e-9, 10.0
    for _ in range(200):
        ratio = 0.5 * (low + high)
        low, high = (ratio, high) if first * (ratio**cells - 1) / (ratio - 1) < last else (low, ratio)
    places = (low ** np.arange(cells + 1) - 1) / (low - 1) * first
    return places * last / places[-1]


def period(time: np.ndarray, lift: np.ndarray, cycles: int) -> tuple[float, np.ndarray]:
    """The mean period of the last cycles between upward crossings of the mean, and which rows they are."""
    swing = lift - lift[len(lift) // 2:].mean()
    up = np.flatnonzero((swing[:-1] < 0) & (swing[1:] >= 0))
    crossings = time[up] - swing[up] * (time[up + 1] - time[up]) / (swing[up + 1] - swing[up])
    last = crossings[-cycles - 1:]
    return float(np.diff(last).mean()), (time >= last[0]) & (time < last[-1])
