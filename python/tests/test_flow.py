# SPDX-License-Identifier: BSD-3-Clause
"""The flow solver from the command line: a short case on two ranks, with its files and its picture."""

import numpy as np
import pytest

from isthmus import programs
from isthmus.cli import main
from isthmus.errors import FAILED, OK
from isthmus.solvers import flow

pytestmark = pytest.mark.skipif(programs.look_for(flow.PROGRAM) is None, reason="no flow solver")

CASE = """
[flow]
mach = 0.2
reynolds = 40
[grid]
file = "ring.xyz"
[[boundary]]
name = "wall"
kind = "no-slip"
sides = ["*:j-min"]
[[boundary]]
name = "far"
kind = "far-field"
sides = ["*:j-max"]
[run]
iterations = 20
output = "out"
"""


@pytest.fixture
def case(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "case.toml").write_text(CASE)
    assert main(["mesh", "cylinder", "--cells", "24", "12", "--blocks", "2", "1", "--out", "ring.xyz"]) == OK
    return tmp_path


def test_a_case_is_solved_drawn_and_continued(case, capsys):
    assert main(["solve", "case.toml", "--ranks", "2"]) == OK
    printed = capsys.readouterr().out
    assert "iteration 10 " in printed and "ended after 20 iterations" in printed and "drag" in printed
    assert (case / "out/flow.png").stat().st_size > 10_000
    fields = flow.read_fields(case / "out")
    assert [field.values.shape for field in fields] == [(1, 5, 12, 12, 1)] * 2
    assert fields[0].points.shape == (13, 13, 1, 3)
    radii = np.hypot(*np.moveaxis(fields[1].points[:, 0, 0, :2], -1, 0))
    assert radii == pytest.approx(0.5)
    assert fields[0].mach()[:, 0].max() < fields[0].mach()[:, -1].min()
    assert main(["solve", "case.toml", "--restart", "out/flow.blocks", "--no-picture"]) == OK
    assert "step 20 " in capsys.readouterr().out


def test_the_vorticity_of_a_solid_turn_is_twice_its_speed_on_any_grid():
    i, j = np.meshgrid(np.linspace(0, 1, 9), np.linspace(1, 2, 7), indexing="ij")
    points = np.stack([j * np.cos(i), j * np.sin(i), 0 * i], axis=-1)[:, :, None]
    field = flow.Field(points, np.empty((1, 5, 8, 6, 1)))
    x, y = np.moveaxis(field.centers(), -1, 0)
    field.values[0, 0, :, :, 0] = 2
    field.values[0, 1, :, :, 0], field.values[0, 2, :, :, 0] = -2 * 0.3 * y, 2 * 0.3 * x
    assert field.vorticity() == pytest.approx(np.full((8, 6), 0.6))


def test_snapshots_give_the_polynomial_through_them():
    def load(angles):
        return 0.3 + np.sin(angles) - 0.2 * np.cos(2 * angles)

    angles = np.linspace(0, 2 * np.pi, 40)
    assert flow.through_snapshots(load(2 * np.pi * np.arange(5) / 5), angles) == pytest.approx(load(angles))
    assert flow.through_snapshots(np.array([2.0]), angles) == pytest.approx(np.full(40, 2.0))


def test_what_is_wrong_with_a_case_is_said_with_its_line(case, capsys):
    (case / "case.toml").write_text(CASE.replace('"no-slip"', '"noslip"'))
    assert main(["solve", "case.toml", "--ranks", "2"]) == FAILED
    assert 'case.toml:9: "kind" of [boundary] cannot be "noslip"; did you mean "no-slip"?' in (
        capsys.readouterr().err.replace("\n", " "))


def test_a_serial_program_reads_what_any_ranks_have_written(case):
    """Two levels of a run in time and snapshots of harmonics, from 1 and 3 ranks: the same numbers, and those
    that the solver printed: the drag is that of the pressure on the wall, of a flow without viscosity."""
    text = CASE.replace("reynolds = 40\n", "").replace('"no-slip"', '"slip"')
    pitching = "[motion]\namplitude = 10\nreduced-frequency = 0.3\n"
    kinds = {"dual": "[time]\nkind = \"dual\"\nstep = 0.5\nsteps = 2\n",
             "harmonic": "[time]\nkind = \"harmonic\"\nharmonics = 1\n"}
    for kind, words in kinds.items():
        (case / "case.toml").write_text(text + pitching + words)
        fields = []
        for ranks in (1, 3):
            solved = flow.solve(case / "case.toml", ranks, None, lambda _: None)
            fields.append(flow.read_fields(solved.output))
        for one, other in zip(*fields, strict=True):
            assert np.array_equal(one.values, other.values) and np.array_equal(one.points, other.points)
            assert one.values.shape == ((1, 10) if kind == "dual" else (3, 5)) + (12, 12, 1)
        for snapshot, row in enumerate(solved.loads[-fields[0][0].values.shape[0]:]):
            force = np.zeros(2)
            for field in fields[0]:
                along = np.diff(field.points[:, 0, 0, :2], axis=0)  # the body is on the right
                into = np.stack((along[:, 1], -along[:, 0]))
                first, second = (field.pressure(snapshot=snapshot)[:, j, 0] for j in (0, 1))
                force += (into * (1.5 * first - 0.5 * second)).sum(axis=1) / (0.5 * 0.2**2)
            turn = np.radians(row["incidence"])
            drag = np.cos(turn) * force[0] + np.sin(turn) * force[1]
            assert drag == pytest.approx(row["drag"], rel=0.1, abs=0.05), (kind, snapshot)
        assert max(abs(row["drag"]) for row in solved.loads) > 0.5


def test_the_log_of_a_coupled_run_is_passed_on_and_not_read(case, monkeypatch, capsys):
    (case / "out").mkdir()
    (case / "out/loads.csv").write_text("time,incidence,lift,drag,moment,power\n0,0,1,2,3,4\n")
    fake = case / "fake"
    fake.write_text("#!/bin/sh\necho step,iteration,time\n"
                    "echo '---[isthmus] Fluid:0 time window 1, repeated, twice'\necho 1,7,0.5\n"
                    "echo converged after 7 iterations, output in out\n")
    fake.chmod(0o755)
    monkeypatch.setattr(flow.programs, "find", lambda _: fake)
    solved = flow.solve(case / "case.toml", 1, None, lambda _: None)
    assert solved.history == [{"step": 1, "iteration": 7, "time": 0.5}] and solved.loads[0]["power"] == 4
    assert "time window 1, repeated, twice" in capsys.readouterr().err
