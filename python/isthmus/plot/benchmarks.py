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
    """Those of the newest rows of a series that may stand in one picture: of what is measured, and of each
    other kind, the newest day, and of that the commit with most rows. Where some times are medians of enough
    runs, times of fewer go."""
    same: list[dict[str, str]] = []
    for kind in dict.fromkeys(row["kind"] for row in rows):
        newest_day = max(row["date"][:10] for row in rows if row["kind"] == kind)
        of_day = [row for row in rows if row["kind"] == kind and row["date"].startswith(newest_day)]
        commit = Counter(row["commit"] for row in of_day).most_common(1)[0][0]
        same += [row for row in of_day if row["commit"] == commit]
    times = [row for row in same if row["kind"] == "measured" and row["unit"] == "s"]
    few = [row for row in times if int(row["runs"] or 1) < ENOUGH_RUNS]
    return same if len(few) == len(times) else [row for row in same if row not in few]


def draw_all(results: Path, folder: Path) -> list[Path]:
    """Of the newest rows of a file of results; of series those that are comparable."""
    return [picture for name, rows in newest(results).items()
            for picture in draw(name, folder, [measurement_of(row) for row in
                                               (comparable(rows) if name in SERIES else rows)])]


def file_names(results: Path) -> set[str]:
    """Of the pictures that draw_all may make."""
    names = newest(results)
    further = {PICTURES[name][0] for name in names if name in PICTURES} | {"limiter-ranks"}
    return {f"{name}.png" for name in (*names, *further)}
