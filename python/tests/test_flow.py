# SPDX-License-Identifier: BSD-3-Clause
"""The flow solver from the command line: a short case on two ranks, with its files and its picture."""

import numpy as np
import pytest

from isthmus import flow, programs
from isthmus.cli import main
from isthmus.errors import FAILED, OK

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


def test_what_is_wrong_with_a_case_is_said_with_its_line(case, capsys):
    (case / "case.toml").write_text(CASE.replace('"no-slip"', '"noslip"'))
    assert main(["solve", "case.toml", "--ranks", "2"]) == FAILED
    assert 'case.toml:9: "kind" of [boundary] cannot be "noslip"; did you mean "no-slip"?' in (
        capsys.readouterr().err.replace("\n", " "))
