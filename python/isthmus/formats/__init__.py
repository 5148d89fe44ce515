# SPDX-License-Identifier: BSD-3-Clause
"""Files of surfaces. `read` and `write` choose the format by the ending of the name.

  .vtu .vtp   VTK XML: ascii, inline base64, appended raw or base64, plain or zlib
  .pvtu .pvtp one in pieces, reads them all
  .vtk        legacy VTK, ascii or binary, unstructured grids and polygonal data
  .bin        int64 magic 0x424c4144, n, m; float64[3n] points; int32[3m] triangles; little endian
  .npz        numpy: points, triangles
  .csv        points with values, as a coupled run exports them; is read only
"""

from __future__ import annotations

from pathlib import Path

from isthmus.errors import IsthmusError
from isthmus.formats import block, csv_points, vtk_legacy, vtk_xml
from isthmus.mesh.surface import Surface

READERS = {".vtu": vtk_xml.read, ".vtp": vtk_xml.read, ".pvtu": vtk_xml.read_pvtu,
           ".pvtp": vtk_xml.read_pvtu, ".csv": csv_points.read, ".vtk": vtk_legacy.read,
           ".bin": block.read_bin, ".npz": block.read_npz}
WRITERS = {".vtu": vtk_xml.write_vtu, ".vtk": vtk_legacy.write, ".bin": block.write_bin,
           ".npz": block.write_npz}


def read(path: str | Path) -> Surface:
    """The surface in a file; raises IsthmusError with the reason when it cannot be read."""
    path = Path(path)
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise IsthmusError(f"{path}: meshes are read from {', '.join(READERS)}")
    if not path.is_file():
        raise IsthmusError(f"{path}: there is no such file")
    return reader(path)


def write(path: str | Path, surface: Surface) -> None:
    """Writes the surface in the format that the ending of `path` names; creates its folder."""
    path = Path(path)
    writer = WRITERS.get(path.suffix.lower())
    if writer is None:
        raise IsthmusError(f"{path}: meshes are written as {', '.join(WRITERS)}")
    path.parent.mkdir(parents=True, exist_ok=True)
    writer(path, surface)
