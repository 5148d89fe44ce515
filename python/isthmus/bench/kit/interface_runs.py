# SPDX-License-Identifier: BSD-3-Clause
"""Runs bench_interface and bench_halo: sums over shared nodes, orders of nodes, one exchange with neighbours;
on this machine, on simulated clusters and under valgrind."""

from __future__ import annotations

import csv
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from isthmus import programs
from isthmus.console import console, print_warning
from isthmus.errors import FAILED, IsthmusError

TREE = Path(__file__).resolve().parents[4]
SIMULATED = TREE / "build" / "smpi" / "bench" / "bench_interface"
# a reduction by halving and doubling, whose bytes are those that bench_interface says
SIMULATION = {"ISTHMUS_SIMULATED_SHARED": "1", "ISTHMUS_SIMULATED_OPTIONS": "smpi/allreduce:rab_rdb"}
LIMIT = 300  # seconds of one run
Cells = tuple[int, int, int]
Rows = list[dict[str, str]]


@dataclass(frozen=True)
class Sums:
    """All strategies on one mesh and number of ranks."""

    ranks: int
    tets: int
    mesh: dict[str, float]  # counts of the mesh and of its interface
    by_strategy: dict[str, dict[str, str]]

    def figure(self, strategy: str, name: str) -> float:
        return float(self.by_strategy[strategy][name])


def sums_here(ranks: int, cells: Cells, rounds: int) -> Sums:
    """Under real MPI on this machine."""
    return _sums(_mpi(ranks, "bench_interface", "strategies", *map(str, cells), str(rounds)))


def sums_simulated(ranks: int, cells: Cells) -> Sums | None:
    """On a simulated cluster; None if it is not built or takes too long."""
    if not SIMULATED.is_file():
        print_warning(f"no simulated clusters: {SIMULATED} is not there; tools/build.sh smpi 2 "
                      "bench_interface builds it")
        return None
    console.print(f"simulating interface sums on {ranks:,} ranks", style="dim")
    # others take too long to simulate
    few = ("allreduce", "two_stage", "one_round", "automatic") if ranks > 256 else ()
    command = [str(TREE / "tools" / "smpirun.sh"), str(ranks), str(SIMULATED), "strategies", *map(str, cells),
               "1", *few]
    try:
        return _sums(_output(command, os.environ | SIMULATION))
    except IsthmusError as error:
        print_warning(f"no interface sums on {ranks:,} simulated ranks: {error}")
        return None


def orders(ranks: int, mesh: tuple[str, ...], rounds: int) -> dict[str, dict[str, str]]:
    """By variant: bandwidth, profile, time of one application; `mesh`: cells of a box, or a file."""
    text = _mpi(ranks, "bench_interface", "orders", *mesh, str(rounds))
    return {row["order"]: row for row in csv.DictReader(text.splitlines(), delimiter=";")}


def halo(ranks: int, rounds: int) -> Rows:
    """By number of values and round: ours and the same by hand."""
    return list(csv.DictReader(_mpi(ranks, "bench_halo", str(rounds)).splitlines()))


@dataclass(frozen=True)
class Steady:
    """Convection in the box when its heat flux stays."""

    nu_floor: float
    nu_ceiling: float
    rolls: int
    u_max: float
    w_max: float
    temperature: list[list[float]]  # of the middle plane: along the length, over the height


def convection(n: int, ranks: int, plane: Path) -> Steady:
    """With n cells along the height; `plane` is a file to use."""
    plane.parent.mkdir(parents=True, exist_ok=True)
    text = _mpi(ranks, "bench_convection", str(n), str(LIMIT - 20), str(plane.resolve()))
    row = next(csv.DictReader(text.splitlines()))
    with open(plane, newline="") as file:
        temperature = [[float(cell) for cell in line] for line in csv.reader(file)]
    return Steady(float(row["nu_floor"]), float(row["nu_ceiling"]), int(row["sign_changes"]),
                  float(row["u_max"]), float(row["w_max"]), temperature)


@dataclass(frozen=True)
class Counted:
    """Of one application on one rank, under cachegrind."""

    instructions: float
    d1_misses: float
    ll_misses: float


def counted(variant: str, cells: Cells) -> Counted:
    """The difference of a run with five applications and one with one, divided by four."""
    console.print(f"counting {variant} under cachegrind", style="dim")
    few, many = (cachegrind("bench_interface", ["apply", *map(str, cells), str(calls), variant])
                 for calls in (1, 5))
    return Counted(*((b - a) / 4 for a, b in zip(few, many, strict=True)))


def cachegrind(program: str, arguments: list[str]) -> list[int]:
    """Instructions, misses of a first cache of 32 KiB and of a last one of 1 MiB, in a whole run."""
    return _counted(["--tool=cachegrind", "--cachegrind-out-file=/dev/null"], program, arguments)


def callgrind(program: str, arguments: list[str], function: str) -> list[int]:
    """The same, in calls of a function."""
    return _counted(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no",
                     f"--toggle-collect={function}"], program, arguments)


def _counted(tool: list[str], program: str, arguments: list[str]) -> list[int]:
    command = ["valgrind", *tool, "--cache-sim=yes", "--D1=32768,8,64", "--LL=1048576,16,64",
               str(programs.find(program)), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=8 * LIMIT, check=False,
                          env=os.environ | programs.mpi_environment())
    names = (r"I\s+refs", "D1  misses", "LLd misses")
    found = [re.search(rf"{name}:\s+([\d,]+)", done.stderr) for name in names]
    if done.returncode != 0 or not all(found):
        raise IsthmusError(f"valgrind failed: {done.stderr.strip()}", FAILED)
    return [int(match[1].replace(",", "")) for match in found if match]


def _sums(text: str) -> Sums:
    lines = text.splitlines()
    mesh = {name: float(number) for name, number in next(csv.DictReader(lines[:2])).items()}
    strategies = {row["strategy"]: row for row in csv.DictReader(lines[2:])}
    return Sums(int(mesh["ranks"]), int(mesh["tets"]), mesh, strategies)


def _mpi(ranks: int, program: str, *arguments: str) -> str:
    console.print(f"running {program} {' '.join(arguments)} on {ranks} ranks", style="dim")
    command = [*programs.mpi_launcher(), "-n", str(ranks), str(programs.find(program)), *arguments]
    return _output(command, os.environ | programs.mpi_environment() | {"OMPI_MCA_mpi_yield_when_idle": "1"})


def _output(command: list[str], environment: dict[str, str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=True,
                              env=environment)
    except subprocess.TimeoutExpired as error:
        raise IsthmusError(f"{Path(command[-1]).name} took more than {LIMIT} s", FAILED) from error
    except subprocess.CalledProcessError as error:
        raise IsthmusError(f"{' '.join(command)} failed: {error.stderr.strip()}", FAILED) from error
    return done.stdout
