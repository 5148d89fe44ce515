# SPDX-License-Identifier: BSD-3-Clause
"""The grid around a section that the turbulent flow is measured on."""

import numpy as np

from isthmus.bench.measurement import Measurement
from isthmus.bench.solvers.flow_cases import Known, compared
from isthmus.bench.solvers.flow_turbulence import c_grid, extrapolated, growth, half_thickness, two_ends


def test_nodes_between_two_ends_have_the_sizes_asked_for():
    places = two_ends(0.01, 0.002, 60)
    assert places[0] == 0 and places[-1] == 1
    np.testing.assert_allclose(np.diff(places)[[0, -1]], [0.01, 0.002], rtol=0.1)
    assert (np.diff(places) > 0).all()


def test_a_c_grid_lies_on_the_section_and_meets_itself_behind_it():
    below, around, above = c_grid(16, 8, 24, 1e-4)
    for x, y in (below, around, above):
        a = np.stack([x[1:, 1:] - x[:-1, :-1], y[1:, 1:] - y[:-1, :-1]])
        b = np.stack([x[:-1, 1:] - x[1:, :-1], y[:-1, 1:] - y[1:, :-1]])
        assert (a[0] * b[1] - a[1] * b[0] > 0).all()
    assert (below[0][::-1, 0] == above[0][:, 0]).all() and (abs(above[1][:, 0]) < 1e-12).all()
    x, y = around[0][:, 0], around[1][:, 0]
    np.testing.assert_allclose(abs(y), half_thickness(np.clip(x, 0, 1)), atol=2e-5)
    assert abs(y.max() - 0.06) < 2e-3 and abs(x.min()) < 1e-4
    for before, behind in ((below, around), (around, above)):
        assert (before[0][-1] == behind[0][0]).all() and (before[1][-1] == behind[1][0]).all()


def test_each_second_node_is_that_of_the_grid_with_half_the_cells():
    finer, coarser = (c_grid(64 * n, 32 * n, 64 * n, 1e-5 * (growth(64 * n) - 1)) for n in (2, 1))
    for (x, y), (wanted_x, wanted_y) in zip(finer, coarser, strict=True):
        np.testing.assert_allclose([x[::2, ::2], y[::2, ::2]], [wanted_x, wanted_y], atol=0.01 * 500)
    for fine, coarse in zip(finer[1], coarser[1], strict=True):
        np.testing.assert_allclose(fine[::2, :81:2], coarse[:, :41], atol=1e-12)


def test_three_grids_are_extrapolated_where_differences_fall():
    def of_grid(size: float) -> list:
        known = Known(0.02, "somebody", 0.01)
        residual = Measurement("section", "residual", "", size)
        return [compared("section", "drag", 0.02 + 0.3 * size**2, known),
                compared("section", "lift", 1 + 1 / size, known), residual]

    limit, order = extrapolated([of_grid(size) for size in (0.4, 0.2, 0.1)])
    assert limit.quantity == "drag" and abs(limit.ours - 0.02) < 1e-12 and not limit.is_missed
    assert abs(order.ours - 2) < 1e-9
