# SPDX-License-Identifier: BSD-3-Clause
"""Generates a triangulated surface and checks it: a closed wind-turbine blade of the sizes M1 to M6 (or any
number of vertices) in two families that do not match each other, or a plane or wavy sheet. Or writes an
O-grid of blocks around a cylinder or a NACA section, for `isthmus solve`."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from isthmus import formats
from isthmus.console import console, print_error, status, table
from isthmus.errors import FAILED, OK, IsthmusError
from isthmus.mesh import LEVELS, Surface, blade, quality, sheet
from isthmus.mesh.blade import RATIO_A
from isthmus.solvers import flow


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shapes = parser.add_subparsers(dest="shape", metavar="SHAPE", required=True)
    blades = shapes.add_parser("blade", help="wind-turbine blade, closed")
    blades.add_argument("size", nargs="?", metavar="SIZE",
                        help="; ".join(f"{name}: {count:,}" for name, count in LEVELS.items()) + " vertices")
    blades.add_argument("--vertices", type=int, metavar="N", help="any number of vertices instead of a SIZE")
    blades.add_argument("--family", choices=["A", "B", "both"], default="both",
                        help=f"B: quasi-uniform; A: does not match B, {RATIO_A} times its vertices")
    sheets = shapes.add_parser("sheet", help="rectangle of n x m points")
    sheets.add_argument("n", type=int, help="points along the first side")
    sheets.add_argument("m", type=int, nargs="?", help="points along the second side (default: n)")
    sheets.add_argument("--length", type=float, default=1.0, help="of the first side (default 1)")
    sheets.add_argument("--width", type=float, default=1.0, help="of the second side (default 1)")
    sheets.add_argument("--wave", type=float, default=0.0, help="height of the waves (default 0: a plane)")
    for shape in (blades, sheets):
        shape.add_argument("--out", type=Path, default=Path("out/meshes"), metavar="DIR",
                           help="folder of the files (default out/meshes)")
        shape.add_argument("--format", default="vtu", metavar="LIST",
                           help="formats of the files (default vtu), their endings with commas between: "
                                f"{', '.join(e[1:] for e in formats.WRITERS)}")
    naca = shapes.add_parser("naca", help="O-grid around a NACA section of four digits, of chord 1")
    naca.add_argument("section", help="number of the section, as 0015")
    rings = (naca, shapes.add_parser("cylinder", help="O-grid around a cylinder of diameter 1"))
    for shape in rings:
        directions = ("AROUND", "OUTWARDS")
        shape.add_argument("--cells", type=int, nargs=2, default=(128, 64), metavar=directions,
                           help="cells around the section, and from it to the far field (default 128 64)")
        shape.add_argument("--blocks", type=int, nargs=2, default=(4, 1), metavar=directions,
                           help="blocks in these directions (default 4 1)")
        shape.add_argument("--radius", type=float, default=20.0, help="of the far field (default 20)")
        shape.add_argument("--first", type=float, default=0.005,
                           help="height of a cell at the wall (default 0.005)")
        shape.add_argument("--out", type=Path, default=Path("grid.xyz"), metavar="FILE",
                           help="file of the grid, PLOT3D (default grid.xyz)")


def blade_pair(size: str | None, vertices: int | None) -> tuple[str, int, int]:
    """Name, vertices of family B and of family A for a size or a number of vertices."""
    if (size is None) == (vertices is None):
        raise IsthmusError(f"give one of a size ({', '.join(LEVELS)}) and --vertices")
    if size is not None and size.upper() not in LEVELS:
        raise IsthmusError(f"there is no size {size!r}; choose {', '.join(LEVELS)} or give --vertices")
    count = LEVELS[size.upper()] if size else vertices
    return size.upper() if size else f"blade{count}", count, round(RATIO_A * count)


def execute(options: argparse.Namespace) -> int:
    if options.shape in ("naca", "cylinder"):
        return _ring(options)
    endings = [f".{name.strip().lstrip('.')}" for name in options.format.split(",")]
    if unknown := [e for e in endings if e not in formats.WRITERS]:
        raise IsthmusError(f"cannot write {', '.join(unknown)}; choose from {', '.join(formats.WRITERS)}")
    results = table("", "mesh", "vertices", "triangles", "mean edge", "area", "Euler", "s", numbers=6)
    wrong = []
    for name, make, euler in _wanted(options):
        start = time.perf_counter()
        with status(f"generating {name}"):
            surface = make()
        elapsed = time.perf_counter() - start
        found = quality(surface)
        closed = euler == 2
        right = found.euler == euler and found.closed == closed and found.oriented
        if not right or found.smallest_area <= 0:
            wrong.append(name)
        for ending in endings:
            formats.write(options.out / f"{name}{ending}", surface)
        results.add_row(name, f"{surface.num_points:,}", f"{surface.num_triangles:,}",
                        f"{found.mean_edge:.6f}", f"{found.area:.5f}", f"{found.euler}", f"{elapsed:.2f}")
    console.print(results)
    console.print(f"written to {options.out}/ as {', '.join(endings)}")
    if wrong:
        print_error(f"not the surface it should be: {', '.join(wrong)}")
        return FAILED
    return OK


def _wanted(options: argparse.Namespace) -> list[tuple[str, object, int]]:
    """(name, function that makes the surface, its Euler characteristic)"""
    if options.shape == "sheet":
        m = options.m or options.n

        def make_sheet() -> Surface:
            return sheet(options.n, m, length=options.length, width=options.width, wave=options.wave)

        return [(f"sheet{options.n}x{m}", make_sheet, 1)]
    name, count_b, count_a = blade_pair(options.size, options.vertices)
    families = "BA" if options.family == "both" else options.family
    counts = {"A": count_a, "B": count_b}
    return [(f"{name}-{f}", lambda f=f: blade(counts[f], f), 2) for f in families]


def _ring(options: argparse.Namespace) -> int:
    shape = {"shape": options.shape, "cells": list(options.cells), "blocks": list(options.blocks),
             "radius": options.radius, "first": options.first}
    if options.shape == "naca":
        shape["section"] = options.section
    flow.write_grid(shape, options.out)
    cells, blocks = (around * outwards for around, outwards in (options.cells, options.blocks))
    console.print(f"{cells:,} cells in {blocks} blocks written to {options.out}; the wall is j-min, the far "
                  "field j-max", soft_wrap=True)
    return OK
