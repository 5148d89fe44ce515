# SPDX-License-Identifier: BSD-3-Clause
"""The main example: a wind-turbine blade whose two surface meshes do not match, B on 2 ranks and A on 3,
scalar and vector data through nearest projection, as in Totounferoush et al. 2021
(https://doi.org/10.3390/a14060166); then the pictures of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from isthmus.console import status
from isthmus.mesh import blade
from isthmus.mesh.blade import RATIO_A
from isthmus.replay import Coupling, Launch, Mapping, Result, Settings, Side, replay


@dataclass
class Demo:
    result: Result
    pictures: list[Path]


def demo(out: Path, vertices: int, ranks_b: int = 2, ranks_a: int = 3, windows: int = 5,
         mapping: str = "nearest-projection") -> Demo:
    """Runs the example and draws its pictures into `out`."""
    with status("generating the meshes"):
        a, b = blade(round(RATIO_A * vertices), "A"), blade(vertices, "B")
    sides = [Side("A", a, ranks_a), Side("B", b, ranks_b)]
    result = replay(Settings(sides, out, name="demo", mapping=Mapping(mapping), coupling=Coupling(windows),
                             launch=Launch(env={"ISTHMUS_TRACE": "1"})))
    return Demo(result, draw_pictures(result, f"B on {ranks_b}, A on {ranks_a} ranks; {mapping}"))


def draw_pictures(result: Result, subtitle: str) -> list[Path]:
    """Field, error, partitions and time line, as far as the programs recorded it."""
    from isthmus import plot  # takes a while, and only this needs it

    a, b = result.sides["A"], result.sides["B"]
    error = a.errors["S"]
    pictures = []
    with status("drawing"):
        pictures.append(plot.field_picture(result.out / "field.png", b.surface, a.surface, "S", subtitle))
        words = f"{subtitle}; relative l2 {error.rel_l2:.2e}, largest {error.max:.2e}"
        pictures.append(plot.error_picture(result.out / "error.png", a.surface, list(a.errors), words))
        surfaces = {"B": b.surface, "A": a.surface}
        pictures.append(plot.partition_picture(result.out / "partition.png", surfaces, subtitle))
        if any(side.report.get("spans") for side in (a, b)):
            reports = {"B": b.report, "A": a.report}
            pictures.append(plot.timeline_picture(result.out / "timeline.png", reports, subtitle))
    return pictures
