# SPDX-License-Identifier: BSD-3-Clause
"""The readers against files written here by hand in each encoding, and against meshio where it is there."""

import base64
import itertools
import struct
import zlib

import numpy as np
import pytest

from isthmus import formats
from isthmus.errors import IsthmusError
from isthmus.formats import block, vtk_xml
from isthmus.mesh import Surface, blade, sheet

# a unit square of a triangle and a quad plus a point of its own; the quad becomes two triangles
POINTS = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 0, 0.5], [2, 1, 0.25], [9, 9, 9]])
CONNECTIVITY = np.array([0, 1, 2, 0, 2, 3, 1, 4, 5, 2], np.int64)
OFFSETS = np.array([3, 6, 10], np.int64)
TYPES = np.array([5, 5, 9], np.uint8)
TRIANGLES = [[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2]]
SCALAR = np.arange(7) * 0.5
VECTOR = np.arange(21, dtype=np.float32).reshape(7, 3)


def check_square(surface: Surface, vector: bool = True) -> None:
    assert np.array_equal(surface.points, POINTS)
    assert surface.triangles.tolist() == TRIANGLES
    assert np.array_equal(surface.point_data["S"], SCALAR)
    if vector:
        assert np.array_equal(surface.point_data["V"], VECTOR)


class XmlWriter:
    """The arrays of a VTK XML file in one encoding."""

    def __init__(self, encoding: str, word: str = "UInt32", order: str = "<", compress: int = 0):
        self.encoding, self.word, self.order, self.compress = encoding, word, order, compress
        self.appended = b""

    def encode(self, values: np.ndarray) -> list[bytes]:
        """Pieces that are encoded separately in base64."""
        raw = values.astype(values.dtype.newbyteorder(self.order)).tobytes()
        letter = self.order + {"UInt32": "I", "UInt64": "Q"}[self.word]

        def head(*numbers: int) -> bytes:
            return b"".join(struct.pack(letter, number) for number in numbers)

        if not self.compress:
            return [head(len(raw)) + raw]
        size = self.compress
        blocks = [raw[k:k + size] for k in range(0, len(raw), size)]
        packed = [zlib.compress(piece) for piece in blocks]
        last = len(raw) % size
        return [head(len(blocks), size, last, *(len(p) for p in packed)), b"".join(packed)]

    def array(self, name: str, kind: str, values: np.ndarray) -> str:
        components = f' NumberOfComponents="{values.shape[1]}"' if values.ndim > 1 else ""
        head = f'<DataArray type="{kind}" Name="{name}"{components}'
        if self.encoding == "ascii":
            return f'{head} format="ascii">\n{" ".join(map(repr, values.ravel().tolist()))}\n</DataArray>'
        pieces = self.encode(values)
        if self.encoding == "binary":
            text = "".join(base64.b64encode(piece).decode() for piece in pieces)
            return f'{head} format="binary">\n  {text}\n</DataArray>'
        offset = len(self.appended)
        is_raw = self.encoding == "raw"
        self.appended += b"".join(piece if is_raw else base64.b64encode(piece) for piece in pieces)
        return f'{head} format="appended" offset="{offset}"/>'

    def file(self, kind: str, body: str) -> bytes:
        compressor = ' compressor="vtkZLibDataCompressor"' if self.compress else ""
        order = "LittleEndian" if self.order == "<" else "BigEndian"
        text = (f'<?xml version="1.0"?>\n<VTKFile type="{kind}" version="1.0" byte_order="{order}" '
                f'header_type="{self.word}"{compressor}>\n<{kind}>{body}</{kind}>').encode()
        if self.encoding in ("raw", "base64"):
            text += f'<AppendedData encoding="{self.encoding}">\n _'.encode() + self.appended
            text += b"\n</AppendedData>"
        return text + b"</VTKFile>\n"


def vtu(writer: XmlWriter) -> bytes:
    points = np.column_stack(list(POINTS.T))
    return writer.file("UnstructuredGrid", "".join([
        '<Piece NumberOfPoints="7" NumberOfCells="3"><PointData Scalars="S">',
        writer.array("S", "Float64", SCALAR), writer.array("V", "Float32", VECTOR),
        "</PointData><CellData>", writer.array("cell", "Int32", np.array([7, 8, 9], np.int32)), "</CellData>",
        "<Points>", writer.array("Points", "Float64", points), "</Points><Cells>",
        writer.array("connectivity", "Int64", CONNECTIVITY), writer.array("offsets", "Int64", OFFSETS),
        writer.array("types", "UInt8", TYPES), "</Cells></Piece>"]))


def vtp(writer: XmlWriter) -> bytes:
    return writer.file("PolyData", "".join([
        '<Piece NumberOfPoints="7" NumberOfVerts="1" NumberOfPolys="3"><PointData>',
        writer.array("S", "Float64", SCALAR), writer.array("V", "Float32", VECTOR), "</PointData><Points>",
        writer.array("Points", "Float64", POINTS), "</Points><Verts>",
        writer.array("connectivity", "Int64", np.array([6])),
        writer.array("offsets", "Int64", np.array([1])),
        "</Verts><Polys>", writer.array("connectivity", "Int64", CONNECTIVITY),
        writer.array("offsets", "Int64", OFFSETS), "</Polys></Piece>"]))


@pytest.mark.parametrize("numbers", list(itertools.product(["UInt32", "UInt64"], "<>")))
@pytest.mark.parametrize("compress", [0, 32, 1000])
@pytest.mark.parametrize("encoding", ["ascii", "binary", "raw", "base64"])
@pytest.mark.parametrize(("ending", "make"), [("vtu", vtu), ("vtp", vtp)])
def test_xml_in_every_encoding(tmp_path, ending, make, encoding, compress, numbers):
    path = tmp_path / f"square.{ending}"
    path.write_bytes(make(XmlWriter(encoding, *numbers, compress)))
    surface = formats.read(path)
    check_square(surface)
    if ending == "vtu":
        assert surface.cell_data["cell"].tolist() == [7, 8, 9, 9]


LEGACY_ASCII = """# vtk DataFile Version 3.0
a square
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 7 double
0 0 0 1 0 0 1 1 0
0 1 0  2 0 .5
2 1 0.25 9 9 9

CELLS 4 15
3 0 1 2
3 0 2 3
4 1 4 5 2
1 6
CELL_TYPES 4
5
5 9
1
CELL_DATA 4
SCALARS cell int 1
LOOKUP_TABLE default
7 8 9 10
POINT_DATA 7
SCALARS S double
LOOKUP_TABLE default
0 0.5 1 1.5 2 2.5 3
VECTORS V float
0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20
"""


def test_legacy_ascii(tmp_path):
    path = tmp_path / "square.vtk"
    path.write_text(LEGACY_ASCII)
    surface = formats.read(path)
    check_square(surface)
    assert surface.cell_data["cell"].tolist() == [7, 8, 9, 9]


@pytest.mark.parametrize("version", ["3.0", "5.1"])
@pytest.mark.parametrize("dataset", ["UNSTRUCTURED_GRID", "POLYDATA"])
def test_legacy_binary(tmp_path, dataset, version):
    parts = [f"# vtk DataFile Version {version}\n\nBINARY\nDATASET {dataset}\nPOINTS 7 float\n".encode(),
             POINTS.astype(">f4").tobytes()]
    keyword = b"CELLS" if dataset == "UNSTRUCTURED_GRID" else b"POLYGONS"
    if version == "5.1":
        ends = np.concatenate([[0], OFFSETS]).astype(">i8")
        head = keyword + b" 4 10\nOFFSETS vtktypeint64\n"
        parts += [b"\nMETADATA\nINFORMATION 0\n\n", head, ends.tobytes(),
                  b"\nCONNECTIVITY vtktypeint64\n", CONNECTIVITY.astype(">i8").tobytes()]
    else:
        table = np.array([3, 0, 1, 2, 3, 0, 2, 3, 4, 1, 4, 5, 2], ">i4")
        parts += [b"\n" + keyword + b" 3 13\n", table.tobytes()]
    if dataset == "UNSTRUCTURED_GRID":
        parts += [b"\nCELL_TYPES 3\n", TYPES.astype(">i4").tobytes()]
    parts += [b"\nPOINT_DATA 7\nFIELD FieldData 2\nS 1 7 double\n", SCALAR.astype(">f8").tobytes(),
              b"\nMETADATA\nINFORMATION 0\n\nV 3 7 float\n", VECTOR.astype(">f4").tobytes(), b"\n"]
    path = tmp_path / "square.vtk"
    path.write_bytes(b"".join(parts))
    check_square(formats.read(path))


def test_legacy_triangle_strip(tmp_path):
    path = tmp_path / "strip.vtk"
    path.write_text("# vtk DataFile Version 2.0\nx\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n"
                    "0 0 0 1 0 0 0 1 0 1 1 0\nTRIANGLE_STRIPS 1 5\n4 0 1 2 3\n")
    assert formats.read(path).triangles.tolist() == [[0, 1, 2], [2, 1, 3]]


@pytest.mark.parametrize("ending", ["vtu", "vtk", "bin", "npz"])
def test_what_is_written_is_read_back(tmp_path, ending):
    surface = blade(700)
    surface.point_data = {"S": np.arange(700.0), "V": surface.points * 2}
    path = tmp_path / f"blade.{ending}"
    formats.write(path, surface)
    found = formats.read(path)
    assert np.array_equal(found.points, surface.points)
    assert np.array_equal(found.triangles, surface.triangles)
    if ending in ("vtu", "vtk"):
        assert np.array_equal(found.point_data["S"], surface.point_data["S"])
        assert np.array_equal(found.point_data["V"], surface.point_data["V"])


def test_parallel_file_joins_its_pieces(tmp_path):
    pieces = []
    for k in range(2):
        piece = sheet(3, 3 + k)
        piece.point_data = {"S": np.full(piece.num_points, float(k))}
        pieces.append(tmp_path / f"sheet_{k}.vtu")
        formats.write(pieces[-1], piece)
    vtk_xml.write_pvtu(tmp_path / "sheet.pvtu", pieces, piece)
    found = formats.read(tmp_path / "sheet.pvtu")
    assert found.num_points == 21 and found.num_triangles == 8 + 12
    assert found.point_data["S"].sum() == 12


def test_values_and_parts_survive(tmp_path):
    values = [np.arange(5.0)[:, None], np.arange(15.0).reshape(5, 3)]
    block.write_values(tmp_path / "x.values", values)
    for found, expected in zip(block.read_values(tmp_path / "x.values"), values, strict=True):
        assert np.array_equal(found, expected)
    part = block.Part(np.random.default_rng(0).random((4, 2)), np.array([[0, 1, 2]], np.int32),
                      np.array([3, 5, 8, 9]))
    block.write_part(tmp_path / "x.part", part)
    raw = (tmp_path / "x.part").read_bytes()
    assert struct.unpack("<4q", raw[:32]) == (0x5452415054534931, 2, 4, 1)
    assert len(raw) == 32 + 4 * 2 * 8 + 3 * 4 + 4 * 8
    found = block.read_part(tmp_path / "x.part")
    assert np.array_equal(found.points, part.points) and np.array_equal(found.vertices, part.vertices)


@pytest.mark.parametrize(("name", "content", "reason"), [
    ("x.stl", b"", "are read from"),
    ("x.vtu", b"<VTKFile", "well-formed"),
    ("x.vtu", b"<VTKFile type='ImageData'/>", "UnstructuredGrid"),
    ("x.vtu", vtu(XmlWriter("raw"))[:-120] + b"</AppendedData></VTKFile>", "damaged"),
    ("x.vtu", vtu(XmlWriter("ascii")).replace(b'"types"', b'"kinds"'), "need the arrays"),
    ("x.vtu", vtu(XmlWriter("ascii", compress=9)).replace(b"ZLib", b"LZMA"), "not supported"),
    ("x.vtk", b"solid", "first line"),
    ("x.vtk", LEGACY_ASCII[:120].encode(), "cut short"),
    ("x.vtk", LEGACY_ASCII.replace("3 0 1 2", "3 0 1 99").encode(), "not there"),
    ("x.vtk", LEGACY_ASCII.replace("\n5\n5 9", "\n5\n5 10").encode(), "type [10]"),
    ("x.bin", bytes(24), "not the file of a mesh"),
    ("x.npz", b"", "expected arrays"),
])
def test_files_that_cannot_be_read_are_explained(tmp_path, name, content, reason):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(IsthmusError) as error:
        formats.read(path)
    assert reason in str(error.value) and name in str(error.value)


@pytest.mark.parametrize("compression", [None, "zlib"])
@pytest.mark.parametrize("binary", [True, False])
def test_meshio_is_read(tmp_path, binary, compression):
    meshio = pytest.importorskip("meshio")
    mesh = meshio.Mesh(POINTS, [("triangle", [[0, 1, 2], [0, 2, 3]]), ("quad", [[1, 4, 5, 2]])],
                       point_data={"S": SCALAR, "V": VECTOR})
    meshio.vtu.write(tmp_path / "m.vtu", mesh, binary=binary, compression=compression)
    check_square(formats.read(tmp_path / "m.vtu"))
    for version in ("42", "51"):
        path = tmp_path / f"m{version}.vtk"
        mesh.write(path, file_format=f"vtk{version}", binary=binary)
        check_square(formats.read(path))


@pytest.mark.parametrize("ending", ["vtu", "vtk"])
def test_meshio_reads_what_is_written(tmp_path, ending):
    meshio = pytest.importorskip("meshio")
    surface = blade(500)
    surface.point_data = {"S": np.arange(500.0), "V": surface.points * 2}
    formats.write(tmp_path / f"b.{ending}", surface)
    found = meshio.read(tmp_path / f"b.{ending}")
    assert np.array_equal(found.points, surface.points)
    assert np.array_equal(found.cells_dict["triangle"], surface.triangles)
    assert np.array_equal(found.point_data["V"], surface.point_data["V"])
