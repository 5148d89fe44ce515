# SPDX-License-Identifier: BSD-3-Clause
"""Draws what a configuration couples: participants with their meshes and data, exchanges in the colour of
their scheme, mappings with kind and constraint, schemes with their time windows and acceleration."""

from __future__ import annotations

import argparse
from pathlib import Path

from isthmus.check import describe
from isthmus.console import console
from isthmus.errors import OK, IsthmusError

FORMATS = (".svg", ".png", ".pdf")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("config", type=Path, help="configuration file (XML)")
    parser.add_argument("-o", "--out", type=Path, action="append", metavar="FILE",
                        help=f"picture to draw ({', '.join(FORMATS)}); may be given several times (default: "
                             "the name of the configuration with .svg, in the folder where you are)")


def execute(options: argparse.Namespace) -> int:
    paths = options.out or [Path(options.config.name or "graph").with_suffix(".svg")]
    for path in paths:
        if path.suffix not in FORMATS:
            raise IsthmusError(f"{path}: choose a name that ends with {', '.join(FORMATS)}")
    described = describe(options.config)
    from isthmus.plot.graph import graph_picture  # takes a while

    for path in paths:
        console.print(f"written: {graph_picture(path, described, options.config.name)}", soft_wrap=True)
    return OK
