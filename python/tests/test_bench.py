# SPDX-License-Identifier: BSD-3-Clause
import csv

import pytest

from isthmus.bench import (
    NAMES,
    framework,
    interfaces,
    paper1,
    paper4,
    paper5,
    particles,
    quasi_newton,
    reference,
    step,
)
from isthmus.bench.discovery import Discovery
from isthmus.bench.framework import Context, Measurement
from isthmus.cli import main
from isthmus.errors import IsthmusError
from isthmus.mesh import LEVELS
from isthmus.plot.interfaces import rolls_picture


def read_csv(path) -> list[dict[str, str]]:
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_latency_with_the_fake(fake_programs, tmp_path, capsys):
    for _ in range(2):
        assert main(["bench", "latency", "--repeat", "2", "--out", str(tmp_path / "b")]) == 0
    out = capsys.readouterr().out
    assert "500 µs" in out and "80 µs" in out and "0.16×" in out
    assert "missed: tcp, 1 value, advance, best: 500 µs, not 80 µs" in out
    assert "missed: shm, 10 values, heap allocations: 3, not 0" in out
    rows = read_csv(tmp_path / "b/results.csv")
    assert len(rows) == 2 * 2 * 4 * 5 and set(rows[0]) == set(framework.CSV_COLUMNS)
    assert float(rows[0]["ours"]) == 0.0005 and float(rows[0]["reference"]) == 80e-6
    assert rows[0]["commit"] and rows[0]["host"] and rows[0]["date"].startswith("20")
    assert (tmp_path / "b/latency.png").is_file()


def test_step_of_streams_with_the_fake(fake_programs, tmp_path):
    found = step.streams(Context(tmp_path, repeat=1))
    rates = {m.case: m.ours for m in found if m.quantity == "whole step"}
    assert rates["tcp, one-way, 100,000 values"] == pytest.approx(0.8e6 / 600e-6 * 1e-9)
    assert rates["shm, two-way, 1,000,000 values"] == pytest.approx(16e6 / 600e-6 * 1e-9)


def test_phases_take_the_best_run_of_the_slowest_rank(fake_programs, tmp_path):
    class Run:
        def __init__(self, slowest):
            self.sides = {"A": self}
            self.report = {"phases": {"initialize": {"median": 1.0, "max": slowest}}}

    assert framework.phase([Run(5.0), Run(3.0), Run(4.0)], "A", "initialize") == 3.0
    assert framework.phase([Run(5.0)], "A", "initialize", "median") == 1.0
    with pytest.raises(IsthmusError, match="no phase advance"):
        framework.phase([Run(5.0)], "A", "advance")


def test_ratio_is_above_one_where_ours_is_less():
    assert Measurement("x", "t", "s", 2.0, 6.0).ratio == 3.0
    assert Measurement("x", "t", "s", 2.0).ratio is None
    assert Measurement("x", "t", "s", 0.0, 1.0).ratio is None
    assert Measurement("x", "t", "GB/s", 6.0, 2.0, more_is_better=True).ratio == 3.0


def test_missed_is_what_is_worse_than_the_reference():
    assert not Measurement("x", "t", "s", 2.0).is_missed
    assert Measurement("x", "t", "s", 2.0, 1.0).is_missed
    assert not Measurement("x", "t", "s", 1.0, 1.0).is_missed
    assert not Measurement("x", "t", "", 1.004, 1.0, tolerance=0.005).is_missed
    assert Measurement("x", "t", "GB/s", 1.0, 2.0, more_is_better=True).is_missed
    assert Measurement("x", "allocations", "", 1, 0).is_missed


def test_picture_of_initializations(tmp_path):
    found = [Measurement(case, quantity, "s", 0.1 * ranks, 0.2 if "two" in case else None)
             for ranks in (4, 8) for way in ("rendezvous", "two-level")
             for case, quantity in ((f"M3 1+{ranks - 1} {way}", "initialize at A"),
                                    (f"{way}, {ranks} simulated ranks", "simulated time to find partners"))]
    assert paper1.draw(tmp_path, found).is_file()


def test_simulated_counts_beside_the_targets():
    curve = [Discovery(4096, 70, 35, 36, 5000, 400e-6, 30, 100)]
    found = {m.quantity: m for m in paper1.simulated({"rendezvous": curve})}
    assert found["messages sent by the busiest rank"].is_missed
    assert not found["messages received by the busiest rank"].is_missed
    assert not found["simulated time to find partners"].is_missed
    assert found["busiest over median rank, messages"].ours == 2


def test_lost_triangles_are_of_the_published_size(tmp_path, monkeypatch):
    first = {ranks: lost for ranks, lost in reference.LOST_TRIANGLES.items() if ranks[0] == 192}
    monkeypatch.setattr(paper1, "LOST_TRIANGLES", first)
    by_vertices, by_triangles = paper1.lost_triangles(Context(tmp_path))
    assert by_vertices.reference == 44_244 and 0.5 < by_vertices.ratio < 1.5
    assert by_triangles.ours == 0


def test_references_are_complete():
    assert {level for level, _ in reference.PEER_BLADE} == set(LEVELS) == set(reference.WEAK_SCALING)
    for ranks_b, ranks_a in [*reference.WEAK_SCALING.values(), *reference.LOST_TRIANGLES]:
        assert 2.6 < ranks_a / ranks_b < 3.1  # the paper deals ranks 1:3


def test_every_benchmark_says_what_it_is(capsys):
    assert main(["bench", "--help"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in NAMES) and "Time of one step" in out
    assert main(["bench", "nothing"]) == 2


def sums(ranks: int, *ways: str) -> interfaces.Sums:
    row = {"bytes_max": "800", "bytes_sum": "40000", "sum_us": "5", "apply_us": "9", "messages_max": "6",
           "rounds": "1"}
    mesh = {"interface": 9763.0, "interior_edges": 0.56, "plan_messages_max": 20.0}
    return interfaces.Sums(ranks, 178_605, mesh, {way: dict(row) for way in ways})


def test_interface_sums_beside_a_reduction():
    found = list(paper4.simulated(sums(64, "allreduce", "two_stage", "one_round", "automatic")))
    bytes_of = {m.case: m for m in found if m.quantity == "bytes sent by the busiest rank"}
    assert bytes_of["one_round, 64 simulated ranks"].reference == pytest.approx(2 * 8 * 9763 * 63 / 64)
    assert bytes_of["allreduce, 64 simulated ranks"].reference is None
    ratio = next(m for m in found if m.quantity.startswith("bytes of a reduction"))
    assert ratio.ours == pytest.approx(16 * 9763 * 63 / 40000) and not ratio.is_missed
    few = list(paper4.simulated(sums(1024, "two_stage", "one_round")))
    assert all(m.reference is None for m in few if m.quantity == "simulated time of a sum")


def test_convection_beside_the_known_limit(tmp_path):
    plane = [[0.1 * k for k in range(8)] for _ in range(32)]
    found = {n: interfaces.Steady(nu, nu, 4, 49.0, 59.0, plane) for n, nu in ((12, 3.283675), (16, 3.201133))}
    by_quantity = {m.quantity: m for m in paper4.steady(found)}
    assert by_quantity["distance to the known limit"].ours < 0.003
    assert not any(m.is_missed for m in paper4.steady(found))
    assert rolls_picture(tmp_path / "rolls.png", found[16]).is_file()


def test_picture_of_interfaces(tmp_path):
    found = [m for ranks in (16, 64) for m in paper4.simulated(sums(ranks, "two_stage", "one_round"))]
    rows = {name: {"apply_us": "5", "bandwidth": "9"} for name in ("original", "rcm, edges", "rcm")}
    found += [m for ranks in (1, 2) for m in paper4.order_times(ranks, rows)]
    assert paper4.draw(tmp_path, found).is_file()


def test_quasi_newton_compares_methods_of_one_run():
    runs = (("gram-schmidt", "30", "21"), ("ours", "10", "1"), ("floor", "5", "0"))
    rows = {(method, 7): {"iteration_us": us, "reductions": reductions, "allocations": "0"}
            for method, us, reductions in runs}
    found = {m.quantity: m for m in quasi_newton.compared(rows, 2)}
    assert found["reductions"].reference == 98 and found["reductions"].ours == 1
    assert found["iteration"].ratio == pytest.approx(3.0)
    assert found["iteration beside the floor"].is_missed and found["iteration beside the floor"].why


def test_exchanges_of_particles_beside_the_payload():
    head = ("ranks,way,step,divided,microseconds,messages_max,bytes_max,partners_max,messages_sum,bytes_sum,"
            "partners_sum")
    times = {"payload": 10, "all-to-all": 40, "put-fence": 30, "consensus": 20, "remembered": 10.5}
    rows = [f"64,{way},{step},{int(step == 3)},{time + (100 if step in (0, 3) else step)},9,900,8,70,9000,64"
            for way, time in times.items() for step in range(5)]
    ways = particles.exchanges("\n".join([head, *rows]))
    assert ways["payload"].seconds == pytest.approx(12e-6)  # of steps 1, 2, 4
    assert ways["payload"].divided == pytest.approx(110e-6) and ways["payload"].steps == 3
    found = {m.quantity: m for m in paper5.of_ways("64 ranks", ways, target=3.4)}
    assert found["ours over payload alone"].ours == pytest.approx(12.5 / 12)
    assert found["all-to-all over ours"].ours == pytest.approx(42 / 12.5)
    assert found["all-to-all over ours"].is_missed and not found["put-fence over ours"].is_missed
    assert found["messages beside the payload, ours, all ranks"].ours == 6


def test_steps_of_a_breaking_dam_have_all_their_iterations(monkeypatch):
    from isthmus.bench import paper2_dam_break as dam

    def rows(name, ranks, arguments, limit, variables):
        step = {"original": 9000, "paper": 3000}[arguments[-1]]
        row = {"method": "cg", "step_us": str(step), "limiter_us": "10", "iteration_us": "100"}
        return [row] if ranks < 24 else []

    monkeypatch.setattr(dam.simulated, "rows", rows)
    series = dam.simulate(dam.SMALL_CELLS, (12, 24), ("original", "paper"))
    assert list(series) == [12]  # on more ranks they did not end
    rest = dam.CORRECTORS * (dam.ITERATIONS - dam.SIMULATED) * 1e-4
    assert series[12]["paper"].whole == pytest.approx(3e-3 + rest)
    times = [m.ours for m in dam.strong(series) if m.quantity == dam.STEP]
    assert times == pytest.approx([9e-3 + rest, 3e-3 + rest])
