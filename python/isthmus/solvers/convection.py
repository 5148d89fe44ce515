# SPDX-License-Identifier: BSD-3-Clause
"""The solver of flow with heat on tetrahedra (docs/solvers/convection.md)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from isthmus.errors import FAILED, IsthmusError
from isthmus.solvers.program import Line, follow, output_folder, restart_arguments

PROGRAM = "isthmus-convection"
TIMES = (r"(\S+) s in steps, (\d+) sums over interfaces: (\S+) to (\S+) of the time of a rank, "
         r"(\d+) messages and (\d+) bytes of the busiest")
HIDDEN = (r"(\S+) s in the sum of a product beside work, (\S+) s without, (\S+) s of both to pack and add: "
          r"medians of (\d+)")


@dataclass
class Solved:
    """What a run came to."""

    is_steady: bool
    steps: int
    output: Path | None  # folder of a series of VTU files
    history: list[Line]
    remarks: list[str]
    seconds: float  # of all steps
    sums: int  # over interfaces
    shares: tuple[float, float]  # of the time in them: least and largest of a rank
    messages: int  # sent for them by the busiest rank
    bytes: int

    def sums_of_products(self) -> tuple[float, float, float]:
        """Seconds of the sum of a product beside work, without, and of both to pack and add, where products
        alternate; else NaN."""
        for remark in self.remarks:
            if match := re.fullmatch(HIDDEN, remark):
                return float(match[1]), float(match[2]), float(match[3])
        return math.nan, math.nan, math.nan

    def seconds_of_a_sum(self) -> float:
        """Over an interface, waits included, of the rank that spends most in them."""
        return self.shares[1] * self.seconds / self.sums

    def heat(self) -> dict[str, float]:
        """What enters at the end, by group, where a temperature is held or not."""
        last = self.history[-1]
        return {name.removeprefix("heat_"): last[name] for name in last if _is_of_group(name)}


def _is_of_group(name: str) -> bool:
    return name.startswith("heat_") and name not in ("heat_gmres", "heat_change")


def solve(
    case: Path, tables: dict, ranks: int, on_line: Callable[[Line], None], restart: Path | None = None,
    launcher: list[str] | None = None
) -> Solved:
    """Runs the solver; calls `on_line` with each line of its history. Raises IsthmusError with its reason."""
    run = follow(PROGRAM, [str(case), *restart_arguments(restart)], ranks, on_line, launcher)
    end = run.end(r"(\w+) after (\d+) steps")
    taken = re.fullmatch(TIMES, run.words[-2]) if len(run.words) > 1 else None
    if taken is None:
        raise IsthmusError(f"{PROGRAM} printed no times: it is of another version", FAILED)
    return Solved(
        end[1] == "steady",
        int(end[2]),
        output_folder(case, tables),
        run.history,
        run.words[:-2],
        float(taken[1]),
        int(taken[2]),
        (float(taken[3]), float(taken[4])),
        int(taken[5]),
        int(taken[6]),
    )
