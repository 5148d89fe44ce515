# SPDX-License-Identifier: BSD-3-Clause
import os
from types import SimpleNamespace

import pytest

from isthmus.bench.coupler import blades, change
from isthmus.bench.framework import Context
from isthmus.errors import IsthmusError

REPORT = {"phases": {"initialize": {"max": 0.1, "cpu_sum": 0.3}, "advance": {"max": 0.001}},
          "counters": {"messages_sent": {"sum": 14}, "bytes_sent": {"sum": 18000}}, "peak_memory_mb": 12.5}


def result(seconds: float, messages: int) -> SimpleNamespace:
    report = REPORT | {"phases": {"initialize": {"max": seconds}},
                       "counters": {"messages_sent": {"sum": messages}}}
    return SimpleNamespace(sides={"A": SimpleNamespace(report=report), "B": SimpleNamespace(report=REPORT)})


def test_two_builds_take_turns(tmp_path, monkeypatch):
    (tmp_path / "isthmus-replay").touch()
    theirs = str(tmp_path)
    asked = []

    def replays(context, settings):
        asked.append((os.environ["ISTHMUS_BIN"], settings.name, settings.mapping.options, context.repeat))
        return [result(2.0, 9) if asked[-1][0] == theirs else result(float(len(asked)), 7)]

    monkeypatch.setattr(Context, "replays", replays)
    monkeypatch.setenv("ISTHMUS_BIN", "ours")
    monkeypatch.setenv("ISTHMUS_BEFORE", theirs)
    found = change.measure(Context(tmp_path, repeat=3, only="M4 nearest-projection 8+24"))
    assert asked == [(folder, "M4-nearest-projection-8+24-default", 'search="candidates"', 1)
                     for folder in ("ours", theirs, theirs, "ours", "ours", theirs)]
    assert os.environ["ISTHMUS_BIN"] == "ours"
    of_a = {m.quantity: (m.ours, m.reference) for m in found if m.quantity.endswith("A")}
    assert of_a == {"initialize at A": (4.0, 2.0), "peak memory of A": (12.5, 12.5), "messages of A": (7, 9)}
    assert [m.quantity for m in found[len(of_a):]] == [
        "initialize at B", "initialize at B, CPU of all ranks", "advance at B", "peak memory of B",
        "messages of B", "bytes of B"]
    assert {(m.case, m.source) for m in found} == {("M4 nearest-projection 8+24", f"{theirs}, the same run")}
    assert found[0].ours.runs == 3 and found[0].why == ""
    assert found[1].why == "the quartiles of 3 turns overlap: 12.5 to 12.5 beside 12.5 to 12.5"


def test_without_a_folder_of_programs_those_of_the_path_come_back(tmp_path, monkeypatch):
    monkeypatch.delenv("ISTHMUS_BIN", raising=False)
    with pytest.raises(ValueError), blades.programs_of("theirs"):
        assert os.environ["ISTHMUS_BIN"] == "theirs"
        raise ValueError
    assert "ISTHMUS_BIN" not in os.environ


def test_another_build_must_be_named(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("ISTHMUS_BEFORE", raising=False)
    assert change.measure(Context(tmp_path)) == []
    assert "ISTHMUS_BEFORE names no folder with isthmus-replay" in capsys.readouterr().err
    monkeypatch.setenv("ISTHMUS_BEFORE", str(tmp_path))
    with pytest.raises(IsthmusError, match="a folder without isthmus-replay: build it there"):
        change.measure(Context(tmp_path))
