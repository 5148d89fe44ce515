# SPDX-License-Identifier: BSD-3-Clause
"""Load balance and parallel files, after Jackson, Campobasso, Drofelnik 2018.

Each half is a module of its own: blocks of very different size and coupled meshes dealt to ranks; restart and
plot files."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from isthmus.bench.framework import Context, Measurement

SECTIONS = ("balance", "files")


def sections() -> list[ModuleType]:
    """Those that this version has."""
    names = [f"isthmus.bench.paper3_{section}" for section in SECTIONS]
    return [import_module(name) for name in names if find_spec(name)]


def measure(context: Context) -> list[Measurement]:
    return [m for section in sections() for m in section.measure(context)]


def draw(folder: Path, measurements: list[Measurement]) -> list[Path]:
    """One picture of each section that has one."""
    return [section.draw(folder, measurements) for section in sections() if hasattr(section, "draw")]
