# SPDX-License-Identifier: BSD-3-Clause
"""The flow solver: starts it, follows its lines, reads its files (docs/solvers/flow.md: what is in them)."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from isthmus import programs
from isthmus.errors import IsthmusError
from isthmus.solvers.program import Line, follow, restart_arguments

PROGRAM = "isthmus-flow"


@dataclass
class Solved:
    """What a run came to."""

    is_converged: bool
    iterations: int
    output: Path
    history: list[Line]
    loads: list[Line]


@dataclass
class Field:
    """One block: corners of cells (i, j, k, 3), conserved values of cells (snapshot, variable, i, j, k)."""

    points: np.ndarray
    values: np.ndarray

    def pressure(self, gamma: float = 1.4, snapshot: int = 0) -> np.ndarray:
        density, x, y, z, energy = self.values[snapshot, :5]
        return (gamma - 1) * (energy - 0.5 * (x**2 + y**2 + z**2) / density)

    def mach(self, gamma: float = 1.4, snapshot: int = 0) -> np.ndarray:
        density, x, y, z, _ = self.values[snapshot, :5]
        return np.sqrt((x**2 + y**2 + z**2) / (density * gamma * self.pressure(gamma, snapshot)))

    def centers(self) -> np.ndarray:
        """Of the cells of the layer k-min (i, j, 2): x, y."""
        corners = self.points[:, :, 0, :2]
        return 0.25 * (corners[1:, 1:] + corners[1:, :-1] + corners[:-1, 1:] + corners[:-1, :-1])

    def vorticity(self, snapshot: int = 0) -> np.ndarray:
        """About the z axis, of the layer k-min, with the speed of sound of the free stream."""
        density, mass_x, mass_y = self.values[snapshot, :3, :, :, 0]
        along_i, along_j = (
            [
                np.gradient(values, axis=axis)
                for values in (*np.moveaxis(self.centers(), -1, 0), mass_x / density, mass_y / density)
            ]
            for axis in (0, 1)
        )
        (xi, yi, ui, vi), (xj, yj, uj, vj) = along_i, along_j
        return (vi * yj - vj * yi - xi * uj + xj * ui) / (xi * yj - xj * yi)


def solve(case: Path, ranks: int, restart: Path | None, on_line: Callable[[Line], None]) -> Solved:
    """Runs the solver; calls `on_line` with each line of its history. Raises IsthmusError with its reason."""
    run = follow(PROGRAM, [str(case), *restart_arguments(restart)], ranks, on_line)
    end = run.end(r"(\w+) after (\d+) iterations, output in (.*)")
    output = Path(end[3])
    with (output / "loads.csv").open(encoding="utf-8", newline="") as file:
        loads = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
    return Solved(end[1] == "converged", int(end[2]), output, run.history, loads)


def write_grid(shape: dict[str, object], path: Path) -> None:
    """Writes the grid of a shape ([grid] of a case file) as PLOT3D."""
    words = "".join(f"{name} = {json.dumps(value)}\n" for name, value in shape.items())
    with tempfile.TemporaryDirectory() as folder:
        case = Path(folder) / "grid.toml"
        case.write_text(f"[flow]\nmach = 0.1\n[grid]\n{words}", encoding="utf-8")
        done = subprocess.run(
            [str(programs.find(PROGRAM)), str(case), "--grid", str(path)],
            text=True,
            capture_output=True,
            check=False,
            env=os.environ | programs.mpi_environment(),
        )
    if done.returncode != 0:
        raise IsthmusError(done.stderr.strip().removeprefix("error: "))


def read_fields(folder: Path) -> list[Field]:
    """All blocks of a run, of grid.xyz and flow.blocks."""
    grids = _read_plot3d(folder / "grid.xyz")
    values = _read_blocks(folder / "flow.blocks")
    return [Field(points, block) for points, block in zip(grids, values, strict=True)]


def _read_plot3d(path: Path) -> list[np.ndarray]:
    data = path.read_bytes()
    blocks = int(np.frombuffer(data, np.int32, 1)[0])
    sizes = np.frombuffer(data, np.int32, 3 * blocks, 4).reshape(blocks, 3)
    at = 4 + 12 * blocks
    grids = []
    for i, j, k in sizes:
        count = 3 * int(i) * int(j) * int(k)
        grids.append(np.frombuffer(data, np.float64, count, at).reshape(3, k, j, i).transpose(3, 2, 1, 0))
        at += 8 * count
    return grids


def _read_blocks(path: Path) -> list[np.ndarray]:
    """The format is described in src/isthmus/io/blocks/block_index.hpp."""
    data = path.read_bytes()
    blocks, snapshots, variables, names = np.frombuffer(data, np.uint64, 4, 16).astype(int)
    index = -(-(88 + names) // 32) * 32
    values = []
    for b in range(blocks):
        offset = int(np.frombuffer(data, np.uint64, 1, index + 32 * b)[0])
        i, j, k = np.frombuffer(data, np.uint32, 3, index + 32 * b + 8).astype(int)
        count = snapshots * variables * i * j * k
        block = np.frombuffer(data, np.float64, count, offset)
        values.append(block.reshape(snapshots, variables, k, j, i).transpose(0, 1, 4, 3, 2))
    return values


def through_snapshots(values: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """The trigonometric polynomial through an odd number of snapshots of a period, at these angles; the
    first snapshot is at 0."""
    harmonics = np.fft.rfft(values) / len(values)
    higher = 2 * np.exp(1j * np.outer(angles, np.arange(1, len(harmonics)))) @ harmonics[1:]
    return harmonics[0].real + higher.real
