# SPDX-License-Identifier: BSD-3-Clause
"""write_data and read_data from Python beside the same calls from C++; import and construction."""

from __future__ import annotations

import csv
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from isthmus import programs
from isthmus.bench.framework import Context, in_turns
from isthmus.bench.measurement import Measurement, Median
from isthmus.bench.reference import TARGET

SIZES = (1, 1_000, 100_000)
CALLS = ("write_data", "read_data")
REPETITIONS = 200  # of a call, of which the fastest counts
CPP = "the same call in C++, in the same run"
START = """
import time
began = time.process_time()
import isthmus
participant = isthmus.Participant("A", {config!r})
print(time.process_time() - began)
"""
Times = dict[tuple[int, str], float]


def measure(context: Context) -> list[Measurement]:
    folder = context.out / "access"
    folder.mkdir(parents=True, exist_ok=True)
    config = folder / "config.xml"
    config.write_text(_config(folder))
    rounds = in_turns({"cpp": partial(_cpp, config), "python": partial(_python, config)}, context.repeat)
    cpp, python = ({key: Median.of(times[key] for times in side) for key in side[0]}
                   for side in rounds.values())
    found = [Measurement(f"{size:,} values", call, "s", python[size, call], cpp[size, call], CPP,
                         tolerance=0.2, why="a call from Python into C++ takes about a microsecond")
             for call in CALLS for size in SIZES]
    return [*found, Measurement("a serial participant", "import and construction (processor)", "s",
                                _start(config, context.repeat), 0.050, TARGET)]


def _start(config: Path, repeat: int) -> Median:
    command = [sys.executable, "-c", START.format(config=str(config))]
    runs = (subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)
            for _ in range(repeat))
    return Median.of(float(run.stdout) for run in runs)


def _cpp(config: Path) -> Times:
    command = [str(programs.find("bench_access")), str(config), str(REPETITIONS), *map(str, SIZES)]
    lines = (line for line in programs.output("bench_access", command, 60).splitlines() if "data," in line)
    return {(int(size), call): float(seconds) for size, call, seconds in csv.reader(lines)}


def _python(config: Path) -> Times:
    times: Times = {}
    other = threading.Thread(target=_play, args=("B", config, 0, times), daemon=True)
    other.start()
    _play("A", config, REPETITIONS, times)
    other.join(60)
    return times


def _play(name: str, config: Path, repetitions: int, times: Times) -> None:
    import numpy as np

    from isthmus.participant import Participant

    with Participant(name, config) as participant:
        points = {size: np.stack([np.arange(size), np.zeros(size)], -1) for size in SIZES}
        ids = {size: participant.set_mesh_vertices(f"{name}-{size}", points[size]) for size in SIZES}
        participant.initialize()
        for size in SIZES if repetitions else ():
            mesh, values = f"{name}-{size}", np.full(size, 1.5)
            times[size, "write_data"] = _best(repetitions, lambda mesh=mesh, size=size, values=values:
                                              participant.write_data(mesh, "Out", ids[size], values))
            times[size, "read_data"] = _best(repetitions, lambda mesh=mesh, size=size, values=values:
                                             participant.read_data(mesh, "In", ids[size], 0.0, out=values))
        participant.advance(participant.get_max_time_step_size())


def _best(repetitions: int, call: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(repetitions):
        began = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - began)
    return best


def _config(exchange: Path) -> str:
    return (
        '<precice-configuration><log enabled="false" /><data:scalar name="In" /><data:scalar name="Out" />'
        + _each('<mesh name="A-{0}" dimensions="2"><use-data name="In" /><use-data name="Out" /></mesh>'
                '<mesh name="B-{0}" dimensions="2"><use-data name="In" /><use-data name="Out" /></mesh>')
        + '<participant name="A">'
        + _each('<provide-mesh name="A-{0}" /><write-data name="Out" mesh="A-{0}" />'
                '<read-data name="In" mesh="A-{0}" />')
        + '</participant><participant name="B">'
        + _each('<provide-mesh name="B-{0}" /><receive-mesh name="A-{0}" from="A" />'
                '<read-data name="Out" mesh="B-{0}" /><write-data name="In" mesh="B-{0}" />'
                '<mapping:nearest-neighbor direction="read" from="A-{0}" to="B-{0}" '
                'constraint="consistent" /><mapping:nearest-neighbor direction="write" from="B-{0}" '
                'to="A-{0}" constraint="consistent" />')
        + f'</participant><m2n:sockets acceptor="A" connector="B" exchange-directory="{exchange}" />'
        '<coupling-scheme:parallel-explicit><participants first="A" second="B" />'
        '<time-window-size value="1" /><max-time-windows value="1" />'
        + _each('<exchange data="Out" mesh="A-{0}" from="A" to="B" />'
                '<exchange data="In" mesh="A-{0}" from="B" to="A" />')
        + "</coupling-scheme:parallel-explicit></precice-configuration>\n")


def _each(pattern: str) -> str:
    return "".join(pattern.format(size) for size in SIZES)
