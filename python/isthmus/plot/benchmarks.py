# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of a benchmark, from its figures alone; fields, from the files beside them where they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from isthmus.bench import summary
from isthmus.bench.measurement import Measurement, measurement_of, newest
from isthmus.plot.accuracy import accuracy_picture
from isthmus.plot.balance import balance_picture
from isthmus.plot.comparison import comparison_picture
from isthmus.plot.dam_break import dam_break_picture
from isthmus.plot.files import files_picture
from isthmus.plot.initialization import discovery_picture, initialization_picture, scale_picture
from isthmus.plot.interface import interface_picture, orders_picture, rolls_picture
from isthmus.plot.krylov import floor_picture, ranks_picture
from isthmus.plot.limiter import limiter_picture
from isthmus.plot.openfoam import kinds_picture, series_picture

Draw = Callable[[Path, list[Measurement]], Path | None]
ENOUGH_RUNS = 30  # of a median
# benchmarks whose cases a reader compares with each other, not only each with what stands beside it
SERIES = frozenset({"files", "initialization", "mapping", "particles", "step"})
# by benchmark: what its cases begin with since they stand beside the best rival known
RENAMED = {"flow_blocks": "dealt to "}
# by benchmark: the name of a further picture, and what draws it
PICTURES: dict[str, tuple[str, Draw]] = {
    "initialization": ("initialization-ranks", initialization_picture),
    "discovery": ("discovery-ranks", discovery_picture),
    "scale": ("scale-ranks", scale_picture),
    "mappings": ("mappings-errors", accuracy_picture),
    "krylov": ("krylov-ranks", ranks_picture),
    "cavity": ("cavity-residual", floor_picture),
    "dam_break": ("dam_break-front", dam_break_picture),
    "balance": ("balance-ranks", balance_picture),
    "files": ("files-ways", files_picture),
    "interface": ("interface-ranks", interface_picture),
    "orders": ("orders-times", orders_picture),
    "openfoam": ("openfoam-ranks", series_picture),
    "openfoam_kinds": ("openfoam_kinds-layers", kinds_picture),
}


def draw(name: str, folder: Path, measurements: list[Measurement], runs: Path | None = None) -> list[Path]:
    """<name>.png and further pictures into the folder; `runs` is where a run leaves its fields."""
    title = name.replace("_", " ")
    pictures = [comparison_picture(folder / f"{name}.png", title, summary(name), measurements)]
    if name in PICTURES:
        file, picture = PICTURES[name]
        pictures.append(picture(folder / f"{file}.png", measurements))
    if name == "limiter":
        pictures.append(limiter_picture(folder / "limiter-ranks.png", measurements,
                                        runs / "water.csv" if runs else None))
    if name == "convection" and runs and (runs / "plane.csv").is_file():
        pictures.append(rolls_picture(folder / "convection-rolls.png", runs / "plane.csv", measurements))
    return [picture for picture in pictures if picture is not None]


def comparable(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """Those of the newest rows of a series that may stand in one picture. Each quantity has a panel, which
    shows one day and commit. Where some times are medians of enough runs, times of fewer go."""
    panels: dict[tuple[str, str], list[dict[str, str]]] = {}
    for row in rows:
        panels.setdefault((row["quantity"], row["kind"]), []).append(row)
    same = [row for of_panel in panels.values() for row in _of_one_day(_of_enough_runs(of_panel))]
    return [row for row in rows if row in same]


def _of_enough_runs(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    enough = [row for row in rows if row["kind"] != "measured" or row["unit"] != "s"
              or int(row["runs"] or 1) >= ENOUGH_RUNS]
    return enough or rows


def _of_one_day(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """Of the newest day and commit with at least half as many rows as any other: a few cases that were
    measured later do not hide all others."""
    counts = Counter((row["date"][:10], row["commit"]) for row in rows)
    day = max((day, count, commit) for (day, commit), count in counts.items()
              if 2 * count >= max(counts.values()))
    return [row for row in rows if (row["date"][:10], row["commit"]) == (day[0], day[2])]


def up_to_date(name: str, rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """Without the rows whose case was measured later under another name, beside a better rival."""
    known = {(row["case"], row["quantity"]) for row in rows}
    return [row for row in rows if (RENAMED[name] + row["case"], row["quantity"]) not in known]


def draw_all(results: Path, folder: Path) -> list[Path]:
    """Of the newest rows of a file of results."""
    return [picture for name, rows in newest(results).items()
            for picture in draw(name, folder, [measurement_of(row) for row in to_draw(name, rows)])]


def to_draw(name: str, rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """Of the newest rows those that are up to date; of a series those that are comparable."""
    current = up_to_date(name, rows) if name in RENAMED else rows
    return comparable(current) if name in SERIES else current


def file_names(results: Path) -> set[str]:
    """Of the pictures that draw_all may make."""
    names = newest(results)
    further = {PICTURES[name][0] for name in names if name in PICTURES} | {"limiter-ranks"}
    return {f"{name}.png" for name in (*names, *further)}
