# SPDX-License-Identifier: BSD-3-Clause
"""The command `isthmus`: reads the arguments and hands over to one module per command."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module

from isthmus import __version__
from isthmus.console import print_error
from isthmus.errors import EXIT_CODES, FAILED, INTERRUPTED, USAGE, IsthmusError

COMMANDS = {
    "new": "write a minimal case that runs, to start from",
    "check": "check a configuration and explain the coupled run",
    "graph": "draw what a configuration couples: participants, meshes, data, mappings, schemes",
    "run": "start all participants of a case and watch over them",
    "plot": "draw what a run leaves: convergence, iterations, watch points, fields",
    "report": "make one HTML file of what a run leaves",
    "profile": "say where the time of a run went; draw and export its time line",
    "mesh": "generate a mesh: wind-turbine blade, sheet, grid around a section or a cylinder",
    "partition": "deal a mesh to ranks and write part files",
    "replay": "couple two meshes through dummy solvers and measure the error",
    "solve": "solve a case: flow on blocks, flow with heat on tetrahedra, moving particles",
    "openfoam": "run a case of OpenFOAM with and without our libraries, set it up, undo that",
    "bench": "run a benchmark beside the published figures",
    "demo": "run the main example in two parts, with pictures",
}


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="isthmus",
        description="Joins parallel simulation codes that were never written to know each other.",
        epilog=EXIT_CODES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", action="version", version=f"isthmus {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        module = import_module(f"isthmus.commands.{name}")
        command = commands.add_parser(
            name, help=summary, description=module.__doc__, epilog=EXIT_CODES,
            formatter_class=argparse.RawDescriptionHelpFormatter)
        module.add_arguments(command)
        command.set_defaults(execute=module.execute)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit code."""
    try:
        options = build_parser().parse_args(arguments)
    except SystemExit as end:  # argparse has printed the help or the reason
        return end.code if isinstance(end.code, int) else USAGE
    try:
        return options.execute(options)
    except IsthmusError as error:
        print_error(str(error))
        return error.code
    except KeyboardInterrupt:
        print_error("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        return FAILED
    except OSError as error:
        print_error(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        return USAGE
