# SPDX-License-Identifier: BSD-3-Clause
"""Deals a mesh to ranks and writes one part file per rank. Every triangle lives on exactly one rank, except
with --by vertices, which loses the triangles between ranks and says how many."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from isthmus import formats
from isthmus.console import console, table
from isthmus.errors import OK
from isthmus.partition import METHODS, partition, partition_vertices, write_parts


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("mesh", type=Path, help=f"file of the mesh: {', '.join(formats.READERS)}")
    parser.add_argument("ranks", type=int, help="number of parts")
    parser.add_argument("--method", choices=list(METHODS), default="rcb",
                        help="rcb: recursive coordinate bisection (default); hilbert: space-filling curve; "
                             "block: as numbered")
    parser.add_argument("--by", choices=["triangles", "vertices"], default="triangles",
                        help="what is dealt to ranks (default triangles)")
    parser.add_argument("--out", metavar="PREFIX",
                        help="write the parts to PREFIX.<rank>.part (default: only say what they would be)")


def execute(options: argparse.Namespace) -> int:
    surface = formats.read(options.mesh)
    deal = partition if options.by == "triangles" else partition_vertices
    dealt = deal(surface, options.ranks, options.method)
    title = f"{options.mesh.name} on {options.ranks} ranks"
    result = table(title, "", "smallest", "mean", "largest", numbers=3)
    for name, counts in (("vertices", [len(p.vertices) for p in dealt.parts]),
                         ("triangles", [len(p.triangles) for p in dealt.parts])):
        result.add_row(name, f"{min(counts):,}", f"{np.mean(counts):,.0f}", f"{max(counts):,}")
    console.print(result)
    share = 100 * dealt.lost_triangles / max(1, surface.num_triangles)
    console.print(f"lost triangles: {dealt.lost_triangles:,} of {surface.num_triangles:,} ({share:.2f} %); "
                  f"copies of border vertices: {dealt.copies():,}")
    if options.out:
        write_parts(options.out, dealt)
        console.print(f"written: {options.out}.0.part … {options.out}.{options.ranks - 1}.part")
    return OK
