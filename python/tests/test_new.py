# SPDX-License-Identifier: BSD-3-Clause
import pytest
from conftest import native

from isthmus import programs
from isthmus.cli import main

native("participant")


def test_a_new_case_runs(tmp_path, capsys):
    folder = tmp_path / "case"
    assert main(["new", str(folder), "Fluid", "Solid:python", "Robot"]) == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "case.toml", "fluid.py", "precice-config.xml", "robot.py", "solid.py"]
    assert f"isthmus run {folder}" in capsys.readouterr().out
    assert main(["run", str(folder), "--timeout", "60"]) == 0
    # each mean is the mean of what was read, one window old, and of the points' own 0.5
    for name, expected in (("Fluid", 5), ("Solid", 5), ("Robot", 5)):
        lines = [line for line in (folder / f"out/{name}.log").read_text().splitlines() if ": mean" in line]
        assert len(lines) == 10
        assert float(lines[-1].split()[-1]) == pytest.approx(expected, abs=0.3)


@pytest.mark.skipif(programs.look_for("isthmus-config-check") is None, reason="it is not built")
def test_the_configuration_of_a_new_case_is_correct(tmp_path):
    assert main(["new", str(tmp_path / "case"), "A:c++", "B:c", "C:fortran"]) == 0
    assert main(["check", str(tmp_path / "case/precice-config.xml")]) == 0
    text = (tmp_path / "case/CMakeLists.txt").read_text()
    assert "add_executable(c c.f90 ${precice_FORTRAN_MODULE})" in text and "CXX C Fortran" in text
    assert "@" not in "".join((tmp_path / "case" / name).read_text() for name in ("a.cpp", "b.c", "c.f90"))


@pytest.mark.parametrize(("words", "reason"), [
    (["A"], "at least two"), (["A", "a"], "each once"), (["A", "B:rust"], '"rust" is not one of python'),
    (["A", "2/3"], '"2/3" is no name'),
])
def test_wrong_participants_are_refused(tmp_path, capsys, words, reason):
    assert main(["new", str(tmp_path / "case"), *words]) == 2
    assert reason in capsys.readouterr().err
    assert not (tmp_path / "case").exists()


def test_nothing_is_overwritten(tmp_path, capsys):
    (tmp_path / "mine").write_text("work")
    assert main(["new", str(tmp_path), "A", "B"]) == 2
    assert "name a new folder" in capsys.readouterr().err
