# SPDX-License-Identifier: BSD-3-Clause
"""The main example: two meshes of a wind-turbine blade that do not match, B on 2 ranks and A on 3, a scalar
and a vector field through nearest projection for several time windows; then errors, counts and pictures."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from isthmus.commands.replay import ranks_pair, show
from isthmus.console import console
from isthmus.demo import demo
from isthmus.errors import OK
from isthmus.mesh import LEVELS
from isthmus.replay.settings import MAPPINGS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--vertices", type=int, default=LEVELS["M1"], metavar="N",
                        help=f"of B; A has 0.8 of them (default {LEVELS['M1']:,})")
    parser.add_argument("--ranks", type=ranks_pair, default=(2, 3), metavar="B,A", help="default 2,3")
    parser.add_argument("--windows", type=int, default=5, help="time windows (default 5)")
    parser.add_argument("--mapping", choices=MAPPINGS, default="nearest-projection")
    parser.add_argument("--out", type=Path, default=Path("out/demo"), metavar="DIR")


def execute(options: argparse.Namespace) -> int:
    began = time.perf_counter()
    done = demo(options.out, options.vertices, *options.ranks, options.windows, options.mapping)
    show(done.result)
    for picture in done.pictures:
        console.print(f"picture: {picture}", soft_wrap=True)
    console.print(f"total: {time.perf_counter() - began:.1f} s")
    return OK
