# SPDX-License-Identifier: BSD-3-Clause
"""CSV exports of a coupled run: points with values, no cells. PosX;PosY;[PosZ;]Rank;data…"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from isthmus.errors import IsthmusError
from isthmus.mesh.surface import Surface


def read(path: Path) -> Surface:
    """Columns name0, name1, … are the components of one vector."""
    try:
        lines = path.read_text().splitlines()
        columns = lines[0].split(";") if lines else []
        rows = [line.split(";") for line in lines[1:] if line]
        values = np.array(rows, float).reshape(len(rows), len(columns))
    except (UnicodeDecodeError, ValueError) as error:
        raise IsthmusError(f"{path} is no table of numbers: {error}") from error
    positions = [k for k, name in enumerate(columns) if name in ("PosX", "PosY", "PosZ")]
    if len(positions) < 2:
        raise IsthmusError(f"{path}: the first line does not name PosX;PosY, as exports do")
    data: dict[str, np.ndarray] = {}
    for k, name in enumerate(columns):
        vector = re.fullmatch(r"(.+)(\d)", name)
        if k in positions:
            continue
        if vector and f"{vector[1]}0" in columns and f"{vector[1]}1" in columns:
            same = [j for j, other in enumerate(columns) if re.fullmatch(re.escape(vector[1]) + r"\d", other)]
            data[vector[1]] = values[:, same]
        else:
            data[name] = values[:, k]
    return Surface(values[:, positions], point_data=data)
