# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest
from conftest import needs_mpi
from test_plot import is_picture

from isthmus import programs
from isthmus.cli import main
from isthmus.errors import IsthmusError
from isthmus.heat import couple
from isthmus.run.residuals import LEVELS, Board, levels

needs_heat = pytest.mark.skipif(programs.look_for("isthmus-heat") is None, reason="isthmus-heat is not built")


@needs_mpi
@needs_heat
def test_two_plates_with_all_accelerations(tmp_path, capsys):
    assert main(["demo", "--part", "heat", "--cells", "12", "--ranks", "1,2", "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    cells = [[word.strip() for word in line.split("│")] for line in out.splitlines()]
    table = {row[1]: row[2:] for row in cells if len(row) == 9}
    assert list(table) == ["constant", "Aitken", "IQN-ILS", "IQN-IMVJ"]
    totals = [int(row[0]) for row in table.values()]
    assert totals[0] > totals[1] > max(totals[2:])
    assert all(float(error) < 2e-3 for row in table.values() for error in row[3:5])
    assert "IQN-IMVJ: window 10, " in out
    for name in ("field", "convergence", "accelerations"):
        assert is_picture(tmp_path / "heat" / f"{name}.png"), name


def test_a_failure_is_told(tmp_path, monkeypatch):
    program = tmp_path / "isthmus-heat"
    program.write_text("#!/bin/sh\necho no heat today\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setenv("ISTHMUS_BIN", str(tmp_path))
    with Board("test") as board, pytest.raises(IsthmusError, match="failed"):
        couple(tmp_path / "run", "IQN-ILS", (1, 1), (4, 4), board)


def test_levels_fall_with_the_residual():
    assert levels(np.array([10.0, 0.9, 1e-9, 0.0])) == LEVELS[7] * 2 + LEVELS[0] * 2
    assert len(set(levels(10.0 ** -np.arange(0.5, 8)))) == 8
