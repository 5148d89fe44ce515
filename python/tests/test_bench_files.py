# SPDX-License-Identifier: BSD-3-Clause
import pytest
from conftest import HERE, install

from isthmus import programs
from isthmus.bench import paper3_files
from isthmus.bench.framework import Context


@pytest.fixture
def found(fake_programs, tmp_path, monkeypatch):
    install(fake_programs, "bench_files", HERE / "fake_files.py")
    monkeypatch.setattr(programs, "mpi_launcher", lambda: ["sh", "-c", 'shift 2; exec "$@"', "mpirun"])
    measured = paper3_files.measure(Context(tmp_path / "out", repeat=1))
    return {(m.case, m.quantity): m for m in measured}


def test_every_way_stands_beside_ours(found, tmp_path):
    rows = found["16,384 blocks, a row at a time", "write calls per restart file, all ranks"]
    assert (rows.ours, rows.reference) == (2, 1_638_400)
    assert found["800 blocks, a block at a time", "bytes per restart file"].ratio == 2
    assert found["800 blocks, a row at a time", "onto the disk"].ratio == pytest.approx(20)
    assert (tmp_path / "out/paper3-files.png").is_file()
    assert not (tmp_path / "out/files").exists()


def test_gains_stand_beside_the_published(found):
    gain = found["800 blocks, a block at a time", "gain over a row at a time"]
    assert gain.ours == pytest.approx(900) and gain.reference == 50 and not gain.is_missed
    assert found["16,384 blocks, one call per rank", "gain over a row at a time"].ours == pytest.approx(1900)


def test_the_hold_up_is_a_share_of_writing(found):
    copied = found["800 blocks, values copied", "hold-up over the time of writing"]
    assert copied.ours == pytest.approx(0.25) and copied.is_missed and "memory" in copied.why
    assert not found["800 blocks, values lent", "hold-up over the time of writing"].is_missed
