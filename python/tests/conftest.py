# SPDX-License-Identifier: BSD-3-Clause
import importlib
import os
import shutil
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PATIENCE = 1500  # seconds that a test waits for processes; only what hangs takes longer, on any machine
os.environ["COLUMNS"] = "150"  # the console of the command looks when it is imported
os.environ.pop("ISTHMUS_PEER_PREFIX", None)  # nothing is measured beside a peer, but where a test names one


def wait_until(condition: Callable[[], object], words: str) -> None:
    """Looks again and again; fails when the patience has ended."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"waited in vain: {words}"
        time.sleep(0.05)


def native(name: str) -> ModuleType:
    """The module isthmus.`name`, for tests that need our library. Where it is not built they are skipped, but
    fail in `make test`, which has built it."""
    if os.environ.get("ISTHMUS_TEST_NATIVE"):
        return importlib.import_module(f"isthmus.{name}")
    return pytest.importorskip(f"isthmus.{name}", exc_type=ImportError)


def rows_by_key() -> dict[str, list[dict[str, str]]]:
    """Rows of the results by `bench / case / quantity`, oldest first."""
    from isthmus.bench.measurement import read_rows  # which makes the console

    found = defaultdict(list)
    for row in read_rows(ROOT / "bench/results.csv"):
        found[f"{row['bench']} / {row['case']} / {row['quantity']}"].append(row)
    return found


def install(folder: Path, name: str, script: Path) -> None:
    """A program `name` in `folder` that runs a Python script."""
    program = folder / name
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}" "$@"\n')
    program.chmod(0o755)


@pytest.fixture
def fake_programs(tmp_path, monkeypatch) -> Path:
    """Stand-ins for the C++ programs, found before all others."""
    folder = tmp_path / "bin"
    folder.mkdir()
    install(folder, "isthmus-replay", HERE / "fakes/replay.py")
    install(folder, "isthmus-config-check", HERE / "fakes/config_check.py")
    install(folder, "bench_step", HERE / "fakes/step.py")
    monkeypatch.setenv("ISTHMUS_BIN", str(folder))
    return folder


needs_mpi = pytest.mark.skipif(shutil.which("mpirun") is None, reason="there is no mpirun")
