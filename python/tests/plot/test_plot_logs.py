# SPDX-License-Identifier: BSD-3-Clause
import os

import numpy as np
import pytest
from test_plot import is_picture

from isthmus import formats
from isthmus.cli import main
from isthmus.errors import IsthmusError
from isthmus.live.snapshot import Snapshots
from isthmus.mesh import sheet
from isthmus.run.residuals import Board, RunResiduals
from isthmus.run_logs import FIRST, find, read

CONVERGENCE = """  TimeWindow  Iteration  ResRel(MB:Flux)  ResAbs(MA:Temp)
     1       1   1.00000000e+00   3.46410162e+00
     1       2   1.00000000e-02   1.34629120e-01
     1       3   1.00000000e-05   0.00000000e+00
     2       1   2.00000000e-02   3.00000000e-01
     2       2   1.00000000e-06   1.00000000e-04"""
ITERATIONS = """TimeWindow TotalIterations Iterations Convergence QNColumns DeletedQNColumns DroppedQNColumns
     1       3       3       1       2       0       0
     2       5       2       0       3       1       0"""
WATCH = """  Time  Coordinate0  Coordinate1  Temp  Force0  Force1
 0.00000000e+00   1.00000000e+00   0.00000000e+00   0.00000000e+00   0.00000000e+00   2.00000000e+00
 1.00000000e+00   1.00000000e+00   0.00000000e+00   6.10000000e+01   1.00000000e+01   3.00000000e+00"""


@pytest.fixture
def logs(tmp_path):
    (tmp_path / "precice-B-convergence.log").write_text(CONVERGENCE)
    (tmp_path / "precice-B-iterations.log").write_text(ITERATIONS)
    (tmp_path / "precice-My-Solver-watchpoint-tip-of-flap.log").write_text(WATCH)
    (tmp_path / "other.log").write_text("")
    return tmp_path


def test_a_folder_of_logs(logs, capsys):
    assert main(["plot", str(logs), "--out", str(logs / "pictures")]) == 0
    out = capsys.readouterr().out
    assert "at last ResAbs(MA:Temp) = 1.00e-04" in out
    assert "2.5 iterations per window, 3 at most, 1 windows without convergence" in out
    assert "until t = 1" in out
    for name in ("B-convergence", "B-iterations", "My-Solver-watchpoint-tip-of-flap"):
        assert is_picture(logs / f"pictures/precice-{name}.png"), name


def test_logs_of_participants_in_folders_of_their_own(tmp_path, capsys):
    for place, name, text in (("fluid", "precice-A-convergence.log", CONVERGENCE),
                              ("solid-calculix", "precice-B-iterations.log", ITERATIONS),
                              ("solid-calculix/old", "precice-B-convergence.log", CONVERGENCE),
                              (".git", "precice-C-iterations.log", ITERATIONS)):
        (tmp_path / place).mkdir()
        (tmp_path / place / name).write_text(text)
    assert main(["plot", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count("written: ") == 2
    assert (tmp_path / "fluid/precice-A-convergence.png").is_file()
    assert (tmp_path / "solid-calculix/precice-B-iterations.png").is_file()
    for path in (tmp_path / "fluid", tmp_path / "solid-calculix"):
        for log in path.glob("*.log"):
            log.unlink()
    assert find([tmp_path]) == [tmp_path / "solid-calculix/old/precice-B-convergence.log"]  # the next level


def test_of_logs_with_one_name_the_newest_counts(tmp_path):
    (tmp_path / "before").mkdir()
    old, new = tmp_path / "before/precice-B-iterations.log", tmp_path / "precice-B-iterations.log"
    for path, age in ((old, 1000), (new, 0)):
        path.write_text(ITERATIONS)
        os.utime(path, (1e9 - age, 1e9 - age))
    assert find([tmp_path]) == [new]


def test_pictures_lie_beside_the_logs(logs):
    assert main(["plot", str(logs / "precice-B-iterations.log")]) == 0
    assert (logs / "precice-B-iterations.png").is_file()


def test_reading(logs):
    log = read(logs / "precice-B-convergence.log")
    assert (log.participant, log.kind, log.name) == ("B", "convergence", "")
    assert log.measured == ["ResRel(MB:Flux)", "ResAbs(MA:Temp)"]
    assert np.array_equal(log["TimeWindow"], [1, 1, 1, 2, 2]) and log["ResRel(MB:Flux)"][2] == 1e-5
    watch = read(logs / "precice-My-Solver-watchpoint-tip-of-flap.log")
    assert (watch.participant, watch.name) == ("My-Solver", "tip-of-flap")
    assert watch.measured == ["Temp", "Force0", "Force1"]


def test_the_line_that_is_being_written_does_not_count(logs):
    path = logs / "precice-B-convergence.log"
    path.write_text(CONVERGENCE + "\n     2       3   1.000")
    assert len(read(path).values) == 5
    path.write_text(CONVERGENCE.splitlines()[0])
    assert main(["plot", str(path)]) == 0


@pytest.mark.parametrize("name", [
    "precice-B-convergence.log", "precice-B-iterations.log", "precice-B-watchpoint-tip.log",
    "precice-B-watchintegral-force.log"])
@pytest.mark.parametrize("length", [0, 1, 6, 22, 31])
def test_a_log_has_no_rows_until_its_heading_is_written(tmp_path, name, length):
    heading = {"B-convergence": CONVERGENCE, "B-iterations": ITERATIONS}.get(name[8:-4], WATCH)
    path = tmp_path / name
    path.write_text(heading[:length])
    log = read(path)
    assert len(log.values) == 0 and len(log[FIRST[log.kind][0]]) == 0
    assert main(["plot", str(path)]) == 0
    assert Snapshots("a run that begins", [tmp_path]).take()["note"] == ""
    board = RunResiduals("a run that begins", path, Board("a study"))
    board.update([])
    assert board.newest == "–"


@pytest.mark.parametrize(("name", "text", "words"), [
    ("precice-B-convergence.log", "Iteration", "not a heading that begins with TimeWindow Iteration"),
    ("precice-B-convergence.log", "\n1 1 0.5\n", "not a heading that begins with TimeWindow Iteration"),
    ("precice-B-convergence.log", CONVERGENCE.replace("1.34629120e-01", ""), "3 values, 4 columns"),
    ("precice-B-convergence.log", CONVERGENCE.replace("1.34629120e-01", "x"), "could not convert"),
    ("results.log", CONVERGENCE, "the name is not that of a log"),
])
def test_what_cannot_be_read_is_named(tmp_path, name, text, words):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(IsthmusError, match=words):
        read(path)


def test_fields_of_exports(tmp_path, capsys):
    surface = sheet(9, 7, wave=0.1)
    surface.point_data["Heat"] = surface.points[:, 0].copy()
    surface.point_data["Force"] = surface.points3() * 2
    formats.write(tmp_path / "M.dt1.vtu", surface)
    lines = ["PosX;PosY;Rank;Heat;Force0;Force1"] + [f"{x};{x * x};0;{1 + x};{x};1" for x in range(5)]
    (tmp_path / "M.dt1.csv").write_text("\n".join(lines))
    points = formats.read(tmp_path / "M.dt1.csv")
    assert points.points.tolist() == [[x, x * x] for x in range(5)]
    assert sorted(points.point_data) == ["Force", "Heat", "Rank"]
    assert points.point_data["Force"].tolist() == [[x, 1] for x in range(5)]
    assert main(["plot", str(tmp_path / "M.dt1.vtu"), "--out", str(tmp_path / "vtu")]) == 0
    assert main(["plot", str(tmp_path / "M.dt1.csv"), "--data", "Heat"]) == 0
    assert is_picture(tmp_path / "vtu" / "M.dt1.png") and is_picture(tmp_path / "M.dt1.png")
    assert main(["plot", str(tmp_path / "M.dt1.csv"), "--data", "Cold"]) == 2
    assert "there is Rank, Heat, Force" in capsys.readouterr().err
    (tmp_path / "bad.csv").write_text("a;b\n1;2")
    assert main(["plot", str(tmp_path / "bad.csv")]) == 2


def test_no_logs(tmp_path, capsys):
    assert main(["plot", str(tmp_path)]) == 2
    assert "there is no log of a coupled run" in capsys.readouterr().err
