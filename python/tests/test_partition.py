# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest

from isthmus.cli import main
from isthmus.errors import IsthmusError
from isthmus.formats import block, write
from isthmus.mesh import Surface, blade, sheet
from isthmus.partition import METHODS, hilbert_keys, partition, partition_vertices

SURFACE = blade(3000)


def as_rows(triangles):
    return sorted(map(tuple, triangles.tolist()))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("ranks", [1, 2, 3, 7, 64])
def test_every_triangle_lives_on_exactly_one_rank(method, ranks):
    dealt = partition(SURFACE, ranks, method)
    assert len(dealt.parts) == ranks and dealt.lost_triangles == 0
    whole = np.concatenate([part.vertices[part.triangles] for part in dealt.parts])
    assert as_rows(whole) == as_rows(SURFACE.triangles)
    for part in dealt.parts:
        assert np.array_equal(part.points, SURFACE.points[part.vertices])
        assert (np.diff(part.vertices) > 0).all()
        assert np.array_equal(np.unique(part.triangles), np.arange(len(part.vertices)))
    counts = [len(part.triangles) for part in dealt.parts]
    assert max(counts) - min(counts) <= np.ceil(np.log2(ranks)) + 1


@pytest.mark.parametrize("method", METHODS)
def test_every_vertex_exists_with_and_without_triangles(method):
    cloud = Surface(SURFACE.points)
    half = Surface(SURFACE.points, SURFACE.triangles[: len(SURFACE.triangles) // 2])
    for surface in (cloud, half):
        dealt = partition(surface, 5, method)
        assert np.array_equal(np.unique(np.concatenate([p.vertices for p in dealt.parts])), np.arange(3000))
    assert partition(cloud, 5, method).copies() == 0


@pytest.mark.parametrize("method", METHODS)
def test_vertex_based_partition_loses_the_triangles_between_ranks(method):
    dealt = partition_vertices(SURFACE, 6, method)
    assert dealt.copies() == 0
    owner = np.empty(3000, int)
    for rank, part in enumerate(dealt.parts):
        owner[part.vertices] = rank
    kept = (owner[SURFACE.triangles] == owner[SURFACE.triangles[:, :1]]).all(1)
    assert dealt.lost_triangles == (~kept).sum() > 0
    whole = np.concatenate([part.vertices[part.triangles] for part in dealt.parts])
    assert as_rows(whole) == as_rows(SURFACE.triangles[kept])


@pytest.mark.parametrize("dimensions", [2, 3])
def test_hilbert_curve_visits_neighbours_one_after_the_other(dimensions):
    grid = np.stack(np.meshgrid(*[np.arange(16)] * dimensions), -1).reshape(-1, dimensions)
    keys = hilbert_keys(grid.astype(float), bits=4)
    assert np.array_equal(np.sort(keys), np.arange(16**dimensions))
    assert (np.abs(np.diff(grid[np.argsort(keys)], axis=0)).sum(1) == 1).all()


def test_bisection_gives_boxes_that_do_not_overlap():
    parts = partition(Surface(np.random.default_rng(1).random((4096, 3))), 16).parts
    boxes = [(part.points.min(0), part.points.max(0)) for part in parts]
    for i, (low, high) in enumerate(boxes):
        for other_low, other_high in boxes[:i]:
            assert (low > other_high).any() or (other_low > high).any()


def test_impossible_requests():
    for ranks in (0, 100):
        with pytest.raises(IsthmusError, match="dealt"):
            partition(sheet(3, 3), ranks)
    with pytest.raises(IsthmusError, match="method"):
        partition(SURFACE, 2, "magic")


def test_command_writes_parts(tmp_path, capsys):
    write(tmp_path / "mesh.vtu", SURFACE)
    prefix = str(tmp_path / "parts" / "mesh")
    assert main(["partition", str(tmp_path / "mesh.vtu"), "3", "--out", prefix]) == 0
    expected = partition(SURFACE, 3).parts
    for rank, part in enumerate(expected):
        found = block.read_part(tmp_path / "parts" / f"mesh.{rank}.part")
        assert np.array_equal(found.points, part.points)
        assert np.array_equal(found.triangles, part.triangles)
        assert np.array_equal(found.vertices, part.vertices)
    assert main(["partition", str(tmp_path / "mesh.vtu"), "3", "--by", "vertices"]) == 0
    assert "lost triangles: 0" not in capsys.readouterr().out.splitlines()[-1]
