# SPDX-License-Identifier: BSD-3-Clause
"""The kit for NumPy arrays, beside NumPy's own answers."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from conftest import PATIENCE, native

from isthmus.programs import mpi_environment, mpi_launcher

kit = native("kit")


def grid(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Offsets, targets and points of n x n vertices."""
    number = np.arange(n * n).reshape(n, n)
    pairs = np.concatenate([np.stack([number[:, :-1], number[:, 1:]], -1).reshape(-1, 2),
                            np.stack([number[:-1], number[1:]], -1).reshape(-1, 2)])
    pairs = np.concatenate([pairs, pairs[:, ::-1]])
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    offsets = np.concatenate([[0], np.cumsum(np.bincount(pairs[:, 0], minlength=n * n))])
    points = np.stack(np.meshgrid(np.arange(n), np.arange(n)), -1).reshape(-1, 2)
    return offsets, pairs[:, 1], points


def cut(offsets, targets, of) -> int:
    sources = np.repeat(np.arange(len(of)), np.diff(offsets))
    return int(np.sum(of[sources] != of[targets])) // 2


@pytest.mark.parametrize("method", ["kway", "recursive", "scotch"])
def test_a_graph_is_divided_evenly_with_few_edges_cut(method):
    offsets, targets, _ = grid(16)
    of = kit.divide(offsets, targets, 4, method=method, tolerance=1.05)
    assert np.bincount(of, minlength=4).max() <= 1.08 * 64
    assert cut(offsets, targets, of) <= 48  # 32 is the least


def test_several_weights_are_balanced_together():
    offsets, targets, points = grid(16)
    weights = np.stack([np.ones(256), points[:, 0] < 4], -1)
    of = kit.divide(offsets, targets, 4, weights=weights, tolerance=1.05)
    for weight in weights.T:
        assert np.bincount(of, weight, 4).max() <= 1.15 * weight.sum() / 4


@pytest.mark.parametrize("way", [kit.bisect, kit.cut_curve])
def test_points_are_divided_by_weight(way):
    points = np.random.default_rng(1).random((500, 3))
    weights = np.random.default_rng(2).integers(1, 9, 500)
    loads = np.bincount(way(points, 7, weights), weights, 7)
    assert loads.min() > 0
    assert loads.max() <= weights.sum() / 7 + 9


def test_two_codes_meet_in_pairs():
    offsets, targets, points = grid(12)
    face = np.flatnonzero(points[:, 0] == 11)
    links = np.stack([face, np.flatnonzero(points[:, 0] == 0)], -1)
    a, b = kit.divide_coupled((offsets, targets), (offsets, targets), links, points, 3, 4)
    assert len({(a[i], b[j]) for i, j in links}) <= 6
    assert np.bincount(a[links[:, 0]]).tolist() == [4, 4, 4]
    assert np.bincount(b[links[:, 1]]).tolist() == [3, 3, 3, 3]


def test_blocks_are_cut_where_they_are_too_large():
    cells, centers = [(40, 10, 4), (8, 10, 4)], [(0, 0, 0), (1, 0, 0)]
    pieces = kit.distribute_blocks(cells, centers, [(0, 1, 0)], 4)
    sizes = np.prod(pieces[:, 4:7] - pieces[:, 1:4], axis=1)
    assert np.bincount(pieces[:, 7], sizes).tolist() == [480] * 4


def test_orders_and_search():
    offsets, targets, points = grid(10)
    mixed = np.random.default_rng(3).permutation(100)
    order = kit.reverse_cuthill_mckee(offsets, targets)
    place = np.argsort(order)
    sources = np.repeat(np.arange(100), np.diff(offsets))
    assert np.abs(place[sources] - place[targets]).max() <= 11
    for curve in (kit.hilbert_order, kit.morton_order):
        assert sorted(curve(points[mixed])) == list(range(100))
    steps = np.diff(grid(8)[2][kit.hilbert_order(grid(8)[2])], axis=0)
    assert np.abs(steps).sum(axis=1).tolist() == [1] * 63
    index, queries = kit.PointIndex(points.astype(float)), np.random.default_rng(4).random((50, 2)) * 9
    ids, distances2 = index.nearest(queries)
    squares = ((queries[:, None] - points[None]) ** 2).sum(-1)
    assert len(index) == 100
    assert np.array_equal(ids, squares.argmin(axis=1))
    assert np.allclose(distances2, squares.min(axis=1))


def test_what_makes_no_sense_is_a_value_error():
    offsets, targets, points = grid(3)
    with pytest.raises(ValueError, match="10 parts are asked for of 9 vertices"):
        kit.divide(offsets, targets, 10)
    with pytest.raises(kit.Error, match="point 0 has the coordinate nan"):
        kit.bisect(np.full((2, 2), np.nan), 1)
    with pytest.raises(kit.Error, match="there is no curve"):
        kit.cut_curve(points, 2, curve="peano")
    with pytest.raises(kit.Error, match="points have 4 coordinates"):
        kit.hilbert_order(np.zeros((5, 4)))


def test_import_does_not_initialize_mpi():
    script = ("import ctypes, isthmus.kit\n"
              "flag = ctypes.c_int(7)\n"
              "ctypes.CDLL('libmpi.so.40').MPI_Initialized(ctypes.byref(flag))\n"
              "isthmus.kit.bisect([[0, 0], [1, 0]], 2)\n"
              "print(flag.value)")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True,
                          timeout=PATIENCE)
    assert done.stdout.strip() == "0"


def test_points_of_several_processes_are_divided_together():
    """Within the bounds of one process, by communicators of mpi4py."""
    pytest.importorskip("mpi4py")
    script = textwrap.dedent("""
        import numpy as np
        from mpi4py import MPI
        from isthmus import kit
        comm = MPI.COMM_WORLD
        points = np.random.default_rng(1).random((500, 3))[comm.rank::comm.size]
        weights = np.random.default_rng(2).integers(1, 9, 500)[comm.rank::comm.size]
        for way in kit.bisect, kit.cut_curve:
            loads = comm.allreduce(np.bincount(way(points, 7, weights, comm=comm), weights, 7))
            assert len(loads) == 7 and loads.min() > 0 and loads.max() <= loads.sum() / 7 + 9, loads
        print("finished")
    """)
    path = str(Path(kit.__file__).parents[1])
    job = subprocess.run([*mpi_launcher(), "-n", "3", sys.executable, "-c", script], check=False,
                         capture_output=True, text=True, timeout=PATIENCE,
                         env={**os.environ, **mpi_environment(), "PYTHONPATH": path})
    assert job.returncode == 0, job.stderr
    assert job.stdout.count("finished") == 3, job.stdout
