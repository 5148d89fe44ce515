# SPDX-License-Identifier: BSD-3-Clause
"""`isthmus solve` with cases of convection and of particles; those of flow on blocks are in test_flow.py."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from isthmus import programs
from isthmus.cli import main
from isthmus.commands import solve as solve_command
from isthmus.errors import FAILED, OK, USAGE
from isthmus.plot.convection import cut
from isthmus.solvers import convection, particles
from isthmus.solvers.series import Moment, last_moment

CONDUCTION = """
[mesh]
cells = [4, 4, 4]
box = [2, 1, 1]
[fluid]
rayleigh = 1
prandtl = 1
[[boundary]]
group = "z-min"
temperature = 1
[[boundary]]
group = "z-max"
temperature = 0
[[boundary]]
group = "x-min"
[[boundary]]
group = "x-max"
[[boundary]]
group = "y-min"
[[boundary]]
group = "y-max"
[time]
step = 10
steps = 20
[output]
folder = "out"
every = 20
"""
DAM = """
[particles]
spacing = 0.02
[liquid]
gravity = [0, -9.81]
[tank]
lower = [0, 0]
upper = [0.4, 0.3]
open = ["top"]
[[water]]
lower = [0, 0]
upper = [0.1, 0.2]
[time]
end = 0.05
[output]
folder = "out"
every = 0.02
"""

BOX = """
[particles]
dimensions = "3d"
spacing = 0.02
[liquid]
gravity = [0, 0, -9.81]
[tank]
lower = [0, 0, 0]
upper = [0.4, 0.1, 0.3]
open = ["back"]
[[water]]
lower = [0, 0, 0]
upper = [0.1, 0.1, 0.1]
[[obstacle]]
lower = [0.2, 0.02, 0]
upper = [0.26, 0.08, 0.06]
[time]
end = 0.02
[output]
folder = "out"
every = 0.02
"""


@pytest.fixture
def solve(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(case, *arguments):
        (tmp_path / "case.toml").write_text(case)
        return main(["solve", "case.toml", *arguments])

    return run


def needs(program):
    return pytest.mark.skipif(programs.look_for(program) is None, reason=f"no {program}")


@needs(convection.PROGRAM)
@pytest.mark.parametrize("ranks", ["1", "2", "3"])
def test_convection_is_solved_written_and_drawn(solve, tmp_path, capsys, ranks):
    assert solve(CONDUCTION, "--ranks", ranks) == OK
    printed = capsys.readouterr().out
    assert "heat: z-min +" in printed and "steady after" in printed
    assert printed.count("mean pressure is made zero") == 1
    assert ("sums over interfaces took" in printed) == (ranks != "1")
    assert (tmp_path / "out/convection.png").stat().st_size > 10_000
    moment = last_moment(tmp_path / "out")
    assert moment.tetrahedra.shape == (4 * 4 * 4 * 6, 4)
    assert moment.data["temperature"] == pytest.approx(1 - moment.points[:, 2], abs=1e-3)  # conduction


@needs(convection.PROGRAM)
def test_convection_goes_on_on_other_ranks(solve, tmp_path, capsys):
    case = CONDUCTION.replace("steps = 20", "steps = 1\nsteady = 0").replace("step = 10", "step = 0.1")
    assert solve(case, "--ranks", "2", "--no-picture") == OK
    assert solve(case, "--restart", "out/convection.restart", "--ranks", "3", "--no-picture") == OK
    assert "ended after 2 steps" in capsys.readouterr().out
    assert last_moment(tmp_path / "out").time == pytest.approx(0.2)
    assert solve(case.replace("[4, 4, 4]", "[4, 4, 5]"), "--restart", "out/convection.restart") == FAILED
    assert "is of another mesh: it has 125 nodes, this one 150" in capsys.readouterr().err


@needs(particles.PROGRAM)
@pytest.mark.parametrize("ranks", ["1", "2"])
def test_particles_are_moved_written_and_drawn(solve, tmp_path, capsys, ranks):
    assert solve(DAM, "--ranks", ranks) == OK
    said = capsys.readouterr().out
    assert "with 50 particles of fluid, 0 left the tank" in said.replace("\n", " ")
    assert re.search(r"speed in m/s +│ +0\.\d+ │ +0\.\d+ │ +0\.\d+", said)
    assert ("imbalance of busy time" in said) == (ranks == "2")
    assert (tmp_path / "out/particles.png").stat().st_size > 10_000
    moment = last_moment(tmp_path / "out")
    assert moment.time == pytest.approx(0.05)
    assert np.count_nonzero(moment.data["kind"] == 0) == 50


@needs(particles.PROGRAM)
def test_particles_in_space_are_drawn(solve, tmp_path, capsys):
    assert solve(BOX) == OK
    assert "with 125 particles of fluid" in capsys.readouterr().out.replace("\n", " ")
    assert (tmp_path / "out/particles.png").stat().st_size > 10_000


def test_the_time_that_is_left_follows_from_the_part_that_is_done(monkeypatch):
    clock = iter([0, 2, 10, 30])  # beginning, then once for each line
    monkeypatch.setattr(solve_command, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    shown = solve_command._Shown(str, lambda line: line["time"] / 4)
    assert [shown.left({"time": time}) for time in (1, 2, 3.5)] == ["", ", 16 s left", ", 6 s left"]
    assert solve_command._Shown.left(SimpleNamespace(reached=None), {}) == ""


def test_a_case_of_no_solver_is_refused(solve, capsys):
    assert solve("[stars]\nnumber = 3\n") == USAGE
    assert "case.toml: no solver has such a case" in capsys.readouterr().err


def test_a_restart_from_a_file_that_is_not_there_is_an_error(solve, capsys):
    assert solve(DAM, "--restart", "flow.blocks") == FAILED
    assert "flow.blocks" in capsys.readouterr().err


def test_a_plane_through_a_cube_of_tetrahedra_has_its_area_and_its_values():
    """Kuhn's six tetrahedra; the values are linear in space."""
    points = np.array([[x, y, z] for z in (0.0, 1) for y in (0.0, 1) for x in (0.0, 1)])
    paths = [(1, 3), (1, 5), (2, 3), (2, 6), (4, 5), (4, 6)]
    cells = np.array([[0, a, b, 7] for a, b in paths])
    values = points @ [1.0, 2.0, 4.0]
    corners, found = cut(Moment(0, points, cells, {}), 1, 0.3, values)
    assert corners[:, :, 1] == pytest.approx(0.3)
    assert found == pytest.approx(corners @ [1.0, 2.0, 4.0])
    sides = corners[:, 1:] - corners[:, :1]
    assert np.abs(np.cross(sides[:, 0], sides[:, 1])[:, 1]).sum() / 2 == pytest.approx(1)


@needs(particles.PROGRAM)
def test_demo_shows_a_gate_that_water_opens(tmp_path, capsys):
    assert main(["demo", "gate", "--seconds", "0.0006", "--out", str(tmp_path)]) == OK
    assert f"picture: {tmp_path / 'gate/out/gate.png'}" in capsys.readouterr().out.replace("\n", "")
    assert (tmp_path / "gate/out/gate.png").stat().st_size > 5_000
    rows = np.loadtxt(tmp_path / "gate/out/gate.csv", delimiter=",", skiprows=1)
    assert rows[:, 0] == pytest.approx([0.0002, 0.0004, 0.0006])
    assert np.all(np.diff(rows[:, 1]) > 0)  # it opens
