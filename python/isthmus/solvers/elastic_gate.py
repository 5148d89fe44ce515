# SPDX-License-Identifier: BSD-3-Clause
"""The example of water that opens a gate of rubber (examples/16-elastic-gate), run in a folder of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

from isthmus.errors import IsthmusError

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "16-elastic-gate"


def run(folder: Path, seconds: float, ranks: int = 2, modulus: float | None = None) -> np.ndarray:
    """Runs a copy of the example in `folder` for so long, the water on so many ranks, the rubber with another
    modulus in Pa if one is given, and draws out/gate.png. Returns times, and how far the free end is off its
    place, aside and up: (3, windows)."""
    if not EXAMPLE.is_dir():
        raise IsthmusError(f"the elastic gate is an example of the sources, and {EXAMPLE} is not there")
    shutil.copytree(EXAMPLE, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("out", "*.png"))
    (folder / "out").mkdir(exist_ok=True)
    config = folder / "config.xml"
    config.write_text(config.read_text().replace('max-time value="0.3"', f'max-time value="{seconds:g}"'))
    case = folder / "case.toml"
    words = case.read_text().replace("--ranks 2", f"--ranks {ranks}")
    case.write_text(words.replace("gate.csv", f"gate.csv {modulus:.8g}") if modulus else words)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    for command in (["-m", "isthmus", "run", "case.toml"], ["draw.py", "out/gate.csv", "out/gate.png"]):
        done = subprocess.run([sys.executable, *command], cwd=folder, env=os.environ | {"PATH": path})
        if done.returncode != 0:
            raise IsthmusError(f"{' '.join(command)} ended with {done.returncode} in {folder}")
    return np.loadtxt(folder / "out" / "gate.csv", delimiter=",", skiprows=1, unpack=True)


def measured(folder: Path) -> np.ndarray:
    """The experiment: times and places aside, times and places up."""
    return np.loadtxt(folder / "measured.csv", delimiter=",", skiprows=1, unpack=True)
