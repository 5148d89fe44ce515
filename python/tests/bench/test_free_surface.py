# SPDX-License-Identifier: BSD-3-Clause
"""What the benchmark of moving particles makes of its figures."""

from itertools import accumulate, cycle
from types import SimpleNamespace

import numpy as np
import pytest
import tomllib

from isthmus.bench import reference
from isthmus.bench.framework import Context
from isthmus.bench.solvers import free_surface, free_surface_peer
from isthmus.bench.solvers.free_surface import Outcome
from isthmus.solvers.particles import Solved


def test_the_speed_of_a_front_is_that_between_two_places():
    time = np.linspace(0, 4, 50)
    assert free_surface.slope(time, 1 + 0.5 * time, 1.5, 2.5) == pytest.approx(0.5)
    martin = free_surface.slope(*np.array(reference.MARTIN_FRONT).T)
    assert martin == pytest.approx(reference.MARTIN_SLOPE, abs=1e-3)


def test_cases_are_what_the_program_reads():
    tables = free_surface.tank(0.4, 0.3, (0.1, 0.2), 0.01, disturbance=0.2)
    tables |= {"gauge": [{"lower": [0, 0], "upper": [1, 0]}, {"lower": [0, 1], "upper": [1, 1]}]}
    read = tomllib.loads(free_surface.text_of(tables))
    assert read["particles"]["spacing"] == 0.01
    assert read["water"] == [{"lower": [0, 0], "upper": [0.1, 0.2], "disturbance": 0.2}]
    assert len(read["gauge"]) == 2


def test_costs_are_read_from_what_a_run_says():
    words = "0.0125 s per step; migrations 0.002 s, 12.0 messages, 3456 bytes each"
    outcome = Outcome(Solved(10, 5, 0, None, [{"step": 1.0}, {"step": 2.0}], [words]))
    assert outcome.cost("step") == 0.0125
    assert outcome.cost("migration") == 0.002
    assert outcome.cost("messages") == 12
    assert outcome.cost("bytes") == 3456
    assert outcome.column("step").tolist() == [1, 2]
    assert np.isnan(Outcome(Solved(0, 0, 0, None, [], [])).cost("step"))


def run_of(*names, rows=4):
    """Made-up lines with these columns beside those that each case asks for."""
    history = [{"time": 3.0 * n, "step": 20 * n, "front": 0.146 * (1 + n), "energy": np.exp(-0.5 * n),
                "speed": 1.0, "fluid": 3200, "length": 1e-3, "imbalance": 1.1, "pairs": 1.0,
                **{f"gauge{k}": 1000.0 * k for k in range(1, 5)}} for n in range(1, rows + 1)]
    return Outcome(Solved(10, 5, 0, None, history, ["0.01 s per step; migrations 0.002 s, 12.0 messages, "
                                                    "3456 bytes each", *names]))


@pytest.mark.parametrize(("only", "names"), [
    ("water at rest", ["rest"]), ("vortex of Taylor and Green, Re 100, 100", ["vortex-100"]),
    ("vortex of Taylor", ["vortex-25", "vortex-50", "vortex-100"]), ("column 0.3 m high, 60", ["sensors-60"]),
    ("column 64 particles across, 8 ranks", ["balance-8"]),
])
def test_only_runs_what_was_asked_for(only, names, tmp_path, monkeypatch):
    ran = []

    def solve(_folder, name, _tables, _ranks=1):
        ran.append(name)
        return run_of()

    monkeypatch.setattr(free_surface, "solve", solve)
    found = free_surface.measure(Context(tmp_path, only=only))
    assert sorted(ran) == sorted(names)
    assert found and all(m.case.startswith(only) for m in found)


def test_a_gate_stands_beside_the_experiment(tmp_path, monkeypatch):
    time = np.linspace(0, 0.3, 31)
    monkeypatch.setattr(free_surface.elastic_gate, "run",
                        lambda *_: np.array([time, 0.04 * time / 0.3, 0.02 * time / 0.3]))
    monkeypatch.setattr(free_surface.elastic_gate, "measured", lambda folder: np.array(
        [[0.1, 0.2, 0.4], [0.02, 0.05, 0.01], [0.1, 0.2, 0.4], [0.01, 0.02, 0.0]]))
    found = {m.quantity: m for m in free_surface.gate(tmp_path, "gate of rubber", None)}
    furthest = found["way of its end aside where it is furthest, in mm"]
    assert furthest.ours == pytest.approx(40) and furthest.reference == pytest.approx(50)
    off = found["its end aside, root of mean square difference, in mm"]
    assert off.ours == pytest.approx(np.sqrt(((40 / 3 - 20)**2 + (80 / 3 - 50)**2) / 2))
    assert found["time when it is furthest aside, in s"].reference == 0.2


def test_the_peer_says_particles_a_second_and_seconds_for_a_second():
    assert free_surface_peer.figures("words\n3200,800,200,2.0,0.1\n") == (320000, 20)
    assert free_surface_peer.sound() == pytest.approx(23.935, abs=1e-3)


def test_our_forms_and_the_peer_take_turns(tmp_path, monkeypatch):
    ran = []

    def solve(_folder, name, tables):
        ran.append((name, tables["time"]))
        return run_of()

    monkeypatch.setattr(free_surface_peer, "solve", solve)
    clock = accumulate(cycle([0, 0.5, 0, 1.5]))  # a run of one step takes 0.5 s, one of 101 steps 1.5 s
    monkeypatch.setattr(free_surface_peer.resource, "getrusage",
                        lambda _: SimpleNamespace(ru_utime=next(clock)))
    monkeypatch.setattr(free_surface_peer, "theirs", lambda *_: (160000, 20))
    found = list(free_surface_peer.beside(Context(tmp_path, repeat=2), 40, "python3", "1.0"))
    explicit, semi_implicit = ([f"{form}-40-1", f"{form}-40-101"] for form in ("explicit", "semi-implicit"))
    assert [name for name, _ in ran] == [*explicit, *semi_implicit, *semi_implicit, *explicit]
    assert ran[0][1]["speed-of-sound"] == pytest.approx(23.935, abs=1e-3)
    rates = {m.case: m for m in found if m.quantity == free_surface_peer.SPEED}
    ours = rates["column 40 particles across, one core, explicit"]
    assert (ours.ours, ours.reference) == (320000, 160000) and not ours.is_missed
    costs = {m.case: m for m in found if m.quantity == free_surface_peer.COST}
    assert costs["column 40 particles across, one core, explicit"].ours == pytest.approx(10)
