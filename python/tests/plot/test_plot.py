# SPDX-License-Identifier: BSD-3-Clause
import warnings

import numpy as np
import pytest
from conftest import needs_mpi
from matplotlib.figure import Figure
from matplotlib.image import imread

from isthmus import plot
from isthmus.bench.measurement import Measurement
from isthmus.cli import main
from isthmus.errors import IsthmusError
from isthmus.mesh import Surface, blade, sheet
from isthmus.plot.comparison import OTHERS, OURS, comparison_picture
from isthmus.plot.render import camera_for, draw


def is_picture(path) -> bool:
    """More than paper: at least a tenth of a percent of it is coloured."""
    image = imread(path)[:, :, :3]
    return image.shape[1] > 1000 and (np.ptp(image, axis=2) > 0.2).mean() > 0.001


@needs_mpi
def test_demo_draws_everything(fake_programs, tmp_path, capsys):
    assert main(["demo", "--part", "blade", "--vertices", "900", "--out", str(tmp_path)]) == 0
    assert "error against the analytic function" in capsys.readouterr().out
    for name in ("field", "error", "partition", "timeline"):
        assert is_picture(tmp_path / f"{name}.png"), name


def test_open_surfaces_and_single_ranks(tmp_path):
    surface = sheet(9, 7, wave=0.1)
    surface.cell_data["rank"] = np.zeros(surface.num_triangles, np.int32)
    assert is_picture(plot.partition_picture(tmp_path / "p.png", {"B": surface}))


def test_the_camera_is_right_handed_and_sees_the_longest_side_across():
    for surface in (blade(500), sheet(4, 9, length=3.0), sheet(3, 3, width=2, dimensions=2)):
        for back in (False, True):
            camera = camera_for(surface, back)
            assert np.allclose(camera.axes @ camera.axes.T, np.eye(3))
            assert np.linalg.det(camera.axes) == pytest.approx(1.0)
            extent = np.ptp(camera.project(surface.points3()), 0)
            assert extent[0] == extent.max()


def test_what_faces_away_is_not_drawn():
    cube = np.array([[0, 1, 2]])
    points = np.array([[0, 0, 0], [2, 0, 0], [0, 1, 0]], float)
    for triangles, expected in ((cube, 1), (cube[:, ::-1], 0)):
        axes = Figure().add_subplot()
        surface = Surface(points, np.concatenate([triangles, cube]))
        camera = camera_for(surface)
        normal_up = camera.axes[2, 2] > 0
        draw(axes, surface, np.ones((2, 3)), camera)
        drawn = len(axes.collections[0].get_paths())
        assert drawn == (1 + expected if normal_up else 1 - expected)


def test_time_line_needs_spans(tmp_path):
    with pytest.raises(IsthmusError, match="spans"):
        plot.timeline_picture(tmp_path / "t.png", {"A": {}})
    spans = [{"rank": 0, "name": "initialize", "begin": 5.0, "end": 6.0},
             {"rank": 0, "name": "initialize/match", "begin": 5.2, "end": 5.5}]
    assert is_picture(plot.timeline_picture(tmp_path / "t.png", {"A": {"spans": spans}}))


@pytest.mark.parametrize(("ours", "known"), [(-0.387, -0.389), (1720.0, 1708.0), (0.31, 0.64)])
def test_results_of_a_solver_are_drawn_beside_the_known_ones_whatever_their_sign(tmp_path, ours, known):
    result = Measurement("cavity", "least u", "", ours, known, "Botella, Peyret (1998)")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # an axis of powers of ten has no place for what is negative
        picture = comparison_picture(tmp_path / "a.png", "natural convection", "beside results", [result])
    pixels = imread(picture)[..., :3]
    for colour in (OURS, OTHERS):
        rgb = np.array([int(colour[k:k + 2], 16) for k in (1, 3, 5)]) / 255
        below_legend = pixels[pixels.shape[0] // 4:]
        assert (np.abs(below_legend - rgb).max(axis=2) < 0.02).sum() > 50, colour


def test_long_cases_have_several_lines_and_all_panels_have_room(tmp_path):
    case = ("a section of no thickness, by the two, pitching by 1 degree, M 0.1, reduced frequency 0.3, "
            "no viscosity, one harmonic")
    rows = [Measurement(case, f"quantity {number}", "s", 1.0, 2.0, "another program " * 20)
            for number in range(20)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # of axes that have no room
        picture = comparison_picture(tmp_path / "a.png", "files", "beside another", rows)
    pixels = imread(picture)[..., :3]
    assert (pixels[:, :3] == 1).all()  # nothing is cut off at the left
    assert (pixels[:, -3:] == 1).all()


def test_a_small_difference_is_good_and_no_result_to_be_met(tmp_path):
    found = Measurement("a plate", "largest difference of u", "", 0.004, 0.02, "at most")
    pixels = imread(comparison_picture(tmp_path / "a.png", "flow", "beside results", [found]))[..., :3]
    green = np.array([0x2a, 0x6b, 0x2a]) / 255
    assert (np.abs(pixels - green).max(axis=2) < 0.02).sum() > 20
