# SPDX-License-Identifier: BSD-3-Clause
import json

import pytest

from isthmus.cli import main


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "config.xml"
    path.write_text("<precice-configuration/>")
    return path


def test_explains_the_whole_run(fake_programs, config, capsys):
    assert main(["check", str(config)]) == 0
    out = capsys.readouterr().out
    for words in ("A-Mesh", "provides B-Mesh", "receives B-Mesh from B", "reads F on B-Mesh", "sockets",
                  "maps A-Mesh → B-Mesh: rbf-pum-direct, conservative, before sending", "parallel-implicit",
                  "F on B-Mesh: A → B (all substeps)", "time windows of 1, until 10 windows",
                  "at most 20 iterations", "accelerated by IQN-ILS of V, F", "is correct"):
        assert words in out, words


def test_json_and_notes_about_a_participant(fake_programs, config, capsys):
    assert main(["check", str(config), "A", "3", "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["schemes"][0]["kind"] == "parallel-implicit"
    assert "gaussian is not there yet" in captured.err


def test_a_wrong_configuration_gives_the_words_of_the_program(fake_programs, config, capsys):
    config.write_text("wrong")
    assert main(["check", str(config)]) == 1
    assert "config.xml:3" in capsys.readouterr().err


def test_missing_file_and_missing_program(tmp_path, config, monkeypatch, capsys):
    assert main(["check", str(tmp_path / "none.xml")]) == 2
    monkeypatch.setattr("isthmus.programs.look_for", lambda name: None)
    assert main(["check", str(config)]) == 2
    assert "ISTHMUS_BIN" in capsys.readouterr().err
