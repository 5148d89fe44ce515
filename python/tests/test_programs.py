# SPDX-License-Identifier: BSD-3-Clause
from pathlib import Path

import pytest

from isthmus import programs


def make_program(path: Path) -> Path:
    path.parent.mkdir(parents=True)
    path.touch(mode=0o755)
    return path


@pytest.fixture
def tree(tmp_path, monkeypatch):
    monkeypatch.delenv("ISTHMUS_BIN", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_programs_of_the_demo_are_found_where_there_is_no_other_build(tree, monkeypatch):
    demo = make_program(tree / "build/demo/cli/isthmus-nowhere-else")
    assert programs.look_for("isthmus-nowhere-else") == demo
    (tree / "case").mkdir()
    monkeypatch.chdir(tree / "case")
    assert programs.look_for("isthmus-nowhere-else") == demo
    release = make_program(tree / "build/release/cli/isthmus-nowhere-else")
    assert programs.look_for("isthmus-nowhere-else") == release
    given = make_program(tree / "given/isthmus-nowhere-else")
    monkeypatch.setenv("ISTHMUS_BIN", str(given.parent))
    assert programs.look_for("isthmus-nowhere-else") == given


def test_a_program_that_is_nowhere_has_no_path(tree):
    make_program(tree / "build/demo/cli/isthmus-nowhere-else").chmod(0o644)
    assert programs.look_for("isthmus-nowhere-else") is None
