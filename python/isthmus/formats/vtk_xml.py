# SPDX-License-Identifier: BSD-3-Clause
"""VTK XML files: VTU and VTP are read in every encoding, VTU and PVTU are written (appended raw)."""

from __future__ import annotations

import base64
import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from isthmus.errors import IsthmusError
from isthmus.formats.cells import LINE, POLYGON, STRIP, TETRAHEDRON, TRIANGLE, VERTEX, triangulate
from isthmus.mesh.surface import Surface

KINDS = {"Int8": "i1", "UInt8": "u1", "Int16": "i2", "UInt16": "u2", "Int32": "i4", "UInt32": "u4",
         "Int64": "i8", "UInt64": "u8", "Float32": "f4", "Float64": "f8"}


class _File:
    """One XML file with the encoding of its arrays."""

    def __init__(self, path: Path):
        self.path = path
        content = path.read_bytes()
        text, self.appended, self.appended_base64 = _split_appended(content)
        try:
            self.root = ElementTree.fromstring(text)
        except ElementTree.ParseError as error:
            raise self.error(f"this is not well-formed XML: {error}") from error
        self.order = ">" if self.root.get("byte_order") == "BigEndian" else "<"
        self.header = np.dtype(self.order + KINDS[self.root.get("header_type", "UInt32")])
        compressor = self.root.get("compressor")
        if compressor not in (None, "", "vtkZLibDataCompressor"):
            raise self.error(f"compressor {compressor} is not supported; write the file with zlib or none")
        self.compressed = bool(compressor)

    def error(self, text: str) -> IsthmusError:
        return IsthmusError(f"{self.path}: {text}")

    def array(self, element: ElementTree.Element) -> np.ndarray:
        """The values of a DataArray, (n,) or (n, components)."""
        name = element.get("Name", "without a name")
        kind = KINDS.get(element.get("type", ""))
        if kind is None:
            raise self.error(f"array {name} has the type {element.get('type')}, which holds no numbers")
        encoding = element.get("format", "ascii")
        try:
            values = self._decode(element, encoding, np.dtype(self.order + kind))
        except (ValueError, IndexError, zlib.error) as error:
            raise self.error(f"array {name} ({encoding}) is damaged: {error}") from error
        components = int(element.get("NumberOfComponents") or 1)
        return values.reshape(-1, components) if components > 1 else values

    def _decode(self, element: ElementTree.Element, encoding: str, kind: np.dtype) -> np.ndarray:
        if encoding == "ascii":
            return np.array((element.text or "").split(), kind)
        if encoding == "binary":
            data = "".join((element.text or "").split()).encode()
            return np.frombuffer(self._blocks(data, True), kind)
        data = self.appended[int(element.get("offset", 0)):]
        return np.frombuffer(self._blocks(data, self.appended_base64), kind)

    def _blocks(self, data: bytes, encoded: bool) -> bytes:
        """The bytes of an array: a header with sizes, then one block or many compressed ones."""
        def cut(start: int, size: int) -> bytes:  # `size` bytes at `start`, which begins a base64 group
            if not encoded:
                piece = data[start:start + size]
            else:
                piece = base64.b64decode(data[start:start + (size + 2) // 3 * 4])[:size]
            if len(piece) < size:
                raise ValueError(f"{size} bytes announced, {len(piece)} found")
            return piece

        def length(size: int) -> int:  # of `size` bytes as they stand in the file
            return (size + 2) // 3 * 4 if encoded else size

        word = self.header.itemsize
        first = int(np.frombuffer(cut(0, word), self.header)[0])
        if not self.compressed:
            # header and values are encoded together
            return cut(0, word + first)[word:] if encoded else cut(word, first)
        head_size = word * (3 + first)
        sizes = np.frombuffer(cut(0, head_size), self.header)[3:].astype(np.int64)
        body = cut(length(head_size), int(sizes.sum()))
        ends = np.cumsum(sizes)
        return b"".join(zlib.decompress(body[end - size:end]) for size, end in zip(sizes, ends, strict=True))

    def arrays(self, parent: ElementTree.Element | None) -> dict[str, np.ndarray]:
        found = {} if parent is None else {
            e.get("Name", ""): e for e in parent.iter("DataArray") if e.get("type") in KINDS}
        return {name: self.array(element) for name, element in found.items()}


def _split_appended(content: bytes) -> tuple[bytes, bytes, bool]:
    """The XML without the appended data, the appended data, whether it is base64."""
    match = re.search(rb"<AppendedData[^>]*>", content)
    if match is None:
        return content, b"", False
    begin = content.index(b"_", match.end()) + 1
    end = content.rindex(b"</AppendedData>")
    is_base64 = b'"base64"' in match.group() or b"'base64'" in match.group()
    data = b"".join(content[begin:end].split()) if is_base64 else content[begin:end]
    return content[:match.end()] + content[end:], data, is_base64


def read(path: Path) -> Surface:
    """A VTU or VTP file; several pieces become one surface."""
    file = _File(path)
    grid = file.root.find("UnstructuredGrid")
    polygons = file.root.find("PolyData")
    kind = grid if grid is not None else polygons
    if kind is None:
        raise file.error(f"holds {file.root.get('type')}; an UnstructuredGrid or PolyData is needed")
    pieces = [_read_piece(file, piece, grid is not None) for piece in kind.iter("Piece")]
    return join([piece for piece in pieces if piece.num_points])


def _read_piece(file: _File, piece: ElementTree.Element, unstructured: bool) -> Surface:
    points_element = piece.find("Points/DataArray")
    if points_element is None or int(piece.get("NumberOfPoints", 0)) == 0:
        return Surface(np.empty((0, 3)))
    points = file.array(points_element)
    if unstructured:
        cells = file.arrays(piece.find("Cells"))
        if not {"connectivity", "offsets", "types"} <= cells.keys():
            raise file.error("the cells need the arrays connectivity, offsets and types")
        connectivity, ends, types = cells["connectivity"], cells["offsets"], cells["types"]
    else:
        connectivity, ends, types = _polydata_cells(file, piece)
    triangles, cell = triangulate(connectivity, ends, types, file.path)
    if len(triangles) and (triangles.min() < 0 or triangles.max() >= len(points)):
        raise file.error("a cell refers to a point that is not there")
    point_data = file.arrays(piece.find("PointData"))
    cell_data = {name: value[cell] for name, value in file.arrays(piece.find("CellData")).items()
                 if len(value) == len(ends)}
    return Surface(points, triangles, point_data, cell_data)


def _polydata_cells(file: _File, piece: ElementTree.Element) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    connectivity, ends, types = [np.empty(0, np.int64)], [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    shift = 0
    for tag, kind in (("Verts", VERTEX), ("Lines", LINE), ("Strips", STRIP), ("Polys", POLYGON)):
        cells = file.arrays(piece.find(tag))
        if len(cells.get("connectivity", ())) == 0:
            continue
        connectivity.append(cells["connectivity"])
        ends.append(cells["offsets"] + shift)
        types.append(np.full(len(cells["offsets"]), kind))
        shift += len(cells["connectivity"])
    return np.concatenate(connectivity), np.concatenate(ends), np.concatenate(types)


def read_pvtu(path: Path) -> Surface:
    """All pieces of a parallel file."""
    pieces = [piece.get("Source", "") for piece in _File(path).root.iter("Piece")]
    return join([read(path.parent / piece) for piece in pieces])


@dataclass
class Grid:
    """Points (n, 3), tetrahedra (m, 4), data at the points."""

    points: np.ndarray
    tetrahedra: np.ndarray
    data: dict[str, np.ndarray]


def read_grids(path: Path) -> list[Grid]:
    """The pieces of a VTU, VTP, PVTU or PVTP file that have points."""
    file = _File(path)
    sources = [piece.get("Source") for piece in file.root.iter("Piece")]
    if any(sources):
        return [grid for source in sources if source for grid in read_grids(path.parent / source)]
    grids = []
    for piece in file.root.iter("Piece"):
        element = piece.find("Points/DataArray")
        if element is None or int(piece.get("NumberOfPoints", 0)) == 0:
            continue
        cells = file.arrays(piece.find("Cells"))
        corners = np.empty((0, 4), np.int64)
        if "types" in cells:
            begins = (cells["offsets"] - 4)[cells["types"] == TETRAHEDRON]
            corners = cells["connectivity"][begins[:, None] + np.arange(4)]
        grids.append(Grid(file.array(element), corners, file.arrays(piece.find("PointData"))))
    return grids


def join(pieces: list[Surface]) -> Surface:
    """One surface of several; data that some of them lack is left out."""
    if not pieces:
        return Surface(np.empty((0, 3)))
    if len(pieces) == 1:
        return pieces[0]
    first = np.cumsum([0] + [p.num_points for p in pieces])

    def together(data: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
        common = [name for name in data[0] if all(name in d for d in data)]
        return {name: np.concatenate([d[name] for d in data]) for name in common}

    return Surface(
        np.concatenate([p.points for p in pieces]),
        np.concatenate([p.triangles + start for p, start in zip(pieces, first[:-1], strict=True)]),
        together([p.point_data for p in pieces]),
        together([p.cell_data for p in pieces]),
    )


def _type_name(value: np.ndarray) -> str:
    return next(name for name, kind in KINDS.items() if np.dtype(kind) == value.dtype.newbyteorder("="))


def _describe(name: str, value: np.ndarray, rest: str) -> str:
    components = f' NumberOfComponents="{value.shape[1]}"' if value.ndim > 1 else ""
    return f'<{rest} type="{_type_name(value)}" Name="{name}"{components}'


def write_vtu(path: Path, surface: Surface) -> None:
    """Appended raw, 64-bit headers."""
    blocks: list[np.ndarray] = []
    offset = 0

    def entry(name: str, value: np.ndarray) -> str:
        nonlocal offset
        value = np.ascontiguousarray(value, value.dtype.newbyteorder("<"))
        text = f'{_describe(name, value, "DataArray")} format="appended" offset="{offset}"/>'
        blocks.append(value)
        offset += 8 + value.nbytes
        return text

    m = surface.num_triangles
    parts = [
        '<?xml version="1.0"?>',
        '<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64">',
        f'<UnstructuredGrid><Piece NumberOfPoints="{surface.num_points}" NumberOfCells="{m}">',
        "<Points>", entry("Points", surface.points3()), "</Points>",
        "<Cells>", entry("connectivity", surface.triangles.ravel()),
        entry("offsets", np.arange(3, 3 * m + 1, 3, dtype=np.int64)),
        entry("types", np.full(m, TRIANGLE, np.uint8)), "</Cells>",
        "<PointData>", *(entry(*item) for item in surface.point_data.items()), "</PointData>",
        "<CellData>", *(entry(*item) for item in surface.cell_data.items()), "</CellData>",
        "</Piece></UnstructuredGrid>", '<AppendedData encoding="raw">\n_',
    ]
    with open(path, "wb") as file:
        file.write("\n".join(parts).encode())
        for block in blocks:
            file.write(np.uint64(block.nbytes).tobytes())
            file.write(block.tobytes())
        file.write(b"\n</AppendedData></VTKFile>\n")


def write_pvtu(path: Path, pieces: list[Path], like: Surface) -> None:
    """The file that joins the pieces; `like` is one of them, for names and types."""
    def entries(data: dict[str, np.ndarray]) -> list[str]:
        return [_describe(name, value, "PDataArray") + "/>" for name, value in data.items()]

    parts = ['<?xml version="1.0"?>',
             '<VTKFile type="PUnstructuredGrid" version="1.0" byte_order="LittleEndian">',
             '<PUnstructuredGrid GhostLevel="0">',
             '<PPoints><PDataArray type="Float64" Name="Points" NumberOfComponents="3"/></PPoints>',
             "<PPointData>", *entries(like.point_data), "</PPointData>",
             "<PCellData>", *entries(like.cell_data), "</PCellData>",
             *(f'<Piece Source="{piece.relative_to(path.parent)}"/>' for piece in pieces),
             "</PUnstructuredGrid></VTKFile>", ""]
    path.write_text("\n".join(parts))
