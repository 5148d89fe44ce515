# SPDX-License-Identifier: BSD-3-Clause
"""Our libPstream.so has each function of the packaged one, and gives the same to a program that calls all,
found on the library path or loaded before the program: interface_test.py LIBRARIES PROGRAM."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import tutorials

from isthmus import programs
from isthmus.openfoam import runs

tutorials.skip_without("icoFoam")
libraries, program = Path(sys.argv[1]), sys.argv[2]
WAYS = {"packaged": [], "path": [f"LD_LIBRARY_PATH={libraries}"],
        "preloaded": [f"LD_PRELOAD={libraries}/libPstream.so"]}
# what the program calls by functions of libOpenFOAM.so: streams, and communicators with their lists of ranks
BESIDE = ("UIPstream::UIPstream(", "UPstream::allocatePstreamCommunicator(",
          "UPstream::freePstreamCommunicator(")


def start(way: str, ranks: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [*programs.mpi_launcher(), "-n", str(ranks), "env", *WAYS[way], program, *arguments]
    return subprocess.run(command, env=runs.environment(), capture_output=True, text=True, check=False,
                          timeout=300)


def lines(way: str, ranks: int, folder: Path) -> list[str]:
    """What the program writes on all ranks."""
    prefix = folder / f"{way}.{ranks}"
    done = start(way, ranks, str(prefix))
    assert done.returncode == 0, f"{way} on {ranks} ranks: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return [line for rank in range(ranks) for line in Path(f"{prefix}.{rank}").read_text().splitlines()]


def symbols(binary: Path | str, kind: str = "T") -> set[str]:
    """Functions of the interface that are defined there, or (U) called: no templates, no variables."""
    done = subprocess.run(["nm", "-DC", str(binary)], capture_output=True, text=True, check=True)
    return set(re.findall(rf"^[\w ]+ {kind} (Foam::(?:U[IO]?Pstream::|reduce\(|sumReduce\().*)$", done.stdout,
                          re.MULTILINE))


def check_symbols() -> None:
    found = subprocess.run(["ldd", str(shutil.which("icoFoam"))], capture_output=True, text=True, check=True,
                           env=runs.environment()).stdout
    packaged = symbols(Path(re.findall(r"(/\S*libPstream\.so)", found)[0]))
    missing = packaged - symbols(libraries / "libPstream.so")
    assert len(packaged) > 25 and not missing, (len(packaged), missing)
    others = {name for name in packaged - symbols(program, "U")
              if not any(name.startswith(f"Foam::{beside}") for beside in BESIDE)}
    assert not others, f"the program does not call {others}"
    print(f"all {len(packaged)} functions of the packaged library are in ours, and called")


def check_abort() -> None:
    """Of one rank: all end, soon, with an error."""
    for way in WAYS:
        done = start(way, 3, "unused", "abort")
        assert done.returncode == 1, (way, done.returncode, done.stderr)  # of MPI_Abort; a crash has another
        # Open MPI loses its own message at times, and says so.
        is_lost = "ORTE_ERROR_LOG" in done.stderr and "show_help.c" in done.stderr
        assert is_lost or "MPI_ABORT was invoked on rank 1" in done.stderr, (way, done.stderr)


check_symbols()
check_abort()
with tempfile.TemporaryDirectory() as name:
    for ranks in (2, 3, 4, 5):
        expected = lines("packaged", ranks, Path(name))
        assert len(expected) > 80 * ranks, f"only {len(expected)} lines on {ranks} ranks"
        for way in ("path", "preloaded"):
            found = lines(way, ranks, Path(name))
            different = [pair for pair in zip(expected, found, strict=False) if pair[0] != pair[1]]
            assert found == expected, f"{way}, {ranks} ranks: {different[:3] or (len(expected), len(found))}"
        print(f"{ranks} ranks: {len(expected)} lines are the same")
