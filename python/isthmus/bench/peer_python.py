# SPDX-License-Identifier: BSD-3-Clause
"""Peers that are packages of Python: scripts of bench/peers, run by the Python that ISTHMUS_PEER_PYTHON
names, or python3."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from isthmus.console import print_warning
from isthmus.errors import FAILED, IsthmusError

SCRIPTS = Path(__file__).resolve().parents[3] / "bench" / "peers"


def peer_python(package: str, name: str, how: str) -> tuple[str, str | None]:
    """The Python, and the version of the package there. Says `how` to get it where it is not."""
    python = os.environ.get("ISTHMUS_PEER_PYTHON", "python3")
    version = version_of(python, package)
    if version is None:
        print_warning(f"{name} is not installed for {python}: {how} by ISTHMUS_PEER_PYTHON; our own figures "
                      "stand alone")
    return python, version


def version_of(python: str, package: str) -> str | None:
    """Of the package, if this Python has it."""
    try:
        done = subprocess.run([python, "-c", f"import {package}; print({package}.__version__)"], check=False,
                              capture_output=True, text=True, timeout=120)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def output_of(name: str, command: Sequence[str], folder: Path, limit: float,
              variables: dict[str, str] | None = None) -> str:
    """What a script prints, run with one thread a rank in `folder`, for `limit` seconds at most. Raises
    IsthmusError where it fails."""
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False, cwd=folder,
                          env=os.environ | (variables or {}) | {"OMP_NUM_THREADS": "1"})
    if done.returncode != 0:
        raise IsthmusError(f"{name} failed: {done.stderr.strip()[-500:]}", FAILED)
    return done.stdout
