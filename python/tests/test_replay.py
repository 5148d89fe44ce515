# SPDX-License-Identifier: BSD-3-Clause
import json
from xml.etree import ElementTree

import numpy as np
import pytest
from conftest import needs_mpi

from isthmus import formats
from isthmus.cli import main
from isthmus.errors import IsthmusError
from isthmus.functions import FUNCTIONS, evaluate
from isthmus.mesh import blade, sheet
from isthmus.replay import Coupling, Mapping, Settings, Side, replay
from isthmus.replay.coupling import write_config


def settings(out, **others) -> Settings:
    a, b = Side("A", blade(800, "A"), 2), Side("B", blade(1000, "B"), 1)
    return Settings([a, b], out, **others)


@needs_mpi
def test_errors_and_files(fake_programs, tmp_path, capsys):
    result = replay(settings(tmp_path / "out"))
    worst = 0.002  # of the second rank
    errors = result.sides["A"].errors
    assert errors["S"].max == pytest.approx(worst)
    assert errors["V"].max == pytest.approx(worst * np.sqrt(3))
    assert worst / 2 < errors["S"].l2 < worst
    assert result.errors() == errors and "warning" not in capsys.readouterr().err
    found = json.loads((tmp_path / "out/errors.json").read_text())
    assert found["errors"]["A"]["S"]["max"] == errors["S"].max

    whole = formats.read(tmp_path / "out/A.vtu")
    assert np.array_equal(whole.points, blade(800, "A").points)
    exact = evaluate("cosine", whole.points, 1)[:, 0]
    assert np.allclose(whole.point_data["S_exact"], exact)
    assert np.allclose(whole.point_data["S"] - exact, whole.point_data["S_error"])
    pieces = formats.read(tmp_path / "out/A.pvtu")
    assert pieces.num_triangles == whole.num_triangles == blade(800, "A").num_triangles
    assert set(np.unique(pieces.cell_data["rank"])) == {0, 1}


@needs_mpi
def test_the_command(fake_programs, tmp_path, capsys):
    arguments = ["replay", "blade:1000", "--ranks", "1,2", "--windows", "4", "--out", str(tmp_path / "out")]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "2.000e-03" in out and "initialize" in out and "A.vtu" in out
    assert '<max-time-windows value="4"/>' in (tmp_path / "out/config.xml").read_text()


def test_mesh_files_and_a_failing_participant(fake_programs, tmp_path, monkeypatch, capsys):
    formats.write(tmp_path / "a.vtk", sheet(8, 9))
    formats.write(tmp_path / "b.vtu", sheet(10, 10))
    arguments = ["replay", str(tmp_path / "b.vtu"), str(tmp_path / "a.vtk"), "--out", str(tmp_path / "out")]
    assert main([*arguments, "--data", "scalar", "--function", "linear"]) == 0
    assert list(json.loads((tmp_path / "out/errors.json").read_text())["errors"]["A"]) == ["S"]
    monkeypatch.setenv("FAKE_FAILS", "A")
    assert main(arguments) == 5
    assert "A has had enough" in capsys.readouterr().err
    assert not (tmp_path / "out/A.json").exists()


def test_a_given_configuration_names_meshes_and_data(fake_programs, tmp_path, capsys):
    config = tmp_path / "mine.xml"
    config.write_text('<provide-mesh name="A-Mesh"/> <provide-mesh name="B-Mesh"/>')
    arguments = ["replay", "sheet:6", "--config", str(config), "--out", str(tmp_path / "out")]
    assert main(arguments) == 0
    errors = json.loads((tmp_path / "out/errors.json").read_text())["errors"]
    assert {side: list(data) for side, data in errors.items()} == {"A": ["S", "V"], "B": ["F"]}
    assert main([*arguments, "--participants", "X,Y"]) == 2


@pytest.mark.parametrize("arguments", [["none.vtu"], ["blade:x"], ["blade:M1", "--ranks", "0,1"],
                                       ["sheet:4", "--ranks", "1,99"], []])
def test_bad_requests(fake_programs, tmp_path, arguments, capsys):
    assert main(["replay", *arguments, "--out", str(tmp_path / "out")]) == 2


@pytest.mark.parametrize("mapping", ["nearest-neighbor", "rbf-pum-direct"])
def test_configuration(tmp_path, mapping):
    wanted = settings(tmp_path, mapping=Mapping(mapping),
                      coupling=Coupling(vector=False, initialization="two-level"))
    write_config(tmp_path / "c.xml", wanted)
    text = (tmp_path / "c.xml").read_text()
    for prefix in ("data", "m2n", "mapping", "coupling-scheme", "basis-function"):
        text = text.replace(f"{prefix}:", f"{prefix}-")
    root = ElementTree.fromstring(text)
    assert [data.get("name") for data in root.findall("data-scalar")] == ["S"]
    assert root.find("m2n-sockets").get("use-two-level-initialization") == "true"
    assert root.find("m2n-sockets").get("initialization") is None
    found = root.find(f"participant/mapping-{mapping}")
    assert (found.get("from"), found.get("to")) == ("B-Mesh", "A-Mesh")
    assert (found.find("basis-function-compact-polynomial-c6") is not None) == mapping.startswith("rbf")
    wanted.coupling.scalar = False
    with pytest.raises(IsthmusError, match="scalar data, vector data"):
        write_config(tmp_path / "c.xml", wanted)


@pytest.mark.parametrize("constraint", ["consistent", "conservative", "scaled-consistent-surface"])
def test_several_ranks_may_use_the_mapping(tmp_path, constraint):
    file = tmp_path / "config.xml"
    mapping = Mapping(constraint=constraint)
    write_config(file, settings(tmp_path, mapping=mapping, coupling=Coupling(back=True)))
    assert main(["check", str(file), "A", "2"]) == 0


def test_functions():
    x = np.array([[2 / 9, 2 / 9], [4 / 9, 7 / 9]])
    # evaluated by hand from the four bumps of Franke's function
    expected = [0.75 + 0.75 * np.exp(-9 / 49 - 0.3) + 0.5 * np.exp(-26 / 4) - 0.2 * np.exp(-29),
                0.75 * np.exp(-29 / 4) + 0.75 * np.exp(-25 / 49 - 0.8) + 0.5 * np.exp(-25 / 4) - 0.2]
    assert np.allclose(FUNCTIONS["franke"](x), expected)
    point = np.array([[0.1, 0.2, 0.3]])
    assert FUNCTIONS["cosine"](point) == pytest.approx(0.78 + np.cos(6.0))
    assert FUNCTIONS["linear"](point) == pytest.approx(1 + 0.1 + 0.4 + 0.9)
    f = FUNCTIONS["cosine"](point)[0]
    assert np.allclose(evaluate("cosine", point, 3), [[0.1 * f, 0.3 * f, f]])
    assert np.allclose(evaluate("constant", point[:, :2], 2), [[0.1, 1.0]])
    with pytest.raises(IsthmusError):
        evaluate("constant", point, 2)
    with pytest.raises(IsthmusError):
        evaluate("sine", point, 1)
