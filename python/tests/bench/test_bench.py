# SPDX-License-Identifier: BSD-3-Clause
import csv

import pytest
from conftest import PATIENCE, native

from isthmus.bench import ALIASES, NAMES, benchmark, framework, reference
from isthmus.bench.coupler import access, candidates, initialization, mapping, quasi_newton, step
from isthmus.bench.framework import Context
from isthmus.bench.kit import (
    balance,
    convection,
    dam_break,
    discovery,
    interface,
    interface_runs,
    orders,
    particle_runs,
    particles,
)
from isthmus.bench.kit.discovery_runs import Discovery
from isthmus.bench.measurement import Measurement, Median, measurement_of, read_rows, row_of
from isthmus.cli import main
from isthmus.errors import IsthmusError
from isthmus.mesh import LEVELS
from isthmus.plot.benchmarks import draw


def read_csv(path) -> list[dict[str, str]]:
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_latency_with_the_fake(fake_programs, tmp_path, capsys):
    for _ in range(2):
        assert main(["bench", "latency", "--repeat", "2", "--out", str(tmp_path / "b")]) == 0
    out = capsys.readouterr().out
    assert "500 µs" in out and "50 µs" in out and "0.10×" in out
    assert "missed: tcp, 1 value, advance, best: 500 µs, not 50 µs" in out
    assert "missed: shm, 10 values, heap allocations: 3, not 0" in out
    rows = read_csv(tmp_path / "b/results.csv")
    assert len(rows) == 2 * 2 * 4 * 5 and set(rows[0]) == set(framework.CSV_COLUMNS)
    assert rows[1]["quantity"] == "advance, median" and rows[1]["runs"] == "2"
    assert "days ago, not measured in this run" in out
    assert float(rows[3]["ours"]) == pytest.approx(510 / 110) and rows[3]["runs"] == "2"  # of medians
    assert float(rows[0]["ours"]) == 0.0005 and float(rows[0]["reference"]) == 50e-6
    assert rows[0]["commit"] and rows[0]["host"] and rows[0]["date"].startswith("20")
    assert (tmp_path / "b/latency.png").is_file()


def test_step_of_streams_with_the_fake(fake_programs, tmp_path):
    found = step.measure(Context(tmp_path, repeat=1))
    rates = {m.case: m.ours for m in found if m.quantity == "whole step"}
    assert rates["tcp, one-way, 100,000 values"] == pytest.approx(0.8e6 / 600e-6 * 1e-9)
    assert rates["shm, two-way, 1,000,000 values"] == pytest.approx(16e6 / 600e-6 * 1e-9)


@pytest.mark.parametrize(("only", "sizes"), [
    ("100,000 values", (100_000, 100_000)), ("two-way", (10_000, 1_000_000)),
])
def test_steps_of_sizes_that_were_not_asked_for_are_not_measured(only, sizes, tmp_path, monkeypatch):
    ran = []
    monkeypatch.setattr(step, "steps", lambda _, *range_: ran.append(range_) or {})
    with pytest.raises(KeyError):  # there are no results
        step.measure(Context(tmp_path, only=only))
    assert ran == [sizes]
    assert step.measure(Context(tmp_path, only="M4")) == []


def test_phases_take_the_median_run_of_the_slowest_rank(fake_programs, tmp_path):
    class Run:
        def __init__(self, slowest):
            self.sides = {"A": self}
            self.report = {"phases": {"initialize": {"median": 1.0, "max": slowest}}}

    longest = framework.phase([Run(5.0), Run(3.0), Run(4.0)], "A", "initialize")
    assert (longest, longest.low, longest.high, longest.runs) == (4.0, 3.5, 4.5, 3)
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
    assert Measurement("x", "t", "", 1.004, 1.0, tolerance=0.005).is_same
    assert not Measurement("x", "t", "", 1.006, 1.0, "limit: of the test", tolerance=0.005).is_same


def test_picture_of_initializations(tmp_path):
    found = [Measurement(f"M3 1+{ranks - 1} {way}", "initialize at A", "s", 0.1 * ranks,
                         0.2 if "two" in way else None)
             for ranks in (4, 8) for way in ("rendezvous", "two-level")]
    assert all(path.is_file() for path in draw("initialization", tmp_path, found))


def test_discovery_beside_the_faster_other_way(tmp_path):
    curve = [Discovery(4096, 70, 35, 36, 5000, 400e-6)]
    other = [Discovery(4096, 7, 3, 3600, 50000, 300e-6)]
    figures = list(discovery.simulated({"rendezvous": curve, "two-level": other}))
    assert all(path.is_file() for path in draw("discovery", tmp_path, figures))
    found = {m.quantity: m for m in figures if m.case.startswith("rendezvous")}
    assert found["messages sent by the busiest rank"].is_missed
    assert not found["messages received by the busiest rank"].is_missed
    time = found["simulated time to find partners"]
    assert time.is_missed and time.reference == 300e-6 and time.source.startswith("two-level")
    assert found["busiest over median rank, messages"].ours == 2


def test_lost_triangles_are_of_the_published_size(tmp_path, monkeypatch):
    first = {ranks: lost for ranks, lost in reference.LOST_TRIANGLES.items() if ranks[0] == 192}
    monkeypatch.setattr(initialization, "LOST_TRIANGLES", first)
    by_vertices, by_triangles = initialization.lost_triangles(Context(tmp_path))
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
    for name in NAMES:
        module = benchmark(name)
        assert module.__doc__.splitlines()[0].endswith("."), f"{name}: its summary goes on in the second line"


def sums(ranks: int, *ways: str) -> interface_runs.Sums:
    row = {"bytes_max": "800", "bytes_sum": "40000", "sum_us": "5", "apply_us": "9", "messages_max": "6",
           "rounds": "1"}
    mesh = {"interface": 9763.0, "interior_edges": 0.56, "plan_messages_max": 20.0}
    return interface_runs.Sums(ranks, 178_605, mesh, {way: dict(row) for way in ways})


def test_sums_stand_beside_the_fastest_other_way():
    few = sums(64, "allreduce", "two_stage", "one_round", "automatic")
    few.by_strategy["two_stage"]["sum_us"] = "4"
    few.by_strategy["allreduce"]["bytes_max"] = "9000"
    found = list(interface.simulated(few))
    times = {m.case: m for m in found if m.quantity == interface.TIME}
    ours = times["one_round, 64 simulated ranks"]
    assert ours.reference == pytest.approx(4e-6) and ours.source.startswith("two_stage") and ours.is_missed
    assert times["two_stage, 64 simulated ranks"].reference is None
    size = {m.case: m for m in found if m.quantity == interface.BYTES}
    kinds = {case.split(",")[0]: m.kind for case, m in size.items()}
    assert kinds == {"allreduce": "modelled", "two_stage": "simulated", "one_round": "simulated",
                     "automatic": "simulated"}
    assert {m.kind for m in times.values()} == {"simulated"}
    ours = size["one_round, 64 simulated ranks"]
    assert ours.reference == 800 and ours.source.startswith("two_stage, the fewest bytes")


def steady(rolls: int) -> dict[int, interface_runs.Steady]:
    plane = [[0.1 * k for k in range(8)] for _ in range(32)]
    return {n: interface_runs.Steady(nu, nu, rolls, 49.0, 59.0, plane)
            for n, nu in ((12, 3.283675), (16, 3.201133))}


def test_convection_has_the_rolls_of_the_publication(tmp_path):
    found = list(convection.steady(steady(4)))
    assert not any(m.is_missed for m in found)
    (tmp_path / "plane.csv").write_text("0,0.5,1\n0.1,0.5,0.9\n0,0.5,1\n")
    assert [path.name for path in draw("convection", tmp_path, found, tmp_path)] == [
        "convection.png", "convection-rolls.png"]


def test_other_numbers_of_rolls_are_missed():
    found = list(convection.steady(steady(3)))
    assert all(m.is_missed for m in found if m.quantity == "rolls off the publication's")


def test_orders_stand_beside_the_generators_with_the_same_loop(tmp_path):
    rows = {name: {"apply_us": time, "bandwidth": "9"} for name, time in (
        ("generated, edges", "8"), ("rcm, edges", "10"), ("generated", "5"), ("rcm", "4"))}
    found = list(orders.order_times("Gmsh", orders.GMSH, rows))
    times = {m.case: m for m in found if m.quantity == "operator without exchange"}
    assert times["Gmsh, rcm, edges"].reference == pytest.approx(8e-6) and times["Gmsh, rcm, edges"].is_missed
    assert times["Gmsh, rcm"].reference == pytest.approx(5e-6) and "Gmsh" in times["Gmsh, rcm"].source
    assert times["Gmsh, generated"].reference is None
    assert all(path.is_file() for path in draw("orders", tmp_path, found))


def test_picture_of_interfaces(tmp_path):
    found = [m for ranks in (16, 64) for m in interface.simulated(sums(ranks, "two_stage", "one_round"))]
    assert all(path.is_file() for path in draw("interface", tmp_path, found))


def test_blocks_stand_beside_metis_by_the_same_rule(tmp_path):
    row = {"ranks": "32", "blocks": "256", "imbalance": "1.2", "received": "90", "seconds": "0.1",
           "pieces": "300", "ghosts": "1000"}
    rows = [row | {"way": way, "imbalance": imbalance} for way, imbalance in (
        ("equal counts", "2.5"), ("METIS whole blocks 2 %", "1.4"), ("METIS whole blocks 10 %", "1.3"),
        ("ours whole blocks", "1.2"), ("METIS blocks cut in halves 2 %", "1.15"),
        ("METIS blocks cut as ours 2 %", "1.1"), ("ours blocks cut", "1.02"))]
    found = list(balance._blocks(rows))
    even = {m.case: m for m in found if m.quantity == balance.EVEN}
    assert even["32 ranks, whole blocks"].reference == 1.3 and even["32 ranks, blocks cut"].reference == 1.1
    assert even["32 ranks, equal numbers of whole blocks"].reference is None
    assert all(path.is_file() for path in draw("balance", tmp_path, found))


def test_quasi_newton_compares_methods_of_one_run():
    runs = (("gram-schmidt", (29, 90, 30), "21"), ("ours", (10, 11, 9), "1"), ("floor", (5, 5, 6), "0"))
    rows = {(method, 7): [{"iteration_us": str(us), "reductions": reductions, "allocations": "0"}
                          for us in times] for method, times, reductions in runs}
    found = {m.quantity: m for m in quasi_newton.compared(rows, 2)}
    assert found["reductions"].reference == 21 and found["reductions"].ours == 1
    assert found["iteration"].ratio == pytest.approx(3.0) and found["iteration"].ours.runs == 3
    assert found["iteration beside the floor"].is_missed and found["iteration beside the floor"].why


def test_exchanges_of_particles_with_their_agreement_beside_the_fastest_other():
    head = ("ranks,way,step,divided,microseconds,messages_max,bytes_max,partners_max,messages_sum,bytes_sum,"
            "partners_sum")
    times = {"payload": 10, "all-to-all": 40, "put-fence": 30, "consensus": 20, "remembered": 10.5,
             "agreed": 25}
    rows = [f"64,{way},{step},{int(step == 3)},{time + (100 if step in (0, 3) else step)},9,900,8,70,9000,64"
            for way, time in times.items() for step in range(5)]
    ways = particle_runs.exchanges("\n".join([head, *rows]))
    assert ways["payload"].seconds == pytest.approx(12e-6)  # of steps 1, 2, 4
    assert ways["payload"].divided == pytest.approx(110e-6) and ways["payload"].seconds.runs == 3
    found = {m.case: m for m in particles.of_ways("64 ranks", ways) if m.quantity == particles.TIME}
    ours = found["64 ranks, agreed"]
    assert ours.reference == pytest.approx(22e-6) and "consensus" in ours.source and ours.is_missed
    assert found["64 ranks, remembered"].reference is None


@pytest.mark.parametrize(("only", "live", "nodes"), [
    ("of this machine", [2, 4, 8, 16, 36, 72], []), ("the solver, 4 ranks of this machine", [4], []),
    ("the solver, 36 ranks on ", [], [36]),
])
def test_only_runs_the_exchanges_of_the_particle_solver_that_were_asked_for(only, live, nodes, tmp_path,
                                                                            monkeypatch):
    ran = {"live": [], "nodes": []}
    monkeypatch.setattr(particle_runs, "solved", lambda *_: (1.0, dict.fromkeys(range(73))))
    monkeypatch.setattr(particles, "live", lambda ranks, _: ran["live"].append(ranks) or [])
    monkeypatch.setattr(particles, "solver", lambda _, ranks, *__: ran["nodes"].append(ranks) or [])
    assert particles.measure(Context(tmp_path, only=only)) == []
    assert ran == {"live": live, "nodes": nodes}


@pytest.mark.parametrize(("only", "measured"), [
    ("M3 nearest-projection", ["M3 nearest-projection"]),
    ("nearest-neighbor", [f"M{level} nearest-neighbor" for level in (1, 2, 3, 4)]),
    ("1,000,000 points", [mapping.BOTH_WAYS]),
])
def test_mappings_that_were_not_asked_for_are_not_measured(only, measured, tmp_path, monkeypatch):
    ran = []
    monkeypatch.setattr(mapping, "_blade", lambda _, *names: ran.append(" ".join(names)) or [])
    monkeypatch.setattr(mapping, "_million", lambda _: ran.append(mapping.BOTH_WAYS) or [])
    assert mapping.measure(Context(tmp_path, only=only)) == []
    assert ran == measured


@pytest.mark.parametrize(("only", "measured"), [
    ("M2 1+1", [("M2", (1, 1))]),
    ("on the mesh of A", [("M1", (2, 6))]),
])
def test_candidates_that_were_not_asked_for_are_not_measured(only, measured, tmp_path, monkeypatch):
    ran = []
    monkeypatch.setattr(candidates, "_by_turns", lambda _, level, ranks, __: ran.append((level, ranks)))
    with pytest.raises(TypeError):  # there are no results
        candidates.measure(Context(tmp_path, only=only))
    assert ran == measured


@pytest.mark.parametrize(("only", "measured"), [
    ("M3 8+24 rendezvous", ["M3-nearest-projection-8+24-rendezvous"]),
    ("4+12 two-level", ["M3-nearest-projection-4+12-two-level", "weak-4+12-two-level"]),
    ("strips", ["strips-1", "strips-11"]),
])
def test_initializations_that_were_not_asked_for_are_not_measured(only, measured, tmp_path, monkeypatch):
    ran = []

    def replays(_, settings):
        ran.append(settings.name)
        return []

    monkeypatch.setattr(Context, "replays", replays)
    monkeypatch.setattr(initialization, "_initialization", lambda *_: [])
    if only == "strips":
        with pytest.raises(IndexError):  # there are no results
            initialization.measure(Context(tmp_path, only=only))
    else:
        assert initialization.measure(Context(tmp_path, only=only)) == []
    assert ran == measured


def test_ways_to_initialize_stand_beside_each_other_by_turns(tmp_path, monkeypatch):
    ran = []
    monkeypatch.setattr(initialization, "by_turns", lambda _, *both: [ran.append(one.name) for one in both])
    monkeypatch.setattr(initialization, "phase", lambda *_: Median.of([1.0]))
    found = initialization.measure(Context(tmp_path, only="2+6, beside two-level"))
    assert ran == ["M3-nearest-projection-2+6-rendezvous", "M3-nearest-projection-2+6-two-level",
                   "weak-2+6-rendezvous", "weak-2+6-two-level"]
    assert [one.quantity for one in found] == 2 * ["initialize at A", "initialize at A, CPU of all ranks"]


def test_construction_is_timed_in_processes_of_their_own(tmp_path):
    native("participant")
    config = tmp_path / "config.xml"
    config.write_text(access._config(tmp_path))
    took = access._start(config, 2)
    assert 0 < took < PATIENCE and took.runs == 2


def test_front_of_a_breaking_dam_is_drawn_from_its_figures(tmp_path, monkeypatch):
    lines = "".join(f"{0.01 * k},{0.25 + 0.006 * k}\n" for k in range(120))
    text = f"{lines}steps,overshoot,volume_change\n120,1e-9,1e-15\n"
    monkeypatch.setattr(dam_break.programs, "find", lambda name: name)
    monkeypatch.setattr(dam_break.programs, "output", lambda *_: text)
    found = dam_break.measure(Context(tmp_path))
    assert sum(m.quantity == dam_break.AT for m in found) == 120
    ours = {m.quantity: pytest.approx(m.ours) for m in found}
    speed = 0.6 * 2**0.5  # of the lines, in widths and the time of the table
    assert ours["speed of the front from 2 to 3.6 widths"] == speed
    assert ours["speed of the front beside the experiment's"] == 1 - speed / reference.MARTIN_SLOPE
    off = max(abs(1 + speed * time - place) for time, place in reference.MARTIN_FRONT if place < 3.6)
    assert ours["front off the experiment's at most, widths of the column"] == off
    assert all(path.is_file() for path in draw("dam_break", tmp_path, found))


def test_rows_keep_kind_direction_and_quartiles():
    m = Measurement("x", "rate", "GB/s", Median.of([1.0, 2.0, 4.0]), 3.0, "peer", more_is_better=True,
                    kind="simulated")
    row = dict(zip(framework.CSV_COLUMNS, ["", "", "", "", "b", *row_of(m), ""], strict=True))
    assert (row["ours"], row["low"], row["high"], row["runs"]) == ("2", "1.5", "3", "3")
    back = measurement_of(row)
    assert (back.ours, back.reference, back.is_missed, back.kind) == (2.0, 3.0, True, "simulated")


def test_what_every_machine_finds_is_counted_and_not_measured():
    assert Measurement("x", "messages of all ranks", "", 80).kind == "counted"
    assert Measurement("x", "initialize at A", "s", 0.2).kind == "measured"
    assert Measurement("x", "memory of a vertex of A, kept", "B", 120).kind == "measured"
    assert Measurement("x", "messages of all ranks", "", 80, kind="simulated").kind == "simulated"


def test_the_file_of_the_sources_takes_no_rows_of_changed_sources(tmp_path, monkeypatch, capsys):
    path = tmp_path / "results.csv"
    monkeypatch.setattr(framework, "KEPT", path)
    for commit, rows in (("abc+", 0), ("unknown", 0), ("abc", 1)):
        monkeypatch.setattr(framework, "current_commit", lambda commit=commit: commit)
        framework.append_csv(path, "step", [Measurement("x", "t", "s", 1.0)])
        assert (len(read_csv(path)) if path.exists() else 0) == rows
    assert "are not committed" in capsys.readouterr().err


def test_a_row_says_the_processor_and_older_ones_are_read_without_it(tmp_path):
    path = tmp_path / "results.csv"
    framework.append_csv(path, "step", [Measurement("x", "t", "s", 1.0)])
    assert b"\r" not in path.read_bytes()
    with path.open("a") as file:
        file.write("2026-11-21T10:24:08+00:00,06be1a5,vm,5.9,step,x,t,s,2,,,measured,less,,,\n")
    assert [row["processor"] for row in read_rows(path)] == [framework.processor(), ""]
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("cpu family\t: 25\nmodel\t\t: 1\nmodel name\t: A 7 of B\n\nmodel name\t: C\n")
    assert framework.processor(cpuinfo) == "A 7 of B (family 25, model 1)"
    cpuinfo.write_text("model name\t: A 7 of B\n")
    assert framework.processor(cpuinfo) == "A 7 of B"


def test_names_of_publications_stay_as_aliases(monkeypatch, tmp_path):
    assert {name for names in ALIASES.values() for name in names} <= set(NAMES)
    ran = []
    monkeypatch.setattr(framework, "run", lambda name, context: ran.append(name) or [])
    monkeypatch.setattr("isthmus.plot.benchmarks.draw", lambda *_: [])
    assert main(["bench", "paper3", "--out", str(tmp_path)]) == 0
    assert ran == ["balance", "flow_blocks", "files", "flow_files", "flow", "flow_fluxes", "flow_peer",
                   "flow_turbulence"]
