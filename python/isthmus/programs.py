# SPDX-License-Identifier: BSD-3-Clause
"""Finds the C++ programs of Isthmus and the MPI launcher."""

from __future__ import annotations

import functools
import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path

from isthmus.errors import FAILED, IsthmusError


def find(name: str) -> Path:
    """The program `name`; raises IsthmusError that says where it was looked for."""
    program = look_for(name)
    if program is None:
        raise IsthmusError(f"the program {name} was not found: build it (cmake --preset release && ninja -C "
                           "build/release all bench/all), or set ISTHMUS_BIN to the folder that holds it")
    return program


def look_for(name: str) -> Path | None:
    """In ISTHMUS_BIN, beside the installed package, in build/release or build/demo (which `make demo` builds)
    of the source tree or of a folder above the current one, on PATH; in this order."""
    given = os.environ.get("ISTHMUS_BIN")
    package = Path(__file__).resolve().parent
    folders = [Path(p) for p in given.split(os.pathsep)] if given else []
    folders += [package / "bin", Path(sys.executable).parent]
    for folder in folders:
        if _is_program(folder / name):
            return folder / name
    trees = [package.parent.parent, Path.cwd(), *Path.cwd().parents]
    for tree, preset in itertools.product(trees, ("release", "demo")):
        build = tree / "build" / preset
        if not build.is_dir():
            continue
        for candidate in sorted(build.rglob(name)):
            if _is_program(candidate):
                return candidate
    on_path = shutil.which(name)
    return Path(on_path) if on_path else None


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


@functools.cache
def mpi_launcher() -> list[str]:
    """The MPI launcher with what it needs on one machine, without the number of ranks.

    ISTHMUS_MPIRUN replaces it (a command with options)."""
    given = os.environ.get("ISTHMUS_MPIRUN")
    if given:
        return given.split()
    program = shutil.which("mpirun") or shutil.which("mpiexec")
    if program is None:
        raise IsthmusError("there is no mpirun on PATH; install MPI or set ISTHMUS_MPIRUN")
    return [program, "--oversubscribe", "--bind-to", "none"] if _is_open_mpi(program) else [program]


def _is_open_mpi(program: str) -> bool:
    version = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=30, check=False)
    return "Open MPI" in version.stdout + version.stderr


def mpi_environment() -> dict[str, str]:
    """What Open MPI wants to be told before it starts as root, which is usual in containers."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return {}
    return {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}


def output(name: str, command: list[str], limit: float, variables: dict[str, str] | None = None) -> str:
    """What a command prints, run with further environment variables; raises IsthmusError about the program
    `name` if it fails or takes more than `limit` seconds."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=True,
                              env=os.environ | (variables or {}))
    except subprocess.TimeoutExpired as error:
        raise IsthmusError(f"{name} took more than {limit} s", FAILED) from error
    except subprocess.CalledProcessError as error:
        raise IsthmusError(f"{name} failed: {error.stderr.strip()}", FAILED) from error
    return done.stdout
