# SPDX-License-Identifier: BSD-3-Clause
"""damBreak on 4 ranks again and again, in every second run with a rank that is killed at some moment, with
libraries that were built with the address sanitizer: endure.py LIBRARIES FOLDER [--minutes 30] [--seed 1]
[--end 0.04], the last time of the flow.

  cmake -S . -B build/asan-openfoam -G Ninja -DISTHMUS_TESTS=OFF -DCMAKE_BUILD_TYPE=Debug \\
        -DCMAKE_CXX_FLAGS="-fsanitize=address -fno-omit-frame-pointer -O1 -g1"
  ninja -C build/asan-openfoam openfoam_pstream openfoam_count

Whole runs leave no request and no memory of libPstream.so, killed ones end with a line of each other rank.
What was seen is in FOLDER/endure.json; it stands there only if all of that was so. The machine may stop this
command and what it has started for a while, which does not count as time."""

import json
import os
import random
import re
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import command_line
import tutorials

from isthmus import programs
from isthmus.openfoam import runs

LIMIT = 3600  # seconds of a run, on a busy machine
HANG = 900  # seconds after a death
LOOK, LONGEST_LOOK = 0.05, 5  # seconds between two looks, and what takes longer: all was stopped
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


def awake(job: subprocess.Popen, most: float, at_end: bool = True) -> float:
    """Seconds until it has ended, or until so many are over, which is an error if it should end by then."""
    seconds = 0.0
    while job.poll() is None and seconds < most:
        before = time.monotonic()
        time.sleep(min(LOOK, most - seconds))
        seconds += min(time.monotonic() - before, LONGEST_LOOK)
    assert job.poll() is not None or not at_end, f"it has not ended within {most:g} s"
    return seconds


def has_ended_whole(code: int, log: str, num_written: int) -> bool:
    """Or its launcher alone says that it has failed, after all ranks have come to MPI_Finalize(): see
    record.ends_whole()."""
    is_lost = "exiting improperly" in log and "Finalising parallel run" in log
    return code == 0 or (is_lost and num_written == 4)


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


def whole_run(folder: Path, libraries: Path) -> float:
    """Returns how long it takes."""
    with start(folder, libraries) as job:
        took = awake(job, LIMIT)
    calls = [json.loads(path.read_text()) for path in sorted(folder.glob("calls.*"))]
    text = (folder / "log").read_text(errors="replace")
    assert has_ended_whole(job.returncode, text, len(calls)), text[-2000:]
    assert [rank["requests"]["left"] for rank in calls] == [0] * 4, [rank["requests"] for rank in calls]
    assert calls[0]["requests"]["calls"] > 1000 and not ours(folder, libraries), ours(folder, libraries)[:1]
    return took


def killed_run(folder: Path, libraries: Path, seconds: float, rank: int) -> tuple[float, float]:
    """Returns how long it takes, and how long the others take to end after the death."""
    with start(folder, libraries) as job:
        before = awake(job, seconds, at_end=False)
        process = tutorials.processes(job.pid).get(rank)
        if process is None:
            return before + awake(job, LIMIT), 0
        is_parallel = "nProcs : 4" in (folder / "log").read_text(errors="replace")
        os.kill(process, signal.SIGKILL)
        took = awake(job, HANG)
        assert job.returncode != 0
    text = (folder / "log").read_text(errors="replace")
    said = len(re.findall(f"libPstream.so of Isthmus: rank {rank} has died", text))
    is_over = "Finalising parallel run" in text  # nobody waits any more
    assert said == 3 or not is_parallel or is_over, text[-2000:]
    assert not ours(folder, libraries), ours(folder, libraries)[:1]
    return before + took, took


def endure(folder: Path, libraries: Path, minutes: float, seed: int) -> dict[str, float]:
    """Of a decomposed case: runs, killed runs, and the seconds of the longest end."""
    dice = random.Random(seed)
    length = seconds = whole_run(folder, libraries)
    wholes, ends = 1, []
    while seconds < 60 * minutes:
        took, end = killed_run(folder, libraries, dice.uniform(0, length), dice.randrange(4))
        ends.append(end)
        seconds += took + whole_run(folder, libraries)
        wholes += 1
        print(f"{seconds / 60:.1f} minutes: {wholes} whole runs, the first of {length:.0f} s, {len(ends)} "
              f"killed, the longest end {max(ends):.1f} s", flush=True)
    return {"minutes": seconds / 60, "whole": wholes, "killed": len(ends),
            "longest end": max(ends, default=0)}


def main() -> None:
    parser = command_line.parser_of(__doc__)
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
