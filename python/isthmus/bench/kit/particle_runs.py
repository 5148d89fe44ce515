# SPDX-License-Identifier: BSD-3-Clause
"""Runs bench_particles: a collapsing column of water, who would send how many particles to whom on more and
more ranks, and the exchange of them, in several ways, on simulated clusters."""

from __future__ import annotations

import csv
import os
import resource
import subprocess
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from isthmus import programs
from isthmus.bench.framework import Context
from isthmus.bench.measurement import Median
from isthmus.console import console, print_warning

TREE = Path(__file__).resolve().parents[4]
SIMULATED = TREE / "build" / "smpi" / "bench" / "bench_particles"
RECORD_LIMIT = 600  # seconds
LIMIT = 1200
SOLVE_LIMIT = 1800
# a column twice as high as wide in a tank four widths long
COLLAPSE = """[particles]
spacing = {spacing!r}
[liquid]
gravity = [0, -9.81]
[tank]
lower = [0, 0]
upper = [0.584, 0.584]
open = ["top"]
outside = "delete"
[[water]]
lower = [0, 0]
upper = [0.146, 0.292]
[time]
{time}
[output]
{output}
"""


@dataclass(frozen=True)
class Exchange:
    """Of one way on one number of ranks, over the steps in which the bricks stay."""

    seconds: Median  # simulated, over the steps, of the slowest rank
    divided: float | None  # median over the steps that begin with new bricks
    sent: int  # messages by the busiest rank, in the median step
    sent_sum: int
    partners_sum: int
    bytes_sum: int


def record(context: Context, across: int, steps: int, ranks: list[int]) -> None:
    """Writes the patterns for numbers of ranks; `across`: particles across the column."""
    context.out.mkdir(parents=True, exist_ok=True)
    console.print(f"recording a flow of {across} particles across, {steps} steps", style="dim")
    _run([str(programs.find("bench_particles")), "record", str(context.out), str(across), str(steps),
          *map(str, ranks)], RECORD_LIMIT)


def solved(context: Context, across: int, steps: int, ranks: list[int]) -> tuple[float, dict[int, Path]]:
    """The particle solver on more and more ranks of this machine, each from 0.1 s into the collapse on.
    Returns the processor time of a step on one rank, and files that tell who sent how many to whom."""
    context.out.mkdir(parents=True, exist_ok=True)
    console.print(f"solving a flow of {across} particles across, then {steps} steps of it on {ranks} ranks",
                  style="dim")

    def case(name: str, time: str, output: str) -> Path:
        path = context.out / f"{name}.toml"
        path.write_text(COLLAPSE.format(spacing=0.146 / across, time=time, output=output))
        return path

    _solve(1, [str(case("before", "end = 0.1", 'folder = "before"'))])
    start = str(context.out / "before" / "particles.restart")
    words = f"end = 0.5\nsteps = {steps}\nbalance = \"counted\"\nbalance-every = 10"
    busy = _solve(1, [str(case("alone", words, 'folder = "alone"')), "--restart", start])
    traces = {number: context.out / f"trace-{number}.csv" for number in ranks}
    for number, trace in traces.items():
        # the first two migrations of a run bring all particles from the file to their owners
        _solve(number, [str(case(f"on-{number}", words, f'trace = "{trace.name}"')), "--restart", start])
        _without_first(trace, 1)
    return busy / steps, traces


def _without_first(trace: Path, steps: int) -> None:
    """Takes the first steps out of a file."""
    lines = trace.read_text().splitlines()
    left = [lines[0]]
    for line in lines[1:]:
        ranks, step, *others = line.split(",")
        if int(step) >= steps:
            left.append(",".join([ranks, str(int(step) - steps), *others]))
    trace.write_text("\n".join(left) + "\n")


def _solve(ranks: int, arguments: list[str]) -> float:
    """Seconds of processors that it took."""
    job = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)] if ranks > 1 else []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _run([*job, str(programs.find("isthmus-particles")), *arguments], SOLVE_LIMIT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def flow(ranks: int, across: int, steps: int) -> str:
    """Number, fingerprint and front of the particles after some steps on ranks of this machine."""
    program = [str(programs.find("bench_particles")), "flow", str(across), str(steps)]
    job = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)] if ranks > 1 else []
    return _run(job + program, RECORD_LIMIT).splitlines()[-1].rsplit(",", 1)[0]


def front(across: int) -> list[tuple[float, float]]:
    """Time and place of the front, in square roots of width over gravity, and in widths."""
    lines = _run([str(programs.find("bench_particles")), "front", str(across)], RECORD_LIMIT).splitlines()
    return [(float(time), float(place)) for time, place in (line.split(",") for line in lines)]


def replay(context: Context, ranks: int, steps: int, ways: list[str],
           cores: int = 48, trace: Path | None = None) -> dict[str, Exchange]:
    """By way, as recorded, or as the solver wrote it into a trace; nothing where the simulator is not there
    or takes too long."""
    pattern = str((trace or context.out / f"pattern-{ranks}").resolve())
    return _simulate(ranks, [pattern, str(steps), *ways], {"ISTHMUS_SIMULATED_CORES": str(cores)})


def around(ranks: int, steps: int, ways: list[str]) -> dict[str, Exchange]:
    """By way: 1 to 8 particles to each of 8 ranks, every rank on a node of its own, one switch."""
    return _simulate(ranks, ["around", str(steps), *ways],
                     {"ISTHMUS_SIMULATED_CORES": "1", "ISTHMUS_SIMULATED_PLATFORM": "--flat"})


def live(trace: Path, ranks: int, steps: int, ways: list[str]) -> dict[str, Exchange]:
    """The same on ranks of this machine, by its clock."""
    return exchanges(_run(["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks),
                           str(programs.find("bench_particles")), "replay", str(trace.resolve()), str(steps),
                           *ways], RECORD_LIMIT))


def _simulate(ranks: int, arguments: list[str], settings: dict[str, str]) -> dict[str, Exchange]:
    if not SIMULATED.is_file():
        print_warning(f"no simulated clusters: {SIMULATED} is not there; tools/build.sh smpi 2 "
                      "bench_particles builds it")
        return {}
    console.print(f"simulating {ranks:,} ranks, {settings['ISTHMUS_SIMULATED_CORES']} on a node", style="dim")
    environment = os.environ | {"ISTHMUS_SIMULATED_SHARED": "1"} | settings
    if ranks > 512:
        environment["ISTHMUS_SIMULATED_RENDEZVOUS"] = "1"
    command = [str(TREE / "tools" / "smpirun.sh"), str(ranks), str(SIMULATED), "replay", *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True,
                              timeout=LIMIT)
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
        print_warning(f"{ranks:,} simulated ranks do not end here: {error}")
        return {}
    return exchanges(done.stdout)


def exchanges(text: str) -> dict[str, Exchange]:
    """From the lines of bench_particles replay. The first step is none: partners are told in it."""
    rows: dict[str, list[dict[str, str]]] = {}
    for row in csv.DictReader(text.splitlines()):
        if int(row["step"]) > 0:
            rows.setdefault(row["way"], []).append(row)
    return {way: _exchange(steps) for way, steps in rows.items()}


def _exchange(rows: list[dict[str, str]]) -> Exchange:
    calm = [row for row in rows if row["divided"] == "0"]
    times = [1e-6 * float(row["microseconds"]) for row in calm]
    divided = [1e-6 * float(row["microseconds"]) for row in rows if row["divided"] == "1"]

    def middle(column: str) -> int:
        return round(median(int(row[column]) for row in calm))

    return Exchange(Median.of(times), median(divided) if divided else None, middle("messages_max"),
                    middle("messages_sum"), middle("partners_sum"), middle("bytes_sum"))


def _run(command: list[str], limit: float) -> str:
    return programs.output("bench_particles", command, limit, {
        "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_mpi_yield_when_idle": "1"})
