# SPDX-License-Identifier: BSD-3-Clause
"""What the benchmarks of all mappings and of meshes that change make of their figures."""

import pytest

from isthmus.bench.coupler import mappings, remesh
from isthmus.bench.framework import Context


@pytest.mark.parametrize(("only", "measured"), [
    ("", ["sheets", "M1", "M1", "M2"]), ("intersection, 128 x 128", ["sheets"]), ("M2", ["M2"]),
])
def test_orders_and_costs_that_were_not_asked_for_are_not_measured(only, measured, tmp_path, monkeypatch):
    ran = []
    monkeypatch.setattr(mappings, "_sheets", lambda _: ran.append("sheets") or [])
    monkeypatch.setattr(mappings, "_blade", lambda _, level, __: ran.append(level) or [])
    assert mappings.measure(Context(tmp_path, only=only)) == []
    assert ran == measured


def test_times_of_mappings_are_medians_of_runs_and_errors_those_of_one(tmp_path, monkeypatch):
    outputs = ["mapping,points,setup_s,step_s,weights,rms,largest\n"
               f"intersection,64,{setup},0.01,1,0.04,0.2\n"
               f"intersection,128,{setup},0.02,1,0.01,0.1\n" for setup in (0.3, 0.1, 0.2)]
    monkeypatch.setattr(mappings.programs, "find", lambda _: tmp_path)
    monkeypatch.setattr(mappings.programs, "output", lambda *_: outputs.pop())
    rows = {(m.case, m.quantity): m.ours for m in mappings._sheets(Context(tmp_path, repeat=3))}
    setup = rows["intersection, 128 x 128", "set-up, CPU"]
    assert (setup, setup.runs, setup.low, setup.high) == (0.2, 3, pytest.approx(0.15), pytest.approx(0.25))
    assert rows["intersection, 128 x 128", "largest error"] == 0.1
    assert rows["intersection", "observed order"] == pytest.approx(2, rel=0.02)


def row_of(first: float) -> dict[str, str]:
    costs = {"first": first, "reset": 0.3, "step": 0.1}
    return {"case": "1 % scattered", "ranks": "2", "vertices": "250000"} | {
        f"{of}_{what}": str(cost * (1 if what == "cpu_s" else 100))
        for of, cost in costs.items() for what in ("cpu_s", "messages", "bytes")}


def test_a_reset_costs_what_it_takes_beyond_a_step_beside_the_first_initialization():
    rows = {m.quantity: m for m in remesh.compared([row_of(first) for first in (1, 2, 4)])}
    share = rows["CPU, share of the first"]
    assert share.ours == pytest.approx(0.1)
    assert (share.ours.runs, share.reference) == (3, remesh.SHARE)
    assert rows["messages, share of the first"].ours == pytest.approx(0.2)
    assert rows["first initialization, CPU"].ours == 2
