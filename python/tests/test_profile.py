# SPDX-License-Identifier: BSD-3-Clause
import json
import os
import shutil

import numpy as np
import pytest
from conftest import needs_mpi
from test_plot import is_picture

from isthmus import programs
from isthmus.cli import main
from isthmus.errors import IsthmusError
from isthmus.profile import read_all
from isthmus.profile.summary import phases, waits

HEAD = '{"isthmus-profile": 1, "participant": "A", "ranks": 2, "mode": "all"}\n'
# rank 0 begins at 1 s of the host's clock, rank 1 a millisecond later with a wall clock that is a bit off
FIRST = ('{"rank": 0, "host": "h", "clock": 1000000000, "wall": 5000000000, "paths": ["construct", '
         '"advance/exchange/wait for B", "advance/exchange", "advance"], "events": [0,0,1000,1,3000,4000,'
         '2,2000,5000,3,2000,6000]}\n')
SECOND = ('{"rank": 1, "host": "h", "clock": 1001000000, "wall": 5001000700, "paths": ["construct", '
          '"advance", "solver.advance/my \\"part\\"", "solver.advance"], "events": [0,0,3000,1,5000,2000,'
          '2,7000,500,3,7000,1000]}\n')
MORE = '{"rank": 0, "paths": ["solver.advance"], "events": [4,8000,2000,3,10000,1000]}\n'
END = '{"end": "finalized", "reason": ""}\n'
OTHER = (HEAD.replace('"A"', '"B"').replace("2", "1")
         + FIRST.replace('"h"', '"g"').replace("wait for B", "wait for A").replace("5000000000", "5000001000")
         + END)


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "isthmus-profiling"
    place.mkdir()
    (place / "A.jsonl").write_text(HEAD + FIRST + SECOND + MORE + END)
    (place / "B.jsonl").write_text(OTHER)
    return tmp_path


def test_events_of_all_ranks_on_one_clock(folder):
    a, b = read_all([folder])
    assert (a.participant, a.ranks, a.mode, a.notes, b.participant) == ("A", 2, "all", [], "B")
    assert a.begin[a.rank == 0].tolist() == [0, 3000, 2000, 2000, 8000, 10000]
    assert a.begin[a.rank == 1].tolist() == [1000000, 1005000, 1007000, 1007000]
    assert b.begin[0] == 1000  # of another host: its wall clock counts
    assert 'solver.advance/my "part"' in a.paths


def test_sums(folder):
    a, b = read_all([folder / "isthmus-profiling" / "A.jsonl", folder / "isthmus-profiling" / "B.jsonl"])
    found = {phase.path: phase for phase in phases(a)}
    assert list(found) == ["construct", "advance", "advance/exchange", "advance/exchange/wait for B",
                           "solver.advance", 'solver.advance/my "part"']
    advance = found["advance"]
    assert (advance.count, advance.total, advance.largest) == (3, pytest.approx(9e-6), pytest.approx(7e-6))
    assert advance.imbalance == pytest.approx(7 / 4.5)
    assert advance.share == pytest.approx(9 / (11 + 8))
    wait, = waits(a)
    assert (wait.partner, wait.mean, wait.largest) == ("B", pytest.approx(2e-6), pytest.approx(4e-6))
    assert waits(b)[0].partner == "A"


def test_tables_picture_and_trace(folder, capsys):
    assert main(["profile", str(folder), "--trace", str(folder / "trace.json"),
                 "--picture", str(folder / "line.png")]) == 0
    out = capsys.readouterr().out
    for words in ("A, 2 ranks, mode all", "wait for B", 'my "part"', "who waits for whom", "1.56", "4 µs"):
        assert words in out, words
    assert is_picture(folder / "line.png")
    assert main(["profile", str(folder), "--no-picture", "--depth", "1"]) == 0
    assert "exchange" not in capsys.readouterr().out
    assert not (folder / "isthmus-profiling" / "timeline.png").exists()


def check_trace(path, profiles) -> None:
    """Valid, nested, and with the same sums."""
    events = json.loads(path.read_text())["traceEvents"]
    names = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
    assert list(names.values()) == [p.participant for p in profiles]
    complete = [e for e in events if e["ph"] == "X"]
    for pid, profile in enumerate(profiles):
        for rank in range(profile.ranks):
            mine = [e for e in complete if (e["pid"], e["tid"]) == (pid, rank)]
            ends = []  # of those that are open
            for e in mine:
                begin, end = round(e["ts"] * 1000), round((e["ts"] + e["dur"]) * 1000)
                while ends and ends[-1] <= begin:
                    ends.pop()
                assert not ends or end <= ends[-1]
                ends.append(end)
            chosen = profile.rank == rank
            assert sum(round(e["dur"] * 1000) for e in mine) == (profile.end - profile.begin)[chosen].sum()
        for phase in phases(profile):
            assert any(e["name"] == phase.name and e["pid"] == pid for e in complete)


def test_the_trace_is_what_was_measured(folder):
    assert main(["profile", str(folder), "--no-picture", "--trace", str(folder / "trace.json")]) == 0
    check_trace(folder / "trace.json", read_all([folder]))


@pytest.mark.parametrize(("text", "words"), [
    (HEAD + FIRST, "the file has no end"),
    (HEAD + FIRST + SECOND + END[:9], "the file has no end"),
    (HEAD + FIRST + '{"end": "failed", "reason": "disk full"}\n', "the run failed: disk full"),
    (HEAD + FIRST + END, "there is nothing of 1 of its 2 ranks"),
    (HEAD, "there is nothing of 2 of its 2 ranks"),
])
def test_what_is_missing_is_said(tmp_path, capsys, text, words):
    (tmp_path / "A.jsonl").write_text(text)
    assert main(["profile", str(tmp_path), "--no-picture"]) == 0
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(("text", "words"), [
    ("", "this is no profile"),
    ("<xml/>\n", "this is no profile"),
    ('{"traceEvents": []}\n', "this is no profile"),
    ("[1]\n", "this is no profile"),
    (HEAD.replace("profile\": 1", "profile\": 2"), "version 2"),
    (HEAD + "x" + FIRST + END, "line 2"),
    (HEAD + MORE + END, "line 2"),
    (HEAD + FIRST.replace("[0,0,", "[99,0,") + END, "line 2"),
    (HEAD + FIRST.replace("6000]", "6000,1]") + END, "line 2"),
])
def test_foreign_and_damaged_files_are_refused(tmp_path, text, words):
    (tmp_path / "A.jsonl").write_text(text)
    with pytest.raises(IsthmusError, match=words):
        read_all([tmp_path / "A.jsonl"])


def test_places_without_profiles(folder, tmp_path_factory, capsys):
    assert main(["profile", str(folder / "none")]) == 2
    assert main(["profile", str(tmp_path_factory.mktemp("empty"))]) == 2
    assert "ISTHMUS_PROFILE=fundamental" in capsys.readouterr().err
    shutil.copy(folder / "isthmus-profiling" / "A.jsonl", folder / "again.jsonl")
    assert main(["profile", str(folder / "again.jsonl"), str(folder / "isthmus-profiling")]) == 2
    assert "both of participant A" in capsys.readouterr().err


@needs_mpi
@pytest.mark.skipif(programs.look_for("isthmus-replay") is None, reason="isthmus-replay is not built")
def test_a_measured_run(tmp_path, monkeypatch):
    monkeypatch.setenv("ISTHMUS_PROFILE", "all")
    assert main(["replay", "sheet:9x7", "--ranks", "1,2", "--out", str(tmp_path)]) == 0
    assert main(["profile", str(tmp_path), "--trace", str(tmp_path / "trace.json")]) == 0
    profiles = read_all([tmp_path])
    assert [(p.participant, p.ranks, p.notes) for p in profiles] == [("A", 2, []), ("B", 1, [])]
    assert all(phase.count == 6 for phase in phases(profiles[0]) if phase.path == "advance")
    assert np.isclose(sum(p.share for p in phases(profiles[0]) if "/" not in p.path), 1, atol=0.2)
    check_trace(tmp_path / "trace.json", profiles)
    assert is_picture(tmp_path / "isthmus-profiling" / "timeline.png")


EVENTS = ('{{"name": "{name}", "rank": {rank}, "size": {size}, "unix_us": {zero}, "file_version": 2, '
          '"compression": false}}\n'
          'N0:_GLOBAL\nB0:0\nN1:construction\nB1:0\nE1:50\nN2:advance\nN3:wait for B\n'
          'B2:60\nB3:70\nE3:90\nE2:100\nB2:110\nE2:150\n')


@pytest.fixture
def events_folder(tmp_path):
    place = tmp_path / "precice-profiling"
    place.mkdir()
    for rank in range(2):
        text = EVENTS.format(name="A", rank=rank, size=2, zero=2_000_000 + rank)
        (place / f"A-{rank}-2.txt").write_text(text + "E0:160\n")
    (place / "B-0-1.txt").write_text(EVENTS.format(name="B", rank=0, size=1, zero=1_999_000))  # killed
    return tmp_path


def test_files_of_events_per_rank(events_folder, capsys):
    a, b = read_all([events_folder])
    assert (a.participant, a.ranks, a.notes, b.participant) == ("A", 2, [], "B")
    assert "no end" in b.notes[0]
    assert a.begin[a.rank == 1].min() - a.begin[a.rank == 0].min() == 1000
    assert b.begin.min() == 0 and a.begin.min() == 1_000_000
    found = {phase.path: phase for phase in phases(a)}
    assert list(found) == ["construction", "advance", "advance/wait for B"]
    assert (found["advance"].count, found["advance"].total) == (4, pytest.approx(160e-6))
    assert waits(a)[0].largest == pytest.approx(20e-6)
    assert main(["profile", str(events_folder), "--trace", str(events_folder / "trace.json")]) == 0
    check_trace(events_folder / "trace.json", [a, b])
    assert "A-0-2" not in capsys.readouterr().err
    assert is_picture(events_folder / "precice-profiling" / "timeline.png")


def test_participants_that_work_in_folders_of_their_own(events_folder):
    (events_folder / "b").mkdir()
    (events_folder / "b/precice-profiling").mkdir()
    (events_folder / "precice-profiling/B-0-1.txt").rename(events_folder / "b/precice-profiling/B-0-1.txt")
    assert [(p.participant, p.ranks) for p in read_all([events_folder])] == [("A", 2), ("B", 1)]
    (events_folder / "isthmus-profiling").mkdir()  # of another run, which was earlier
    (events_folder / "isthmus-profiling/A.jsonl").write_text(HEAD + FIRST + SECOND + MORE + END)
    os.utime(events_folder / "isthmus-profiling/A.jsonl", (1, 1))
    assert [(p.participant, p.ranks) for p in read_all([events_folder])] == [("A", 2), ("B", 1)]


def test_of_several_runs_the_latest_is_shown(events_folder):
    place = events_folder / "precice-profiling"
    (place / "A-0-1.txt").write_text(EVENTS.format(name="A", rank=0, size=1, zero=9_000_000))
    assert [p.ranks for p in read_all([events_folder])] == [1, 1]
    (place / "A-0-1.txt").write_text(EVENTS.format(name="A", rank=0, size=1, zero=1))
    assert [p.ranks for p in read_all([place])] == [2, 1]


@pytest.mark.parametrize(("text", "words"), [
    ("", "no file of events"),
    (EVENTS.format(name="A", rank=0, size=1, zero=1).replace('version": 2', 'version": 3'), "version 3"),
    (EVENTS.format(name="A", rank=0, size=1, zero=1) + "B9:170\nE0:180\n", "line 15"),
    (EVENTS.format(name="A", rank=0, size=1, zero=1) + "E2:170\nE0:180\n", "line 15"),
])
def test_damaged_files_of_events_are_refused(tmp_path, text, words):
    (tmp_path / "A-0-1.txt").write_text(text)
    with pytest.raises(IsthmusError, match=words):
        read_all([tmp_path / "A-0-1.txt"])
