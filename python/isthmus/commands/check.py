# SPDX-License-Identifier: BSD-3-Clause
"""Checks a configuration file and explains the coupled run that it describes: participants, meshes, who
provides and receives them, mappings, exchanges, schemes."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from isthmus.check import describe, explain
from isthmus.console import console
from isthmus.errors import OK, IsthmusError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("config", type=Path, help="configuration file (XML)")
    parser.add_argument("participant", nargs="?", help="also check what this participant needs")
    parser.add_argument("size", nargs="?", type=int, help="number of ranks of that participant")
    parser.add_argument("--json", action="store_true", help="print the description of the run as JSON")


def execute(options: argparse.Namespace) -> int:
    if options.size is not None and options.size < 1:
        raise IsthmusError(f"{options.size} ranks: give at least 1")
    described = describe(options.config, options.participant, options.size)
    if options.json:
        console.print_json(json.dumps(described))
        return OK
    console.print(explain(described))
    console.print(f"[green]{options.config} is correct[/]")
    return OK
