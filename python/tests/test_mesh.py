# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest

from isthmus.cli import main
from isthmus.errors import IsthmusError
from isthmus.mesh import LEVELS, Surface, blade, quality, sheet
from isthmus.mesh.surface import triangle_normals


@pytest.mark.parametrize("family", ["A", "B"])
@pytest.mark.parametrize("vertices", [200, 201, 1234, LEVELS["M1"]])
def test_blade_is_a_closed_surface_of_exactly_the_size(family, vertices):
    surface = blade(vertices, family)
    found = quality(surface)
    assert surface.num_points == vertices
    assert found.closed and found.oriented and found.euler == 2
    assert found.smallest_area > 0


@pytest.mark.parametrize("family", ["A", "B"])
def test_blade_faces_outwards_and_encloses_its_volume(family):
    surface = blade(20_000, family)
    corners = surface.points[surface.triangles[:, 0]]
    volume = np.einsum("ij,ij->", corners, triangle_normals(surface.points, surface.triangles)) / 6
    assert volume == pytest.approx(0.001177, rel=0.01)


def test_blade_is_quasi_uniform_and_of_the_published_mesh_width():
    found = quality(blade(LEVELS["M1"]))
    assert found.mean_edge == pytest.approx(0.0025, rel=0.1)
    assert found.longest_edge < 5 * found.mean_edge


def test_families_share_no_vertex_but_the_same_surface():
    b, a = blade(4000, "B"), blade(3200, "A")
    distance = np.sqrt(((a.points[:, None] - b.points[None]) ** 2).sum(2)).min(1)
    inner = np.abs(a.points[:, 2] - 0.5) < 0.45
    assert np.median(distance[inner]) > 0.1 * quality(b).mean_edge
    assert distance.max() < quality(b).longest_edge


def test_blade_refuses_what_it_cannot_make():
    with pytest.raises(IsthmusError, match="at least 200"):
        blade(10)
    with pytest.raises(IsthmusError, match="family"):
        blade(1000, "C")


@pytest.mark.parametrize(("n", "m"), [(2, 2), (5, 3), (17, 31)])
def test_sheet(n, m):
    surface = sheet(n, m, length=2.0, width=0.5)
    found = quality(surface)
    assert (surface.num_points, surface.num_triangles) == (n * m, 2 * (n - 1) * (m - 1))
    assert found.euler == 1 and found.oriented and found.area == pytest.approx(1.0)
    assert found.boundary_edges == 2 * (n - 1 + m - 1)


def test_sheet_in_the_plane_and_with_waves():
    assert sheet(4, 4, dimensions=2).points.shape == (16, 2)
    assert np.ptp(sheet(20, 20, wave=0.1).points[:, 2]) == pytest.approx(0.2, rel=0.1)
    with pytest.raises(IsthmusError):
        sheet(1, 5)


def test_quality_sees_defects():
    tetrahedron = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    good = quality(Surface(points, tetrahedron))
    assert good.closed and good.oriented and good.euler == 2
    assert good.area == pytest.approx(1.5 + np.sqrt(3) / 2)
    flipped = tetrahedron.copy()
    flipped[0] = flipped[0, ::-1]
    assert not quality(Surface(points, flipped)).oriented
    assert not quality(Surface(points, tetrahedron[1:])).closed


def test_command_writes_every_format(tmp_path, capsys):
    out = tmp_path / "meshes"
    assert main(["mesh", "blade", "--vertices", "500", "--format", "vtu,vtk,bin,npz", "--out", str(out)]) == 0
    names = {f"blade500-{family}.{ending}" for family in "AB" for ending in ("vtu", "vtk", "bin", "npz")}
    assert {path.name for path in out.iterdir()} == names
    assert main(["mesh", "sheet", "4", "--out", str(out)]) == 0
    assert (out / "sheet4x4.vtu").is_file()


@pytest.mark.parametrize("arguments", [["blade"], ["blade", "M9"], ["blade", "M1", "--vertices", "9"],
                                       ["blade", "M1", "--format", "png"], []])
def test_command_refuses_bad_requests(arguments, capsys):
    assert main(["mesh", *arguments]) == 2
    assert capsys.readouterr().err
