# SPDX-License-Identifier: BSD-3-Clause
"""Legacy VTK files, ascii and binary, of versions 1 to 5.1: unstructured grids and polygonal data."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from isthmus.errors import IsthmusError
from isthmus.formats.cells import LINE, POLYGON, STRIP, TRIANGLE, VERTEX, triangulate
from isthmus.mesh.surface import Surface

KINDS = {"unsigned_char": "u1", "char": "i1", "unsigned_short": "u2", "short": "i2", "unsigned_int": "u4",
         "int": "i4", "unsigned_long": "u8", "long": "i8", "vtkidtype": "i8", "vtktypeint64": "i8",
         "float": "f4", "double": "f8"}
POLYDATA = {"VERTICES": VERTEX, "LINES": LINE, "POLYGONS": POLYGON, "TRIANGLE_STRIPS": STRIP}


class _Scanner:
    """Walks through the file: lines of keywords, and blocks of numbers in the file's encoding."""

    def __init__(self, path: Path):
        self.path, self.data, self.at = path, path.read_bytes(), 0
        title = self.line()
        if not title or not title[0].startswith("#") or "vtk" not in [word.lower() for word in title]:
            raise self.error('the first line is not "# vtk DataFile Version …"')
        end = self.data.find(b"\n", self.at)
        self.at = len(self.data) if end < 0 else end + 1  # the second line is free text, perhaps empty
        encoding = (self.line() or [""])[0].upper()
        if encoding not in ("ASCII", "BINARY"):
            raise self.error("the third line must be ASCII or BINARY")
        self.binary = encoding == "BINARY"

    def error(self, text: str) -> IsthmusError:
        return IsthmusError(f"{self.path}: {text}")

    def line(self) -> list[str]:
        """Words of the next line that is not empty; none at the end of the file."""
        while self.at < len(self.data):
            end = self.data.find(b"\n", self.at)
            end = len(self.data) if end < 0 else end
            words = self.data[self.at:end].decode("latin-1").split()
            self.at = end + 1
            if words:
                return words
        return []

    def skip_metadata(self) -> None:
        """Passes over a METADATA block, which ends with an empty line."""
        while self.at < len(self.data) and self.data[self.at:self.at + 1] not in (b"\n", b"\r"):
            self.line()

    def numbers(self, count: int, kind: str) -> np.ndarray:
        """The next `count` numbers of the VTK type `kind`."""
        dtype = KINDS.get(kind.lower())
        if dtype is None:
            raise self.error(f"unknown type of numbers: {kind}")
        if self.binary:
            dtype = np.dtype(">" + dtype)
            if self.at + count * dtype.itemsize > len(self.data):
                raise self.error("the file is cut short")
            values = np.frombuffer(self.data, dtype, count, self.at)
            self.at += values.nbytes
            return values.astype(dtype.newbyteorder("="))
        return self._ascii(count, dtype)

    def _ascii(self, count: int, dtype: str) -> np.ndarray:
        words: list[bytes] = []
        while len(words) < count:
            if self.at >= len(self.data):
                raise self.error("the file is cut short")
            stop = min(len(self.data), self.at + 16 * (count - len(words)) + 64)
            end = self.data.find(b"\n", stop)
            end = len(self.data) if end < 0 else end
            chunk = self.data[self.at:end].split(None, count - len(words))
            if len(words) + len(chunk) > count:  # the rest of the text came as one last word
                self.at = end - len(chunk[-1])
                words += chunk[:-1]
                break
            words += chunk
            self.at = end + 1
        try:
            return np.array(words).astype(dtype)
        except ValueError as error:
            raise self.error(f"numbers expected: {error}") from error


def read(path: Path) -> Surface:
    scan = _Scanner(path)
    dataset = [*scan.line(), "", ""][1].upper()
    if dataset not in ("UNSTRUCTURED_GRID", "POLYDATA"):
        raise scan.error(f"holds {dataset or 'nothing'}; UNSTRUCTURED_GRID or POLYDATA is needed")
    points, groups, types = np.empty((0, 3)), [], None
    data: dict[str, dict[str, np.ndarray]] = {"POINT_DATA": {}, "CELL_DATA": {}}
    while words := scan.line():
        keyword = words[0].upper()
        if keyword == "POINTS":
            points = scan.numbers(3 * int(words[1]), words[2]).reshape(-1, 3)
        elif keyword == "CELLS" or keyword in POLYDATA:
            groups.append((*_cells(scan, words), POLYDATA.get(keyword)))
        elif keyword == "CELL_TYPES":
            types = scan.numbers(int(words[1]), "int")
        elif keyword == "METADATA":
            scan.skip_metadata()
        elif keyword == "FIELD":
            _field(scan, int(words[2]))
        elif keyword in data:
            _attributes(scan, int(words[1]), data[keyword])
        else:
            raise scan.error(f"keyword {words[0]} is not understood")
    triangles, cell = _triangles(scan, groups, types)
    if len(triangles) and (triangles.min() < 0 or triangles.max() >= len(points)):
        raise scan.error("a cell refers to a point that is not there")
    return Surface(points, triangles, data["POINT_DATA"],
                   {name: value[cell] for name, value in data["CELL_DATA"].items()})


def _cells(scan: _Scanner, words: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Connectivity and ends of a group of cells, in the old or the 5.1 form."""
    count, size = int(words[1]), int(words[2])
    mark = scan.at
    following = scan.line() if not scan.binary or scan.data[scan.at:scan.at + 7] == b"OFFSETS" else []
    if following and following[0].upper() == "OFFSETS":
        ends = scan.numbers(count, following[1])[1:]
        connectivity = scan.numbers(size, scan.line()[1])
        return connectivity, ends
    scan.at = mark
    table = scan.numbers(size, "int")
    if count and size == count * (table[0] + 1) and (table[::table[0] + 1] == table[0]).all():
        width = int(table[0])
        return table.reshape(count, width + 1)[:, 1:].ravel(), np.arange(1, count + 1) * width
    is_size, at = np.zeros(size, bool), 0
    for _ in range(count):
        is_size[at] = True
        at += int(table[at]) + 1
    return table[~is_size], np.cumsum(table[is_size])


def _triangles(scan: _Scanner, groups: list, types: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    if not groups:
        return np.empty((0, 3), np.int32), np.empty(0, np.int64)
    connectivity = np.concatenate([group[0] for group in groups])
    shift = np.cumsum([0] + [len(group[0]) for group in groups])
    ends = np.concatenate([group[1] + s for group, s in zip(groups, shift[:-1], strict=True)])
    if groups[0][2] is not None:
        types = np.concatenate([np.full(len(group[1]), group[2]) for group in groups])
    if types is None or len(types) != len(ends):
        raise scan.error("the cells need as many CELL_TYPES")
    return triangulate(connectivity, ends, types, scan.path)


def _field(scan: _Scanner, count: int) -> dict[str, np.ndarray]:
    arrays: dict[str, np.ndarray] = {}
    for _ in range(count):
        words = scan.line()
        while words and words[0] == "METADATA":
            scan.skip_metadata()
            words = scan.line()
        name, components, tuples, kind = words
        values = scan.numbers(int(components) * int(tuples), kind)
        arrays[name] = values.reshape(-1, int(components)) if int(components) > 1 else values
    return arrays


def _attributes(scan: _Scanner, n: int, target: dict[str, np.ndarray]) -> None:
    """SCALARS, VECTORS, NORMALS and FIELD of one of POINT_DATA and CELL_DATA."""
    while True:
        mark, words = scan.at, scan.line()
        keyword = words[0].upper() if words else ""
        if keyword == "SCALARS":
            components = int(words[3]) if len(words) > 3 else 1
            values_at = scan.at
            if (scan.line() or [""])[0].upper() != "LOOKUP_TABLE":
                scan.at = values_at
            values = scan.numbers(n * components, words[2])
            target[words[1]] = values.reshape(-1, components) if components > 1 else values
        elif keyword in ("VECTORS", "NORMALS"):
            target[words[1]] = scan.numbers(3 * n, words[2]).reshape(-1, 3)
        elif keyword == "LOOKUP_TABLE":
            scan.numbers(4 * int(words[2]), "unsigned_char" if scan.binary else "float")
        elif keyword == "FIELD":
            target.update(_field(scan, int(words[2])))
        elif keyword == "METADATA":
            scan.skip_metadata()
        else:
            scan.at = mark
            return


def write(path: Path, surface: Surface) -> None:
    """Binary unstructured grid with the data at points."""
    n, m = surface.num_points, surface.num_triangles
    with open(path, "wb") as file:
        file.write(b"# vtk DataFile Version 3.0\nisthmus\nBINARY\nDATASET UNSTRUCTURED_GRID\n")
        file.write(b"POINTS %d double\n" % n + surface.points3().astype(">f8").tobytes())
        cells = np.column_stack([np.full(m, 3), surface.triangles]).astype(">i4")
        file.write(b"\nCELLS %d %d\n" % (m, 4 * m) + cells.tobytes())
        file.write(b"\nCELL_TYPES %d\n" % m + np.full(m, TRIANGLE, ">i4").tobytes())
        if surface.point_data:
            file.write(b"\nPOINT_DATA %d\nFIELD FieldData %d" % (n, len(surface.point_data)))
        for name, value in surface.point_data.items():
            components = value.shape[1] if value.ndim > 1 else 1
            file.write(f"\n{name} {components} {n} double\n".encode() + value.astype(">f8").tobytes())
        file.write(b"\n")
