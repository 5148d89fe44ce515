# SPDX-License-Identifier: BSD-3-Clause
"""damBreak on 4 ranks again and again, in every second run with a rank that is killed at some moment, with
libraries that were built with the address sanitizer: endure.py LIBRARIES FOLDER [--minutes 30] [--seed 1]
[--end 0.04], the last time of the flow.

  cmake -S . -B build/asan-openfoam -G Ninja -DISTHMUS_TESTS=OFF -DCMAKE_BUILD_TYPE=Debug \\
        -DCMAKE_CXX_FLAGS="-fsanitize=address -fno-omit-frame-pointer -O1 -g1"
  ninja -C build/asan-openfoam openfoam_pstream openfoam_count

Whole runs leave no request and no memory of libPstream.so, killed ones end with a line of each other rank.
What was seen is in FOLDER/endure.json; it stands there only if all of that was so."""

import argparse
import json
import os
import random
import re
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import tutorials

from isthmus import programs
from isthmus.openfoam import runs

LIMIT = 3600  # seconds of a run, on a busy machine
HANG = 900  # seconds after a death
SANITIZER = ("detect_leaks=1:alloc_dealloc_mismatch=0:new_delete_type_mismatch=0:exitcode=0:"
             "log_path={}/sanitizer")


def start(folder: Path, libraries: Path) -> subprocess.Popen:
    for path in [*folder.glob("calls.*"), *folder.glob("sanitizer.*")]:
        path.unlink()
    asan = subprocess.run(["g++", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    preloaded = ":".join([asan.stdout.strip(), f"{libraries}/{runs.COUNTER}", f"{libraries}/{runs.PSTREAM}"])
    command = [*programs.mpi_launcher(), "-n", "4", "env", f"LD_PRELOAD={preloaded}", "MPI_CALLS=calls",
               f"ASAN_OPTIONS={SANITIZER.format(folder)}", "interFoam", "-parallel"]
    with (folder / "log").open("w") as log:
        return subprocess.Popen(command, cwd=folder, env=runs.environment(), stdout=log,
                                stderr=subprocess.STDOUT)


def extent(library: Path) -> int:
    """Where the last of its segments ends."""
    command = ["readelf", "-lW", str(library)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    segments = re.findall(r"LOAD\s+\S+\s+(0x\w+)\s+\S+\s+\S+\s+(0x\w+)", lines)
    return max(int(start, 16) + int(size, 16) for start, size in segments)


def is_ours(report: str, end: int) -> bool:
    """By a name of ours, or a place within libPstream.so: the sanitizer takes what lies behind its end, where
    another library was until it was unloaded, for its too."""
    places = [int(offset, 16) for offset in re.findall(r"libPstream\.so\+0x([0-9a-f]+)", report)]
    return "isthmus::" in report or "openfoam/pstream" in report or any(place < end for place in places)


def ours(folder: Path, libraries: Path) -> list[str]:
    """Reports of the sanitizer in which libPstream.so occurs."""
    end = extent(libraries / runs.PSTREAM)
    reports = [report for path in folder.glob("sanitizer.*")
               for report in re.split(r"\n(?=Direct leak|Indirect leak|==\d+==)", path.read_text())]
    return [report for report in reports if is_ours(report, end)]


def whole_run(folder: Path, libraries: Path) -> None:
    with start(folder, libraries) as job:
        assert job.wait(LIMIT) == 0, (folder / "log").read_text()[-2000:]
    calls = [json.loads(path.read_text()) for path in sorted(folder.glob("calls.*"))]
    assert [rank["requests"]["left"] for rank in calls] == [0] * 4, [rank["requests"] for rank in calls]
    assert calls[0]["requests"]["calls"] > 1000 and not ours(folder, libraries), ours(folder, libraries)[:1]


def killed_run(folder: Path, libraries: Path, seconds: float, rank: int) -> float:
    """Returns how long the others take to end."""
    with start(folder, libraries) as job:
        time.sleep(seconds)
        process = tutorials.processes(job.pid).get(rank)
        if process is None:
            job.wait(LIMIT)
            return 0
        is_parallel = "nProcs : 4" in (folder / "log").read_text(errors="replace")
        os.kill(process, signal.SIGKILL)
        killed = time.monotonic()
        assert job.wait(HANG) != 0
        took = time.monotonic() - killed
    text = (folder / "log").read_text(errors="replace")
    said = len(re.findall(f"libPstream.so of Isthmus: rank {rank} has died", text))
    is_over = "Finalising parallel run" in text  # nobody waits any more
    assert said == 3 or not is_parallel or is_over, text[-2000:]
    assert not ours(folder, libraries), ours(folder, libraries)[:1]
    return took


def endure(folder: Path, libraries: Path, minutes: float, seed: int) -> dict[str, float]:
    """Of a decomposed case: runs, killed runs, and the seconds of the longest end."""
    dice, begin = random.Random(seed), time.monotonic()
    whole_run(folder, libraries)
    length = time.monotonic() - begin
    wholes, ends = 1, []
    while time.monotonic() < begin + 60 * minutes:
        ends.append(killed_run(folder, libraries, dice.uniform(0, length), dice.randrange(4)))
        whole_run(folder, libraries)
        wholes += 1
        print(f"{wholes} whole runs of {length:.0f} s, {len(ends)} killed, the longest end {max(ends):.1f} s",
              flush=True)
    return {"minutes": (time.monotonic() - begin) / 60, "whole": wholes, "killed": len(ends),
            "longest end": max(ends, default=0)}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("libraries", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--end", type=float, default=0.04)
    options = parser.parse_args()
    tutorials.skip_without("interFoam", "blockMesh", "setFields", "decomposePar")
    if b"__asan_init" not in (options.libraries / runs.PSTREAM).read_bytes():
        parser.error(f"{options.libraries} was built without the address sanitizer; see {__file__}")
    figures = options.folder / "endure.json"
    figures.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as name:
        case, _ = tutorials.dam_break(Path(name) / "case")
        tutorials.edit(case, "system/controlDict", (r"endTime\s+\S+;", f"endTime {options.end:g};"))
        tutorials.decompose(case, 4)
        found = endure(case.folder, options.libraries.resolve(), options.minutes, options.seed)
    options.folder.mkdir(parents=True, exist_ok=True)
    figures.write_text(json.dumps(found))


if __name__ == "__main__":
    main()
