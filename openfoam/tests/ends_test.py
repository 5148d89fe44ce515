# SPDX-License-Identifier: BSD-3-Clause
"""Where a rank dies, ends, or sends nothing, all others end with a line that says for whom they have waited
and since when: ends_test.py LIBRARIES PROGRAM MISSING."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import endure
import tutorials

from isthmus import programs
from isthmus.openfoam import runs

tutorials.skip_without("interFoam", "blockMesh", "setFields", "decomposePar")
libraries, missing = Path(sys.argv[1]), sys.argv[3]
WAYS = (f"LD_PRELOAD={libraries}/libPstream.so", f"LD_LIBRARY_PATH={libraries}")
LIMIT = 900  # seconds, of which all but a few are for a busy machine: without an end it is an hour
SINCE = r"since \d\d:\d\d:\d\d, for \d+\.\d s"


def command(way: str, *program: str) -> list[str]:
    return [*programs.mpi_launcher(), "-n", "4", "env", way, *program]


def check_lines(text: str, dead: int, why: str, what: str) -> None:
    for rank in range(4):
        if rank != dead:
            pattern = (f"libPstream.so of Isthmus: rank {dead} {why}.*; rank {rank} "
                       rf"(has waited for {what} {SINCE}|did not wait for anybody then)")
            assert re.search(pattern, text), f"no {pattern!r} in\n{text[-3000:]}"


def missing_rank(way: str, how: str, why: str, what: str) -> None:
    done = subprocess.run(command(way, missing, how), env=runs.environment(), capture_output=True, text=True,
                          check=False, timeout=LIMIT)
    assert done.returncode != 0, how
    check_lines(done.stderr, 1, why, what)
    if not how.startswith("death"):
        assert len(re.findall(rf"has waited for {what} {SINCE}", done.stderr)) == 3, done.stderr


def killed_rank(folder: Path, way: str, rank: int, moment: str) -> None:
    """Kills a rank of interFoam when its log says `moment`: soon, since steps take long on a busy machine."""
    log = folder / "log"
    with log.open("w") as out, subprocess.Popen(command(way, "interFoam", "-parallel"), cwd=folder,
                                                env=runs.environment(), stdout=out,
                                                stderr=subprocess.STDOUT) as job:
        end = time.monotonic() + LIMIT
        while moment not in log.read_text() and job.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        assert job.poll() is None, f"it has ended before {moment!r}: {log.read_text()[-2000:]}"
        os.kill(tutorials.processes(job.pid)[rank], signal.SIGKILL)
        try:
            assert job.wait(LIMIT) != 0
        finally:
            job.kill()
    check_lines(log.read_text(errors="replace"), rank, "has died", ".*")


def check_endurance() -> None:
    """What runs that have to last count as a whole run, and as time."""
    lost = "End\n\nFinalising parallel run\nprocess rank 1 with PID 0 on\nnode a exiting improperly"
    assert endure.has_ended_whole(0, "", 0) and endure.has_ended_whole(1, lost, 4)
    assert not endure.has_ended_whole(1, lost, 3), "one has not come to its end"
    assert not endure.has_ended_whole(1, lost.replace("exiting improperly", "killed"), 4)
    with subprocess.Popen(["sleep", "60"]) as job:
        assert 0.1 <= endure.awake(job, 0.1, at_end=False) < 60
        try:
            endure.awake(job, 0.1)
        except AssertionError as error:
            assert "not ended within 0.1 s" in str(error)
        else:
            raise AssertionError("a hang was not noticed")
        finally:
            job.kill()


check_endurance()
with tempfile.TemporaryDirectory() as name:
    for waits, what in (("reduction", "a reduction of all ranks"), ("read", "a message of rank 1"),
                        ("request", "messages of rank 1"), ("sizes", "an exchange .* of all ranks")):
        missing_rank(WAYS[waits == "read"], f"end-{waits}", "has ended without taking part", what)
    for way, how in zip(WAYS, ("end-buffers", "silence"), strict=True):
        missing_rank(way, how, "has sent nothing in an exchange", "a message of rank 1")
    missing_rank(WAYS[0], "death-buffers", "has died", ".*")
    case, _ = tutorials.dam_break(Path(name) / "case")
    tutorials.decompose(case, 4)
    for way, rank, moment in ((WAYS[0], 0, "Time = 0."), (WAYS[0], 3, "Reading field U"),
                              (WAYS[1], 1, "Solving for p_rgh")):
        killed_rank(case.folder, way, rank, moment)
        print(f"{way.partition('=')[0]}: rank {rank} killed at {moment!r}: all others say so")
