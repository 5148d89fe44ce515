# SPDX-License-Identifier: BSD-3-Clause
import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import needs_mpi

from isthmus import programs
from isthmus.bench import reference
from isthmus.bench.coupler import (
    blades,
    implicit,
    initialization,
    latency,
    mapping,
    mappings,
    peer,
    quasi_newton,
    step,
)
from isthmus.bench.framework import Context
from isthmus.bench.measurement import Measurement, Median
from isthmus.errors import IsthmusError
from isthmus.plot.benchmarks import draw
from isthmus.replay import Errors, Mapping, replay
from isthmus.run.display import NoDisplay

SOURCES = Path(__file__).resolve().parents[3]
BUILD = SOURCES / "build" / "release"
PHASES = ("construct", "set_mesh", "initialize", "read", "write", "advance", "finalize")
MEMBERS = ("min", "median", "max", "best", "first", "cpu", "cpu_sum", "grown_mb", "peak_grown_mb")
THEIRS = "preCICE 9.1, the same replay in the same run"


def result(seconds: float) -> SimpleNamespace:
    phases = {name: dict.fromkeys(MEMBERS, seconds) for name in PHASES}
    report = {"phases": phases, "peak_memory_mb": 10 * seconds, "partners": [1, 3],
              "counters": {"bytes_sent": {"sum": 100.0, "max": 60.0}}}
    side = SimpleNamespace(report=report,
                           errors={"S": Errors(seconds / 100, seconds / 100, seconds / 10)})
    return SimpleNamespace(sides={"A": side, "B": side})


@pytest.fixture
def asked(tmp_path, monkeypatch) -> list[tuple]:
    """Replays that take ours 1, 2, 3 s and the peer, which is installed, ten times that."""
    runs: list[tuple] = []

    def replays(_, settings):
        theirs = os.environ["ISTHMUS_BIN"] == str(tmp_path)
        runs.append((settings.name, theirs, settings.coupling.initialization, settings.mapping.options))
        count = sum(run[:2] == runs[-1][:2] for run in runs)
        return [result(10.0 * count if theirs else float(count))]

    monkeypatch.setenv("ISTHMUS_BIN", "ours")
    monkeypatch.setattr(Context, "replays", replays)
    monkeypatch.setattr(peer, "installed", lambda _: peer.Installed(tmp_path, "9.1"))
    return runs


def by_quantity(measurements: list[Measurement]) -> dict[str, Measurement]:
    return {m.quantity: m for m in measurements}


def test_a_peer_that_is_installed_takes_the_place_of_its_constants(asked, tmp_path):
    found = mapping.measure(Context(tmp_path, repeat=3, only="M1 nearest-neighbor"))
    assert [run[1] for run in asked] == [False, True, True, False, False, True]
    assert {(m.ours, m.reference) for m in found if m.unit == "s"} == {(2.0, 20.0)}
    assert {m.source for m in found} == {THEIRS} and not any(m.is_missed for m in found)
    error = by_quantity(found)["largest error"]
    assert (error.ours, error.reference) == (pytest.approx(0.3), 3.0) and error.tolerance < 1e-6
    assert by_quantity(found)["initialize at A"].ours.runs == 3


def test_a_peer_that_is_not_installed_is_quoted(asked, tmp_path, monkeypatch):
    monkeypatch.setattr(peer, "installed", lambda _: None)
    found = by_quantity(mapping.measure(Context(tmp_path, repeat=3, only="M1 nearest-neighbor")))
    assert [run[1] for run in asked] == [False]
    quoted = reference.PEER_BLADE["M1", reference.NN]
    assert found["initialize at A"].reference == quoted.initialize
    assert found["largest error"].reference == quoted.max and found["largest error"].tolerance == 0.005
    assert found["initialize at B, CPU"].reference is None
    assert {m.source for m in found.values()} == {reference.PEER, ""}


def test_a_million_points_and_partition_of_unity_are_measured_beside_the_peer(asked, tmp_path, monkeypatch):
    monkeypatch.setattr(mapping, "MILLION", 400)
    found = by_quantity(mapping.measure(Context(tmp_path, repeat=1, only=mapping.BOTH_WAYS)))
    assert found["initialize at A"].reference == 10.0
    kept = found["memory of a vertex of B, kept"]
    assert kept.reference == pytest.approx(10 * kept.ours) and kept.source == THEIRS
    found = by_quantity(mappings._blade(Context(tmp_path, repeat=1), "M1", reference.SPLINES))
    assert found["initialize at A, beside the target"].reference == 5.0
    assert found["initialize and 10 steps"].reference == 110.0
    assert found["peak memory of A"].source == THEIRS


@pytest.mark.parametrize(("case", "words", "way"), [
    ("M3 8+24 rendezvous", "two-level", "two-level"), ("M3 8+24 one-level", None, "one-level"),
    ("M3 1+1 two-level", None, "one-level"),
    ("8,000 vertices per rank, 2+6 rendezvous", "two-level", "two-level"),
])
def test_the_peer_is_told_its_own_way_to_initialize(case, words, way, asked, tmp_path):
    found = initialization.measure(Context(tmp_path, repeat=1, only=case))
    assert [run[2] for run in asked] == [case.split()[-1], words]
    assert (found[0].reference, found[0].source) == (10.0, f"{THEIRS}; {way}")


def test_strips_take_their_times_from_the_peer_and_quote_its_partners(asked, tmp_path, monkeypatch):
    found = by_quantity(initialization.measure(Context(tmp_path, repeat=1, only="strips")))
    assert [run[:2] for run in asked] == [("strips-1", False), ("strips-11", False), ("strips-11-peer", True)]
    assert (found["initialize at A"].reference, found["advance at A"].source) == (10.0, THEIRS)
    partners = found["partners of a rank, at most"]
    assert (partners.ours, partners.reference) == (3, reference.PEER_STRIP_PARTNERS)
    assert "quoted of" in partners.source and "preCICE tells no program its partners" in partners.source
    drawn = draw("initialization", tmp_path, list(found.values()))
    assert [path.name for path in drawn] == ["initialization.png"]
    monkeypatch.setattr(peer, "installed", lambda _: None)
    found = by_quantity(initialization.measure(Context(tmp_path, repeat=1, only="strips")))
    assert found["initialize at A"].reference is None


def iterated(seconds: float) -> list[dict[str, str]]:
    row = {"case": "some", "vertices": "9", "windows": "10", "iterations": "8", "seconds": str(seconds),
           "early_mb": "1", "mb": "1", "drift": "0", "reductions": str(int(seconds)), "reused": "0"}
    row |= dict.fromkeys(("advance_us", "advance_median_us", "busy_median_us", "advance_max_us"),
                         str(1e6 * seconds))
    return [row, row | {"reused": "5"}]


@pytest.mark.parametrize("measured", [True, False])
def test_quasi_newton_is_quoted_where_it_is_not_measured(measured, tmp_path, monkeypatch):
    theirs = [iterated(10), iterated(30)] if measured else []
    runs = peer.Printed([iterated(1), iterated(3)], theirs, "the peer")
    monkeypatch.setattr(peer, "printed", lambda *_, **__: runs)
    monkeypatch.setattr(quasi_newton.programs, "mpi_launcher", lambda: ["mpirun"])
    newton = by_quantity(implicit.newton(runs, 1))
    advance = newton["advance that accelerates, median"]
    assert (advance.ours, advance.source) == (2.0, "the peer") and advance.ours.runs == 2
    assert advance.reference == (20.0 if measured else reference.PEER_NEWTON_STEP[5])
    assert newton["the same beside the target"].reference == pytest.approx(advance.reference / 3)
    assert implicit.many(runs, 0)[0].reference == (1.0 if measured else None)
    found = {(m.case.split()[0], m.quantity): m for m in quasi_newton.advances(Context(tmp_path))}
    assert found["7", "reductions of an advance"].reference == (30 if measured else 98)
    assert found["20", "reductions of an advance"].reference == (30 if measured else None)
    assert found["7", "advance"].reference == (20.0 if measured else None)
    asked = quasi_newton.measure(Context(tmp_path, only="20 columns, 2 ranks, drop-in"))
    assert {m.case for m in asked} == {"20 columns, 2 ranks, drop-in"}  # and nothing else is run


def test_options_that_the_peer_does_not_know_are_not_passed(asked, tmp_path):
    options = 'search="closest" vertices-per-cluster="20"'
    peer.blade(Context(tmp_path, repeat=1), "M1", Mapping("rbf-pum-direct", options=options))
    assert [run[3] for run in asked] == [options, ' vertices-per-cluster="20"']


def test_steps_that_were_measured_with_the_peer_are_not_quoted_besides(fake_programs, tmp_path, monkeypatch):
    pair = peer.Pair(Median.of([1e-5]), Median.of([5e-5]), "the peer")
    for pairs in ({1: pair, 100_000: pair}, {}):
        monkeypatch.setattr(peer, "steps", lambda _, pairs=pairs: pairs)
        context = Context(tmp_path, repeat=1)
        sources = [m.source for m in latency.measure(context) + step.measure(context)]
        for source in (reference.PEER, reference.PEER_STEP):
            assert (source in sources) == (not pairs)
        assert sources.count("the peer") == len(pairs)


def test_a_prefix_without_a_peer_is_an_error(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv(peer.VARIABLE, str(tmp_path))
    with pytest.raises(IsthmusError, match=r"there is no lib/pkgconfig/libprecice\.pc"):
        peer.installed(Context(tmp_path / "a"))
    monkeypatch.delenv(peer.VARIABLE)
    assert peer.installed(Context(tmp_path / "b")) is None
    assert "preCICE is not measured in this run" in capsys.readouterr().err


def installed_drop_in(prefix: Path) -> Path:
    """Our library as a peer. It is not installed by CMake, which would write its list of files into the build
    beside the tests of the package."""
    (prefix / "lib/pkgconfig").mkdir(parents=True)
    (prefix / "include").mkdir()
    (prefix / "include/precice").symlink_to(SOURCES / "api/precice/include/precice")
    for library in (BUILD / "lib").glob("lib*.so*"):
        (prefix / "lib" / library.name).symlink_to(library)
    shutil.copy(BUILD / "api/precice/libprecice.pc", prefix / "lib/pkgconfig")
    return prefix


needs_compiler = pytest.mark.skipif(shutil.which("mpicxx") is None or shutil.which("pkg-config") is None,
                                    reason="there is no mpicxx or no pkg-config")


@needs_mpi
@needs_compiler
@pytest.mark.skipif(not (BUILD / "lib/libprecice.so").exists(), reason="build/release has no libprecice.so")
def test_the_drop_in_as_a_peer_iterates(tmp_path, monkeypatch):
    monkeypatch.setenv(peer.VARIABLE, str(installed_drop_in(tmp_path / "prefix")))
    context = Context(tmp_path / "out", repeat=2)
    folder = peer.installed(context).folder
    (tmp_path / "bin").mkdir()
    for name in ("peer_step", "peer_iterate", "peer_reductions"):  # for ours, which need not be built
        (tmp_path / "bin" / f"bench_{name}").symlink_to(folder / name)
    monkeypatch.setenv("ISTHMUS_BIN", str(tmp_path / "bin"))
    for constant, number in (("VERTICES", 50), ("WINDOWS", 20), ("TRANSPORTS", ())):
        monkeypatch.setattr(implicit, constant, number)
    found = {(m.case, m.quantity): m for m in implicit.measure(context)}
    for reused in (0, 5):
        advance = found[f"50 vertices, {reused} windows reused", "advance that accelerates, median"]
        assert advance.ours.runs == 2 and 0 < advance.ours < 1 and 0 < advance.reference < 1
        assert advance.source == "preCICE 3.4.1, the same program in the same run"
    for scheme in ("serial-explicit", "parallel-implicit"):
        window = found[f"20 windows, {scheme}", "window"]
        assert 0 < window.ours < 1 and 0 < window.reference < 1
        assert found[window.case, "drift of the sum of steps, relative"].ours < 1e-12
    monkeypatch.setattr(quasi_newton, "VALUES", 400)
    for m in quasi_newton.advances(context):
        assert m.ours > 0 and m.reference > 0
        if m.quantity == "reductions of an advance":
            assert m.ours == m.reference == 1
    monkeypatch.setattr(peer, "WINDOWS", {1: 10})
    assert peer.steps(context)[1].theirs.runs == 2


@needs_mpi
@needs_compiler
@pytest.mark.skipif(not (BUILD / "lib/libprecice.so").exists() or programs.look_for("isthmus-replay") is None,
                    reason="build/release has no libprecice.so or no isthmus-replay")
def test_the_drop_in_as_a_peer_maps_as_isthmus_does(tmp_path, monkeypatch):
    monkeypatch.setenv(peer.VARIABLE, str(installed_drop_in(tmp_path / "prefix")))
    context = Context(tmp_path / "out", repeat=1)
    for ranks in ((1, 1), (1, 2)):
        turns = peer.blade(context, "M1", Mapping("nearest-neighbor"), ranks)
        (ours,), (theirs,) = turns.ours, turns.theirs
        assert turns.source == "preCICE 3.4.1, the same replay in the same run"
        for name, error in ours.sides["A"].errors.items():
            assert theirs.sides["A"].errors[name].l2 == pytest.approx(error.l2, rel=1e-12)
            assert theirs.sides["A"].errors[name].max == pytest.approx(error.max, rel=1e-12)
        for side, count in (("A", ranks[1]), ("B", ranks[0])):
            told = theirs.sides[side].report
            assert (told["participant"], told["ranks"], told["windows"]) == (side, count, 10)
            assert told["phases"].keys() == ours.sides[side].report["phases"].keys() == set(PHASES)
            assert all(set(phase) == set(MEMBERS) for phase in told["phases"].values())
            assert 0 < told["peak_memory_mb"] < 10_000
    assert (context.out / "runs/M1-nearest-neighbor-1+2-default-peer/A.json").is_file()
    settings = peer.blade_settings(context, "M1", Mapping("nearest-neighbor"))
    settings.function = "franke"
    with pytest.raises(IsthmusError) as failed, blades.programs_of(str(context.out / "runs/peer")):
        replay(settings, NoDisplay())
    assert failed.value.code == 2
    assert any("there is no function franke, only cosine" in log.read_text()
               for log in (context.out / "logs").iterdir())
