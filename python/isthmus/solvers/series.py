# SPDX-License-Identifier: BSD-3-Clause
"""The series of files that a solver leaves for ParaView."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from isthmus.errors import IsthmusError
from isthmus.formats import vtk_xml


@dataclass
class Moment:
    """One file: points (n, 3), tetrahedra (m, 4) if there are, data at the points."""

    time: float
    points: np.ndarray
    tetrahedra: np.ndarray
    data: dict[str, np.ndarray]


def last_moment(folder: Path) -> Moment:
    """The last files of the series in a folder, those of all ranks together."""
    found = sorted(folder.glob("*.series"))
    if not found:
        raise IsthmusError(f"{folder} holds no series of files")
    entries = json.loads(found[-1].read_text(encoding="utf-8"))["files"]
    if not entries:
        raise IsthmusError(f"{found[-1]} names no file")
    grids = vtk_xml.read_grids(folder / entries[-1]["name"])
    first = np.cumsum([0] + [len(grid.points) for grid in grids])
    return Moment(
        entries[-1]["time"],
        np.concatenate([grid.points for grid in grids]),
        np.concatenate([grid.tetrahedra + start for grid, start in zip(grids, first[:-1], strict=True)]),
        {name: np.concatenate([grid.data[name] for grid in grids]) for name in grids[0].data},
    )
