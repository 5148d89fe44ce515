# SPDX-License-Identifier: BSD-3-Clause
"""What the benchmark of moving particles makes of its figures."""

import numpy as np
import pytest
import tomllib

from isthmus.bench import reference
from isthmus.bench.solvers import free_surface
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
