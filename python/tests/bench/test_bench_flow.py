# SPDX-License-Identifier: BSD-3-Clause
"""What the benchmark of the flow solver compares with, against values that others computed."""

from pathlib import Path

import numpy as np
import pytest

from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement
from isthmus.bench.solvers import flow, flow_convergence, flow_exact, flow_harmonics, flow_peer
from isthmus.bench.solvers.flow_cases import Outcome, grown, is_asked, period, text_of, write_plot3d
from isthmus.solvers.flow import Solved, _read_plot3d


def test_exact_solutions_are_those_of_tables():
    eta, u = flow_exact.blasius()
    assert np.interp([1, 3, 5], eta, u) == pytest.approx([0.32979, 0.84605, 0.99155], abs=2e-5)


def test_a_figure_may_differ_either_way_as_far_as_it_says():
    for ours, is_missed in ((0.98, False), (1.02, False), (0.96, True), (1.04, True)):
        assert flow.compared("flow", "drag", ours, flow.Known(1.0, "somebody", 0.03)).is_missed == is_missed


def test_parts_are_run_whose_rows_are_asked_for():
    springs = ("cylinder on a spring of 9.88",)
    for only in ("", "cylinder", "cylinder on a spring of 9.88, Re 100, M 0.2"):
        assert is_asked(only, *springs)
    for only in ("plate", "cylinder on a spring of 4.74", "cylinder, Re 100"):
        assert not is_asked(only, *springs)


def test_the_table_has_what_was_compared():
    text = flow.table_of([flow.compared("a flow", "drag", 1.02, flow.Known(1.0, "somebody", 0.01)),
                          Measurement("a flow", "processor time", "s", 3.0)])
    assert text.splitlines()[2:] == ["| a flow | drag | 1.02 | 1 | +2.0 % | somebody |"]


def load_at(turn: np.ndarray) -> np.ndarray:
    return 0.3 + np.sin(turn) - 0.2 * np.cos(2 * turn)


def test_harmonic_balance_takes_turns_with_runs_in_time_that_are_compared_at_the_same_moments(tmp_path,
                                                                                              monkeypatch):
    ran = []

    def run(_folder, name, tables):
        ran.append(name)
        steps = tables["time"].get("steps", 9)  # snapshots begin with an angle of zero, steps end with it
        period = tables["time"].get("steps-per-period", 9)
        moments = np.arange(1, steps + 1) if "steps" in tables["time"] else np.arange(9)
        off = 0.012 * ("48" in name)
        rows = [{"lift": value + off, "drag": 2 * value} for value in load_at(2 * np.pi * moments / period)]
        return Outcome(Solved(True, 1, Path(), [], rows), float(len(ran)))

    monkeypatch.setattr(flow_harmonics, "run", run)
    rows = list(flow_harmonics.harmonics(tmp_path, 3))
    turn = [*flow_harmonics.RIVALS, *flow_harmonics.BALANCED]
    assert ran == ["in time", *turn, *turn[::-1], *turn, *flow_harmonics.TOO_FEW]
    swing = np.ptp(load_at(2 * np.pi * np.arange(64) / 64)) / 2
    lift = {row.case: row.ours for row in rows if row.quantity == flow_harmonics.OFF.format("lift")}
    for name in turn:
        wanted = 0.012 / swing if "48" in name else 0
        assert lift[f"{flow_harmonics.CASE}, {name}"] == pytest.approx(wanted, abs=1e-9)
    times = {row.case: row for row in rows if row.unit == "s"}
    cheapest = times[f"{flow_harmonics.CASE}, in time, 48 steps, 2 periods to 0.01"].ours
    assert (cheapest, cheapest.runs) == (9, 3)  # the second of 4, 9 and 14
    assert times[f"{flow_harmonics.CASE}, 4 harmonics"].reference == pytest.approx(0.9)


def test_numbers_of_grids_take_turns(tmp_path, monkeypatch):
    ran = []

    def solve(_folder, name, _tables):
        ran.append(name)
        return Outcome(Solved(True, 100 + len(ran), Path(), [], []), float(len(ran)))

    monkeypatch.setattr(flow_convergence, "solve", solve)
    rows = list(flow_convergence.multigrid(tmp_path, 3))
    turn = ["grids1", "grids2", "grids3", "grids4"]
    assert ran == [*turn, *turn[::-1], *turn]
    assert [row.ours for row in rows] == [101, 8, 102, 7, 103, 6, 104, 5]


def test_the_period_of_a_signal_is_that_of_its_last_cycles():
    time = np.arange(0, 60, 0.1)
    length, rows = period(time, 1 + np.sin(2 * np.pi * time / 5.37), 4)
    assert length == pytest.approx(5.37, rel=1e-4)
    assert time[rows][-1] - time[rows][0] == pytest.approx(4 * 5.37, abs=0.2)


def test_cases_and_grids_are_files_of_the_solver(tmp_path):
    text = text_of({"flow": {"mach": 0.5}}, {"wall": ("slip", ["*:j-min"])})
    assert text == '[flow]\nmach = 0.5\n[[boundary]]\nname = "wall"\nkind = "slip"\nsides = ["*:j-min"]\n'
    places = grown(0.01, 2, 30)
    assert places[1] == pytest.approx(0.01, rel=1e-6) and places[-1] == 2
    x, y = np.meshgrid(places, np.arange(3.0), indexing="ij")
    write_plot3d(tmp_path / "grid.xyz", [(x, y)])
    (read,) = _read_plot3d(tmp_path / "grid.xyz")
    assert np.array_equal(read[:, :, 0, 0], x) and np.array_equal(read[:, :, 0, 1], y)


def test_evaluations_are_compared_with_the_peer_or_stand_alone(monkeypatch, tmp_path):
    monkeypatch.setattr(flow_peer, "ours", lambda _folder, cells, steps: 1 + 4e-9 * 40 * cells**2 * steps)
    monkeypatch.setattr(flow_peer, "theirs", lambda _folder, steps: 2 + 1e-9 * 500 * 128**2 * steps)
    monkeypatch.setattr(flow_peer, "write_case", lambda *_: None)
    for version, reference in ((None, None), ("1912", 500)):
        monkeypatch.setattr(flow_peer, "version_of", lambda found=version: found)
        (m,) = flow_peer.measure(Context(tmp_path))
        assert m.ours == pytest.approx(40) and m.reference == (reference and pytest.approx(reference))


def test_the_case_of_the_peer_has_the_box_and_the_gas(monkeypatch, tmp_path):
    ran = []
    monkeypatch.setattr(flow_peer, "run", lambda program, folder: ran.append((program, folder)))
    flow_peer.write_case(tmp_path, 8)
    assert ran == [("blockMesh", tmp_path)]
    assert "(8 8 1)" in (tmp_path / "system/blockMeshDict").read_text()
    assert "endTime 20;" in (tmp_path / "system/controlDict").read_text()
    assert (tmp_path / "0/U").read_text().splitlines()[2] == "internalField uniform (0.3 0 0);"
