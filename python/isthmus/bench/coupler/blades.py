# SPDX-License-Identifier: BSD-3-Clause
"""What several benchmarks measure: family B to family A of a blade, and points of a sheet; the same with the
programs of another folder by turns."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np

from isthmus.bench.framework import Context, in_turns
from isthmus.mesh import LEVELS, Surface, blade
from isthmus.mesh.blade import RATIO_A
from isthmus.replay import Coupling, Launch, Mapping, Result, Settings, Side


@lru_cache(maxsize=4)
def surface(level: str, family: str) -> Surface:
    return blade(LEVELS[level] if family == "B" else round(RATIO_A * LEVELS[level]), family)


def cloud(count: int, shift: tuple[float, float] = (0.0, 0.0)) -> Surface:
    """Points of a wavy square sheet, row by row, shifted by a share of their distance."""
    side = round(count**0.5)
    row, column = np.divmod(np.arange(count), side)
    u, v = (column + 0.5 + shift[0]) / side, (row + 0.5 + shift[1]) / side
    return Surface(np.column_stack([u, v, 0.1 * np.sin(6 * u) * np.cos(4 * v)]))


def blade_settings(context: Context, level: str, mapping: Mapping, ranks: tuple[int, int] = (1, 1),
                   coupling: Coupling | None = None) -> Settings:
    """B on ranks[0] sends to A on ranks[1]; one MPI job, so that both line up before each phase. 10 windows
    where no coupling is given."""
    sides = [Side("A", surface(level, "A"), ranks[1]), Side("B", surface(level, "B"), ranks[0])]
    coupling = coupling or Coupling(windows=10)
    name = "-".join([level, mapping.kind, f"{ranks[0]}+{ranks[1]}", coupling.initialization or "default"])
    name += f"-{mapping.basis}" if mapping.kind.startswith("rbf") else ""
    return Settings(sides, context.out, name, mapping=mapping, coupling=coupling, launch=Launch(one_job=True))


def by_turns(context: Context, ours: Settings, theirs: Settings,
             folder: str | None = None) -> tuple[list[Result], list[Result]]:
    """Both, theirs by the programs of a folder if one is given; who goes first changes with each turn."""
    once = replace(context, repeat=1)

    def replayed(settings: Settings, programs: str | None = None) -> Result:
        with programs_of(programs) if programs else nullcontext():
            (result,) = once.replays(settings)
            return result

    found = in_turns({"ours": partial(replayed, ours), "theirs": partial(replayed, theirs, folder)},
                     context.repeat)
    return found["ours"], found["theirs"]


@contextmanager
def programs_of(folder: str) -> Iterator[None]:
    """Programs of this folder go before all others."""
    before = os.environ.get("ISTHMUS_BIN")
    os.environ["ISTHMUS_BIN"] = folder
    try:
        yield
    finally:
        if before is None:
            del os.environ["ISTHMUS_BIN"]
        else:
            os.environ["ISTHMUS_BIN"] = before
