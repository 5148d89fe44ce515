# SPDX-License-Identifier: BSD-3-Clause
"""What benchmarks of the solver of flow with heat make of its runs."""

import numpy as np
import pytest

from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement
from isthmus.bench.solvers import heat_exchange, heat_nodes, heat_peer, natural_convection
from isthmus.bench.solvers.heat_cases import Outcome, along, chosen, text_of
from isthmus.run.case import read_toml
from isthmus.solvers.convection import Solved
from isthmus.solvers.series import Moment


def solved(history, seconds=3.0, share=0.1):
    return Outcome(Solved(True, len(history), None, history, [], seconds, 10, (0.0, share), 20, 800), seconds)


def test_the_onset_is_where_noise_neither_grows_nor_fades(monkeypatch):
    def solve(_folder, _name, tables, _boundaries):
        rate = 0.01 * (tables["fluid"]["rayleigh"] - 1700)
        times = np.arange(0, 2, 0.02)
        return solved([{"time": t, "speed": 2.0, "flow_change": np.exp(rate * t)} for t in times])

    monkeypatch.setattr(natural_convection, "solve", solve)
    coarse, found, limit = natural_convection.onset(None, (6, 8))
    assert coarse.ours == found.ours == pytest.approx(1700, rel=1e-6) and coarse.reference is None
    assert found.reference == natural_convection.CRITICAL and not found.is_missed
    assert limit.ours == pytest.approx(1700, rel=1e-6) and limit.case.endswith("n = 6, 8")


def test_a_half_of_the_cube_leads_to_its_heat_on_fine_grids(monkeypatch):
    def solve(_folder, _name, tables, boundaries):
        assert boundaries["y-max"] == {"kind": "slip-y"}
        known = 8.641 if tables["fluid"]["rayleigh"] > 1e5 else 4.337
        heat = 0.5 * (known + 40 / tables["mesh"]["cells"][0]**2)  # its depth is a half
        return solved([{"heat_x-min": heat, "heat_x-max": -heat}])

    monkeypatch.setattr(natural_convection, "solve", solve)
    found = [m for of in natural_convection.HALVES for m in natural_convection.half_cubes(None, of)]
    limits = [m for m in found if "extrapolated" in m.case]
    assert [m.ours for m in limits] == pytest.approx([8.641, 4.337])
    assert not any(m.is_missed for m in limits) and sum(m.is_missed for m in found) == 1  # 32 cells at 1e5
    assert {m.ours for m in found if m.quantity.startswith("heat lost")} == {0}


def test_ways_are_compared_with_the_best_of_the_paper_on_the_same_ranks(monkeypatch):
    times = dict(zip(heat_exchange.WAYS, (3.0, 2.0, 1.0, 0.5, 4.0), strict=True))
    turn = iter(range(1000))

    def one(_folder, _name, task):
        busy = 1 + 10 * (next(turn) < 6)  # what else the machine does meets the first turn
        first = busy * times.get(task.mesh.get("sums"), 1.0)
        return solved([{"step": 1, "heat_z-min": 2.0, "seconds": first},
                       {"step": 2, "heat_z-min": 2.0, "seconds": 3 * first}], share=0.25)

    monkeypatch.setattr(heat_exchange, "one", one)
    box = {"cells": [4, 1, 1]}
    found = [*heat_exchange.alone(None, box, 2),
             *(m for ranks in (2, 4, 8) for m in heat_exchange.ways(None, box, ranks, 2))]
    step = {m.case: m for m in found if m.quantity == "time of a step"}
    ours = step["box of 4 x 1 x 1 cells, 4 ranks, one-round"]
    assert ours.ours == 1.0 and ours.reference == 2.0 and ours.source.startswith("two-stage")
    assert ours.ours.runs == 4
    assert step["box of 4 x 1 x 1 cells, 4 ranks, shared-memory"].is_missed
    turns = {m.case: m for m in found if m.quantity == "time over that of two-stage, by steps"}
    assert turns["box of 4 x 1 x 1 cells, 4 ranks, one-round"].ours == 0.5
    assert turns["box of 4 x 1 x 1 cells, 4 ranks, allreduce"].reference is None and len(turns) == 12
    assert step["box of 4 x 1 x 1 cells, 1 rank"].reference is None
    assert all(m.ours == 0 for m in found if m.quantity.startswith("difference"))
    of_a_sum = {m.case: m for m in found if m.quantity == "time of a sum, slowest rank"}
    assert of_a_sum["box of 4 x 1 x 1 cells, 4 ranks, one-round"].ours == 3.0 * 0.25 / 10
    assert of_a_sum["box of 4 x 1 x 1 cells, 4 ranks, allreduce"].reference is None
    assert {m.ours for m in found if m.quantity == "messages of a sum, busiest rank"} == {2}
    assert {m.ours for m in found if m.quantity == "bytes of a sum, busiest rank"} == {80}


def test_what_products_hide_is_the_part_by_which_their_sums_are_shorter(monkeypatch):
    asked = []

    def one(_folder, _name, task):
        asked.append(task)
        found = solved([{"step": 1, "heat_z-min": 2.0, "seconds": 0.5}])
        found.solved.remarks.append("2.0000e-05 s in the sum of a product beside work, 8.0000e-05 s without, "
                                    "1.5000e-05 s of both to pack and add: medians of 90")
        return found

    monkeypatch.setattr(heat_exchange, "one", one)
    found = [m for way in ("two-stage", "shared-memory") for m in heat_exchange.hidden(None, [4, 1, 1], way)]
    of_sums = [m for m in found if m.quantity.startswith("part of the sums")]
    assert [m.ours for m in of_sums] == [0.75] * 2 and all(m.is_missed for m in of_sums)
    of_waits = [m for m in found if m.quantity.startswith("part of their waits")]
    assert [m.ours for m in of_waits] == pytest.approx([1 - 5 / 65] * 2)
    assert not any(m.is_missed for m in of_waits)
    assert {task.tables()["solver"]["overlap"] for task in asked} == {"alternating"}


def test_ranks_are_held_to_cores_where_the_launcher_can(monkeypatch):
    asked = {}

    def one(_folder, _name, task):
        asked.setdefault(task.ranks, []).append(task.launcher)
        return solved([{"seconds": 2.0 if task.launcher[0] == "taskset" else 1.0}])

    monkeypatch.setattr(heat_exchange, "one", one)
    monkeypatch.setattr(heat_exchange.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(heat_exchange.shutil, "which", lambda name: name)
    monkeypatch.setattr(heat_exchange.programs, "mpi_launcher", lambda: ["mpirun", "--bind-to", "none"])
    found = list(heat_exchange.cores(None, {}, 1))
    over = {m.case: m.ours for m in found if m.quantity.startswith("time over")}
    assert over == {"cores, 2 ranks, one on each of two cores": 1, "cores, 2 ranks, all on one core": 2,
                    "cores, 4 ranks, two on each of two cores": 1, "cores, 4 ranks, all on one core": 2}
    assert asked[2] == asked[4] == [
        ("mpirun", "--bind-to", "none"), ("mpirun", "--bind-to", "core:overload-allowed", "--map-by", "core"),
        ("taskset", "-c", "0", "mpirun", "--bind-to", "none")]
    monkeypatch.setattr(heat_exchange.programs, "mpi_launcher", lambda: ["srun"])
    assert list(heat_exchange.cores(None, {}, 1)) == []


def test_orders_are_compared_step_by_step_with_the_given_one(monkeypatch):
    def one(_folder, _name, task):
        seconds = {"given": 1.0, "reverse-cuthill-mckee": 0.7, "hilbert": 1.1}.get(task.mesh["order"], 0.9)
        return solved([{"seconds": seconds, "flow_gmres": 5}, {"seconds": 2 * seconds, "flow_gmres": 6}])

    monkeypatch.setattr(heat_exchange, "one", one)
    found = list(heat_exchange.orders(None, ("Gmsh", heat_exchange.GMSH), {}, 1))
    over = {m.case: m for m in found if m.quantity.startswith("time over")}
    assert over["Gmsh, one rank, reverse-cuthill-mckee"].ours == pytest.approx(0.7)
    assert not over["Gmsh, one rank, reverse-cuthill-mckee"].is_missed
    assert over["Gmsh, one rank, hilbert"].is_missed and len(over) == 3
    assert {m.ours for m in found if m.quantity.startswith("iterations")} == {11}


def test_ways_on_nodes_of_a_cluster_stand_beside_the_best_of_the_paper_and_one_rank(monkeypatch):
    seconds = {"allreduce": 4.0, "two_stage": 2.0, "one_round": 1.0, "automatic": 3.0}  # allgather: too long
    asked = []

    def rows(_program, ranks, words, _limit, variables):
        asked.append((ranks, variables["ISTHMUS_SIMULATED_CORES"]))
        assert variables["ISTHMUS_SIMULATED_OPTIONS"] == "smpi/allreduce:rab_rdb"  # whose bytes are said
        way = words[-1]
        return [{"seconds": str(seconds[way]), "sums": "30", "messages": "2", "bytes": "80",
                 "speed": "5" if ranks == 1 else "5.001" if way == "automatic" else "5"}
                for _ in range(way in seconds)]

    monkeypatch.setattr(heat_nodes.simulated, "rows", rows)
    found = chosen("64 ranks on 16 nodes", heat_nodes.parts([4, 1, 1]))
    assert asked == [(64, "4")] * 5 + [(1, "4")]  # that arrangement alone
    step = {m.case.split(", ")[1]: m for m in found if m.quantity == "simulated exchange of a step"}
    assert {way: m.reference for way, m in step.items()} == {
        "allreduce": None, "two-stage": None, "one-round": 2.0, "automatic": 2.0}
    assert step["automatic"].is_missed and not step["one-round"].is_missed
    off = {m.case.split(", ")[1]: m.is_missed for m in found if m.quantity.startswith("difference")}
    assert off == {"allreduce": False, "two-stage": False, "one-round": False, "automatic": True}


def test_parts_that_no_text_names_are_not_measured():
    def part(name, measured):
        measured.append(name)
        yield Measurement(f"{name}, 2 ranks", "time", "s", 1)

    for only, wanted in (("", ["one", "two"]), ("two, 2", ["two"]), ("tw", ["two"]), ("three", [])):
        measured = []
        rows = chosen(only, {name: part(name, measured) for name in ("one", "two")})
        assert measured == wanted == [row.case.split(",")[0] for row in rows]


def test_case_files_are_read_as_they_were_meant(tmp_path):
    tables = {"mesh": {"cells": [1, 2, 3]}, "time": {"step": 0.5}}
    (tmp_path / "case.toml").write_text(text_of(tables, {"lid": {"kind": "velocity", "velocity": [1, 0, 0]}}))
    assert read_toml(tmp_path / "case.toml") == tables | {
        "boundary": [{"group": "lid", "kind": "velocity", "velocity": [1, 0, 0]}]}


def test_values_along_a_line_are_those_of_its_nodes_in_their_order():
    points = np.array([[x, 0.0, z] for x in (0.5, 0.0, 1.0) for z in (1.0, 0.0)])
    places, values = along(Moment(0, points, np.empty((0, 4)), {"t": points[:, 0] + 10 * points[:, 2]}), 0,
                           {2: 1.0}, "t")
    assert list(places) == [0, 0.5, 1] and list(values) == [10, 10.5, 11]


@pytest.mark.parametrize(("velocity", "count"), [
    (lambda x, y: np.cos(np.pi * x), 4), (lambda x, y: np.cos(0.75 * np.pi * x), 3),
    (lambda x, y: 0.02 * np.sin(np.pi * x) + np.cos(np.pi * y), 0)])
def test_rolls_are_counted_across_the_box(velocity, count):
    points = np.array([[x, y, z] for x in np.linspace(0, 4, 33) for y in (0, 0.5, 1) for z in (0, 0.5, 1)])
    speeds = np.zeros_like(points)
    speeds[:, 2] = velocity(points[:, 0], points[:, 1])
    moment = Moment(0, points, np.empty((0, 4)), {"velocity": speeds})
    assert natural_convection.rolls_of(moment) == count


def test_the_heat_of_four_rolls_is_extrapolated_from_grids_that_have_them(monkeypatch):
    def solve(_folder, _name, tables, _boundaries):
        n = tables["mesh"]["cells"][2]
        found = solved([{"heat_z-min": 3 + 12 / n**2, "heat_z-max": -3 - 12 / n**2}])
        monkeypatch.setattr(natural_convection, "rolls_of", lambda _: 1 if n == 16 else 2)
        return found

    monkeypatch.setattr(natural_convection, "solve", solve)
    monkeypatch.setattr(Outcome, "end", lambda _: None)
    found = list(natural_convection.four_rolls(None, (6, 12, 16, 24)))
    limits = [m.ours for m in found if "extrapolated" in m.case]
    assert limits == pytest.approx([3, 3], rel=1e-12)  # from 6 and 12, and 12 and 24
    (order,) = [m.ours for m in found if m.quantity.startswith("order")]
    assert order == pytest.approx(2, abs=1e-9)
    assert all(m.ours == 0 for m in found if m.quantity.startswith("heat lost"))


def test_a_peer_that_is_not_there_is_said_so_and_ours_stands_alone(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("ISTHMUS_PEER_PYTHON", str(tmp_path / "no-python"))
    monkeypatch.setattr(heat_peer, "ours", lambda *_: (0.5, 10.0))
    found = heat_peer.measure(Context(tmp_path, repeat=2))
    captured = capsys.readouterr()
    assert "dolfinx is not installed" in " ".join((captured.out + captured.err).split())
    assert {m.reference for m in found} == {None} and len(found) == 12


def test_iterations_are_compared_with_the_peer_on_the_same_ranks(monkeypatch, tmp_path):
    times = dict(zip(heat_peer.PREPARATIONS, (1.0, 2.0, 4.0), strict=True))
    monkeypatch.setattr(heat_peer, "peer_python", lambda *_: ("python3", "0.5.2"))
    monkeypatch.setattr(heat_peer, "ours", lambda _folder, _cells, ranks, of: (times[of] / ranks, 10.0))
    monkeypatch.setattr(heat_peer, "theirs", lambda _folder, _cells, ranks, _python: (3.0 / ranks, 10.0))
    found = [m for m in heat_peer.measure(Context(tmp_path, repeat=1)) if m.reference is not None]
    assert [(m.reference, m.is_missed) for m in found] == [(3.0, False), (3.0, False), (3.0, True),
                                                           (1.5, False), (1.5, False), (1.5, True)]
