# SPDX-License-Identifier: BSD-3-Clause
"""Stands in for the C++ program isthmus-replay: same arguments and files, no coupling. What it "maps" is the
function plus a known error of 0.001 (rank + 1) in every component."""

import argparse
import json
import os
import sys
import time
from pathlib import Path

import numpy as np

from isthmus.formats import block
from isthmus.functions import evaluate


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("participant", "config", "mesh", "part", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--function", default="cosine")
    parser.add_argument("--windows", default="?")
    parser.add_argument("--write", default="")
    parser.add_argument("--read", default="")
    options = parser.parse_args()
    rank = int(os.environ.get("OMPI_COMM_WORLD_RANK", "0"))
    size = int(os.environ.get("OMPI_COMM_WORLD_SIZE", "1"))
    if options.participant == os.environ.get("FAKE_FAILS"):
        print(f"{options.participant} has had enough")
        return 5
    words = Path(options.config).read_text()
    if f'<provide-mesh name="{options.mesh}"/>' not in words:
        print(f"no mesh {options.mesh}")
        return 1
    part = block.read_part(Path(f"{options.part}.{rank}.part"))
    began = time.monotonic()
    for window in range(3):
        if rank == 0:
            print(f"isthmus-progress {options.participant} window {window + 1}/3", flush=True)
    names = [name for name in options.read.split(",") if name]
    error = 0.001 * (rank + 1)
    values = [evaluate(options.function, part.points, part.points.shape[1] if name in "VF" else 1) + error
              for name in names]
    block.write_values(Path(f"{options.out}.{rank}.values"), values)
    if rank == 0:
        Path(f"{options.out}.json").write_text(json.dumps(report(options.participant, size, names, began)))
    return 0


def report(participant: str, size: int, names: list[str], began: float) -> dict:
    durations = {"construct": 0.01, "set_mesh": 0.002, "initialize": 0.05, "advance": 0.0005,
                 "finalize": 0.001}
    spans = []
    for rank in range(size):
        at = began + 0.002 * rank
        for name in ("construct", "set_mesh", "initialize", *["advance"] * 3, "finalize"):
            spans.append({"rank": rank, "name": name, "begin": at, "end": at + durations[name]})
            at += durations[name] * 1.1
    worst = {name: 0.001 * size * (1.0 if name == "S" else np.sqrt(3.0)) for name in names}
    return {
        "participant": participant, "ranks": size, "windows": 3,
        "errors": {name: {"l2": 0.0, "rel_l2": 0.0, "max": worst[name]} for name in names},
        "phases": {name: {"min": t, "median": t, "max": 2 * t} for name, t in durations.items()},
        "counters": {"messages_sent": {"max": 7, "sum": 7 * size},
                     "bytes_sent": {"max": 9000, "sum": 9000 * size}},
        "partners": [2] * size, "peak_memory_mb": 12.5, "spans": spans}


if __name__ == "__main__":
    sys.exit(main())
