# SPDX-License-Identifier: BSD-3-Clause
"""Cases of the solver of flow with heat: their text, and what a run of one came to."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from isthmus.bench.measurement import Measurement
from isthmus.console import console, print_warning
from isthmus.solvers import convection
from isthmus.solvers.series import Moment, last_moment

Tables = dict[str, dict[str, object]]
SLAB = {"y-min": {"kind": "slip-y"}, "y-max": {"kind": "slip-y"}}


@dataclass
class Outcome:
    """A run, and its time in seconds."""

    solved: convection.Solved
    seconds: float

    def column(self, name: str) -> np.ndarray:
        """Of the lines of the run."""
        return np.array([line[name] for line in self.solved.history])

    def end(self) -> Moment:
        assert self.solved.output is not None
        return last_moment(self.solved.output)


def text_of(tables: Tables, boundaries: dict[str, dict]) -> str:
    """A case file."""
    lines = []
    for table, words in tables.items():
        lines += [f"[{table}]", *(f"{name} = {json.dumps(value)}" for name, value in words.items())]
    for group, words in boundaries.items():
        lines += ["[[boundary]]", *(f"{name} = {json.dumps(value)}"
                                    for name, value in ({"group": group} | words).items())]
    return "\n".join(lines) + "\n"


def write_case(folder: Path, name: str, tables: Tables, boundaries: dict[str, dict]) -> Path:
    """The case file of this name."""
    folder.mkdir(parents=True, exist_ok=True)
    case = folder / f"{name}.toml"
    case.write_text(text_of(tables, boundaries))
    return case


@dataclass(frozen=True)
class Start:
    """On how many ranks a run begins, by which launcher of MPI (the usual one), and from which restart."""

    ranks: int = 1
    launcher: tuple[str, ...] = ()
    restart: Path | None = None


def solve(folder: Path, name: str, tables: Tables, boundaries: dict[str, dict], start: Start = Start()
          ) -> Outcome:
    """Runs a case; its files go to a folder of its name."""
    console.print(f"solving {name}", style="dim")
    tables = tables | {"output": {"folder": name} | tables.get("output", {})}
    case = write_case(folder, name, tables, boundaries)
    began = time.perf_counter()
    solved = convection.solve(case, tables, start.ranks, lambda _: None, start.restart, list(start.launcher))
    return Outcome(solved, time.perf_counter() - began)


def chosen(only: str, parts: dict[str, Iterable[Measurement]]) -> list[Measurement]:
    """Rows of the parts, by the words that their cases begin with; of those alone that a text names, if there
    is one: others are not measured."""
    wanted = (part for words, part in parts.items() if not only or words in only or only in words)
    return list(chain.from_iterable(wanted))


def along(moment: Moment, axis: int, fixed: dict[int, float], name: str) -> tuple[np.ndarray, np.ndarray]:
    """Values at the nodes of a line along an axis, in their order."""
    there = np.all([np.abs(moment.points[:, d] - at) < 1e-9 for d, at in fixed.items()], axis=0)
    places, first = np.unique(np.round(moment.points[there, axis], 12), return_index=True)
    return places, moment.data[name][there][first]


def gmsh_file(path: Path, size: float) -> Path | None:
    """The box 4:1:1 as Gmsh meshes it with edges of a size, sides named as those of other boxes; None without
    Gmsh."""
    try:
        import gmsh
    except (ImportError, OSError) as error:  # it loads libraries of the system
        print_warning(f"no order of Gmsh: {error}; `pip install gmsh` brings it")
        return None
    path.parent.mkdir(parents=True, exist_ok=True)
    gmsh.initialize()
    try:
        gmsh.option.setNumber("General.Terminal", 0)
        volume = gmsh.model.occ.addBox(0, 0, 0, 4, 1, 1)
        gmsh.model.occ.synchronize()
        for _, side in gmsh.model.getEntities(2):
            lower, upper = np.reshape(gmsh.model.getBoundingBox(2, side), (2, 3))
            axis = int(np.argmin(upper - lower))
            name = f"{'xyz'[axis]}-{'min' if lower[axis] < 0.5 else 'max'}"
            gmsh.model.addPhysicalGroup(2, [side], name=name)
        gmsh.model.addPhysicalGroup(3, [volume])
        gmsh.option.setNumber("Mesh.MeshSizeMin", size)
        gmsh.option.setNumber("Mesh.MeshSizeMax", size)
        gmsh.model.mesh.generate(3)
        gmsh.write(str(path))
    finally:
        gmsh.finalize()
    return path
