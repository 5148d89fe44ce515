# SPDX-License-Identifier: BSD-3-Clause
"""Our libPstream.so has each function of the packaged one, and gives the same, found on the library path or
loaded before the program: interface_test.py LIBRARIES PROGRAM."""

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


def lines(way: str, ranks: int, folder: Path) -> list[str]:
    """What the program writes on all ranks."""
    prefix = folder / f"{way}.{ranks}"
    command = [*programs.mpi_launcher(), "-n", str(ranks), "env", *WAYS[way], program, str(prefix)]
    done = subprocess.run(command, env=runs.environment(), capture_output=True, text=True, check=False,
                          timeout=300)
    assert done.returncode == 0, f"{way} on {ranks} ranks: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return [line for rank in range(ranks) for line in Path(f"{prefix}.{rank}").read_text().splitlines()]


def symbols(library: Path) -> set[str]:
    """Functions of the interface that are defined there: no templates, and no variables of its own."""
    done = subprocess.run(["nm", "-DC", "--defined-only", str(library)], capture_output=True, text=True,
                          check=True)
    return set(re.findall(r"^\w+ T (Foam::(?:U[IO]?Pstream::|reduce\(|sumReduce\().*)$", done.stdout,
                          re.MULTILINE))


def check_symbols() -> None:
    found = subprocess.run(["ldd", str(shutil.which("icoFoam"))], capture_output=True, text=True, check=True,
                           env=runs.environment()).stdout
    packaged = symbols(Path(re.findall(r"(/\S*libPstream\.so)", found)[0]))
    missing = packaged - symbols(libraries / "libPstream.so")
    assert len(packaged) > 25 and not missing, (len(packaged), missing)
    print(f"all {len(packaged)} functions of the packaged library are in ours")


check_symbols()
with tempfile.TemporaryDirectory() as name:
    for ranks in (2, 3, 4, 5):
        expected = lines("packaged", ranks, Path(name))
        assert len(expected) > 80 * ranks, f"only {len(expected)} lines on {ranks} ranks"
        for way in ("path", "preloaded"):
            found = lines(way, ranks, Path(name))
            different = [pair for pair in zip(expected, found, strict=False) if pair[0] != pair[1]]
            assert found == expected, f"{way}, {ranks} ranks: {different[:3] or (len(expected), len(found))}"
        print(f"{ranks} ranks: {len(expected)} lines are the same")
