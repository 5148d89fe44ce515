# SPDX-License-Identifier: BSD-3-Clause
"""What a replay leaves: mapped values, their errors, measurements; and the files that show them.

  <out>/<side>.vtu               the whole mesh: values, exact values, errors, ranks
  <out>/<side>.pvtu, pieces/     the same in one piece per rank
  <out>/errors.json              errors of every side that reads
  <out>/<side>.json              measurements of the program
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from isthmus.console import print_warning
from isthmus.errors import FAILED, IsthmusError
from isthmus.formats import block, vtk_xml
from isthmus.functions import evaluate
from isthmus.mesh.surface import Surface
from isthmus.partition import Partition
from isthmus.replay.settings import Settings, Side

AGREEMENT = 1e-9  # between two computations of the same value


@dataclass(frozen=True)
class Errors:
    """Of one data over all vertices; vectors by their length."""

    l2: float  # square root of the mean square
    rel_l2: float  # relative to the same norm of the exact values
    max: float


@dataclass
class SideResult:
    name: str
    report: dict  # JSON of the program: phases, counters, partners, spans, …
    surface: Surface  # all triangles, with values and errors as point data, ranks as cell data
    errors: dict[str, Errors]
    lost_triangles: int


@dataclass
class Result:
    out: Path
    sides: dict[str, SideResult]

    def errors(self) -> dict[str, Errors]:
        """Of all data that was read by anyone."""
        return {name: error for side in self.sides.values() for name, error in side.errors.items()}


def collect(settings: Settings, dealt: dict[str, Partition], out: Path) -> Result:
    """Reads what every rank wrote and writes the files for viewing."""
    sides = {side.name: _collect_side(side, dealt[side.name], settings, out) for side in settings.sides}
    result = Result(out, sides)
    summary = {name: {data: asdict(e) for data, e in side.errors.items()} for name, side in sides.items()}
    text = {"function": settings.function, "mapping": settings.mapping.kind, "errors": summary}
    (out / "errors.json").write_text(json.dumps(text, indent=1) + "\n")
    return result


def _collect_side(side: Side, dealt: Partition, settings: Settings, out: Path) -> SideResult:
    report = _read_report(out / f"{side.name}.json")
    function = settings.function
    pieces = [_piece(side, part, rank, function, out) for rank, part in enumerate(dealt.parts)]
    whole = _join(side, dealt, pieces)
    if settings.view_files:
        _write_pieces(out, side.name, pieces)
        vtk_xml.write_vtu(out / f"{side.name}.vtu", whole)
    conserved = ["F"] if settings.coupling.back else []  # its values are sums over the other mesh
    errors = {name: _errors(whole, name) for name in side.reads if name not in conserved}
    for name, error in errors.items():
        told = report.get("errors", {}).get(name, {}).get("max")
        if told is not None and abs(told - error.max) > AGREEMENT * (1 + error.max):
            print_warning(f"{side.name} found the largest error of {name} to be {told:g}, its values give "
                          f"{error.max:g}; do both evaluate the function {function} in the same way?")
    return SideResult(side.name, report, whole, errors, dealt.lost_triangles)


def _read_report(path: Path) -> dict:
    try:
        return json.loads(path.read_text())
    except (OSError, json.JSONDecodeError) as error:
        raise IsthmusError(f"{path} is missing or damaged: {error}", FAILED) from error


def _piece(side: Side, part: block.Part, rank: int, function: str, out: Path) -> Surface:
    """The part of one rank with everything that is known at its points."""
    data: dict[str, np.ndarray] = {}
    if side.reads:
        for name, values in zip(side.reads, _values(side, rank, len(part.points), out), strict=True):
            exact = evaluate(function, part.points, values.shape[1])
            data[name] = values
            data[f"{name}_exact"] = exact
            data[f"{name}_error"] = np.linalg.norm(values - exact, axis=1)
    if side.writes:
        data["written"] = evaluate(function, part.points, 1)
    data = {name: value[:, 0] if value.ndim > 1 and value.shape[1] == 1 else _in_space(value)
            for name, value in data.items()}
    return Surface(part.points, part.triangles, data, {"rank": np.full(len(part.triangles), rank, np.int32)})


def _values(side: Side, rank: int, n: int, out: Path) -> list[np.ndarray]:
    path = out / f"{side.name}.{rank}.values"
    if not path.is_file():
        raise IsthmusError(f"rank {rank} of {side.name} left no values: {path} is not there", FAILED)
    values = block.read_values(path)
    if len(values) != len(side.reads) or any(len(value) != n for value in values):
        raise IsthmusError(f"{path}: expected {len(side.reads)} data of {n} vertices", FAILED)
    return values


def _in_space(value: np.ndarray) -> np.ndarray:
    """Vectors of the plane with a third component, as viewers want them."""
    return np.column_stack([value, np.zeros(len(value))]) if value.ndim > 1 and value.shape[1] == 2 else value


def _write_pieces(out: Path, name: str, pieces: list[Surface]) -> None:
    folder = out / "pieces"
    folder.mkdir(exist_ok=True)
    paths = [folder / f"{name}_{rank}.vtu" for rank in range(len(pieces))]
    for path, piece in zip(paths, pieces, strict=True):
        vtk_xml.write_vtu(path, piece)
    vtk_xml.write_pvtu(out / f"{name}.pvtu", paths, pieces[0])


def _join(side: Side, dealt: Partition, pieces: list[Surface]) -> Surface:
    """One surface with every vertex once; of a vertex on several ranks the worst error counts."""
    numbers = np.concatenate([part.vertices for part in dealt.parts])
    joined = vtk_xml.join(pieces)
    badness = sum((joined.point_data[f"{name}_error"] for name in side.reads), np.zeros(len(numbers)))
    order = np.lexsort((badness, numbers))
    last = np.append(numbers[order][1:] != numbers[order][:-1], True)
    chosen = order[last]
    if missing := side.surface.num_points - len(chosen):
        raise IsthmusError(f"{missing} vertices of {side.name} are on no rank", FAILED)
    triangles = [part.vertices[part.triangles] for part in dealt.parts]
    data = {name: value[chosen] for name, value in joined.point_data.items()}
    return Surface(side.surface.points, np.concatenate(triangles), data, joined.cell_data)


def _errors(surface: Surface, name: str) -> Errors:
    error = surface.point_data[f"{name}_error"]
    exact = surface.point_data[f"{name}_exact"].reshape(len(error), -1)
    l2, scale = np.sqrt(np.mean(error**2)), np.sqrt(np.mean((exact**2).sum(1)))
    return Errors(float(l2), float(l2 / scale) if scale > 0 else float("inf"), float(error.max()))
