# SPDX-License-Identifier: BSD-3-Clause
"""The peer, preCICE, measured in the same run: one program (bench/coupling/peer_step.cpp) built with Isthmus
and with the installation under the prefix that ISTHMUS_PEER_PREFIX names, run by turns."""

from __future__ import annotations

import csv
import functools
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from isthmus import programs
from isthmus.bench.framework import Context
from isthmus.bench.measurement import Median
from isthmus.console import console, print_warning
from isthmus.errors import FAILED, IsthmusError

SOURCE = Path(__file__).resolve().parents[4] / "bench" / "coupling" / "peer_step.cpp"
LIMIT = 120  # seconds of one run
WINDOWS = {1: 2000, 100_000: 100}  # by number of vertices


@dataclass(frozen=True)
class Pair:
    """advance() of both, in seconds: medians over the runs, of the medians of their windows."""

    ours: Median
    theirs: Median
    source: str


@functools.lru_cache
def steps(context: Context) -> dict[int, Pair]:
    """By number of vertices; nothing where no peer is installed."""
    prefix = os.environ.get("ISTHMUS_PEER_PREFIX")
    if not prefix:
        print_warning("preCICE is not measured in this run: ISTHMUS_PEER_PREFIX names no installation of it; "
                      "figures of another day are quoted")
        return {}
    folder = (context.out / "runs" / "peer").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    theirs, version = _build(Path(prefix).resolve(), folder)
    ours = [str(programs.find("bench_peer_step"))]
    source = f"preCICE {version}, the same program in the same run"
    found = {}
    for vertices in WINDOWS:
        console.print(f"measuring {vertices:,} values beside preCICE {version}", style="dim")
        turns = [(_run(ours, vertices, folder), _run(theirs, vertices, folder))
                 for _ in range(context.repeat)]
        found[vertices] = Pair(*(Median.of(side) for side in zip(*turns, strict=True)), source)
    return found


def _build(prefix: Path, folder: Path) -> tuple[list[str], str]:
    """The command that runs the program with the peer's library, and its version."""
    libraries = [path for path in (prefix / "lib", prefix / "lib64", *prefix.glob("lib/*-linux-gnu"))
                 if (path / "pkgconfig" / "libprecice.pc").is_file()]
    if not libraries:
        raise IsthmusError(f"ISTHMUS_PEER_PREFIX={prefix}: there is no lib/pkgconfig/libprecice.pc")
    environment = os.environ | {"PKG_CONFIG_PATH": str(libraries[0] / "pkgconfig")}

    def ask(*arguments: str) -> list[str]:
        command = ["pkg-config", *arguments, "libprecice"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.split()

    program = folder / "peer_step"
    compiler = shutil.which("c++") or "c++"
    command = [compiler, "-std=c++20", "-O2", str(SOURCE), "-o", str(program), *ask("--cflags", "--libs"),
               f"-Wl,-rpath,{libraries[0]}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise IsthmusError(f"peer_step is not built with {prefix}: {done.stderr.strip()}", FAILED)
    return ["env", f"LD_LIBRARY_PATH={libraries[0]}", str(program)], ask("--modversion")[0]


def _run(command: list[str], vertices: int, folder: Path) -> float:
    text = programs.output("peer_step", [*command, str(vertices), str(WINDOWS[vertices]), str(folder)], LIMIT,
                           programs.mpi_environment())
    return 1e-6 * float(next(csv.DictReader(text.splitlines()))["median_us"])
