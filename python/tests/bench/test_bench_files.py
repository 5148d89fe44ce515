# SPDX-License-Identifier: BSD-3-Clause
import pytest
from conftest import HERE, install

from isthmus import programs
from isthmus.bench.framework import Context
from isthmus.bench.kit import files
from isthmus.plot.benchmarks import draw


@pytest.fixture
def writes(fake_programs, monkeypatch):
    install(fake_programs, "bench_files", HERE / "fakes/files.py")
    monkeypatch.setattr(programs, "mpi_launcher", lambda: ["sh", "-c", 'shift 2; exec "$@"', "mpirun"])


@pytest.fixture
def found(writes, tmp_path):
    measured = files.measure(Context(tmp_path / "out", repeat=1))
    return {(m.case, m.quantity): m for m in measured}


def test_ours_stands_beside_the_best_other_way(found, tmp_path):
    calls = found["16,384 blocks, one call per rank", files.CALLS]
    assert (calls.ours, calls.reference) == (2, 16_384)
    assert found["800 blocks, one call per rank", files.BYTES].ratio == 1
    ours = found["800 blocks, one call per rank", "onto the disk"]
    assert (ours.reference, ours.ours.runs) == (0.1, 30) and ours.is_missed
    assert ours.source.startswith("one header, no halos") and "index" in ours.why
    assert found["800 blocks, a row at a time", "onto the disk"].reference is None
    assert not (tmp_path / "out/files").exists()
    assert all(path.is_file() for path in draw("files", tmp_path, list(found.values())))


def test_the_hold_up_is_a_share_of_writing(found):
    copied = found["800 blocks, values copied", "hold-up over the time of writing"]
    assert copied.ours == pytest.approx(0.25) and copied.is_missed and "memory" in copied.why
    assert copied.ours.runs == 30
    assert not found["800 blocks, values lent", "hold-up over the time of writing"].is_missed


@pytest.mark.parametrize(("only", "begins"), [
    ("16,384 blocks, one call", "16,384 blocks"), ("values copied", "800 blocks, values"),
])
def test_files_that_were_not_asked_for_are_not_written(only, begins, writes, tmp_path):
    measured = files.measure(Context(tmp_path / "out", repeat=1, only=only))
    assert measured and all(m.case.startswith(begins) for m in measured)
