# SPDX-License-Identifier: BSD-3-Clause
"""Runs benchmarks: a table with the others' figures beside ours, a growing CSV, a picture."""

from __future__ import annotations

import csv
import datetime
import os
import platform
import subprocess
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path

from isthmus.bench import NAMES
from isthmus.console import byte_count, console, quietly, seconds, table
from isthmus.errors import IsthmusError
from isthmus.replay import Result, Settings, replay
from isthmus.run.display import NoDisplay

CSV_COLUMNS = ["date", "commit", "host", "load", "bench", "case", "quantity", "unit", "ours", "reference",
               "source"]


@dataclass(frozen=True)
class Measurement:
    """One figure of ours, and what it stands beside."""

    case: str  # "M1 nearest-projection 2+3"
    quantity: str  # "initialize"
    unit: str  # s, B, MB, or empty for a count
    ours: float
    reference: float | None = None  # a published or a peer's figure, or a target
    source: str = ""
    more_is_better: bool = False
    tolerance: float = 0.0  # of the reference, where it was rounded
    why: str = ""  # what is behind it where ours is not better
    shown: bool = True  # in the table, not only in the file and the pictures

    @property
    def ratio(self) -> float | None:
        """Above 1 is better than the reference."""
        if self.reference is None or self.ours <= 0 or self.reference <= 0:
            return None
        return self.ours / self.reference if self.more_is_better else self.reference / self.ours

    @property
    def is_missed(self) -> bool:
        """Whether ours is worse than the reference."""
        if self.reference is None:
            return False
        behind = self.reference - self.ours if self.more_is_better else self.ours - self.reference
        return behind > self.tolerance * abs(self.reference)


@dataclass(frozen=True)
class Context:
    """How much is to be measured, and where files go."""

    out: Path  # of the runs
    full: bool = False
    repeat: int = 3
    results: Path | None = None  # of tables and pictures; None: as out

    def replays(self, settings: Settings) -> list[Result]:
        """The same replay several times, without files for viewing."""
        quiet = replace(settings, out=self.out / "runs" / settings.name, view_files=False)
        console.print(f"measuring {settings.name}, {self.repeat} times", style="dim")
        with quietly():
            return [replay(quiet, NoDisplay()) for _ in range(self.repeat)]


def phase(results: list[Result], side: str, name: str, of_ranks: str = "max") -> float:
    """The smallest over the runs of the longest time of any rank, in seconds."""
    try:
        return min(result.sides[side].report["phases"][name][of_ranks] for result in results)
    except KeyError as error:
        raise IsthmusError(f"isthmus-replay reported no phase {name} ({of_ranks}) of {side}") from error


def cpu(results: list[Result], side: str, name: str, of_ranks: str = "cpu") -> float:
    """The smallest over the runs of the CPU seconds of the busiest rank, or of all (cpu_sum)."""
    return phase(results, side, name, of_ranks)


def counter(results: list[Result], side: str, name: str, of_ranks: str = "max") -> float | None:
    """A count of the last run, of the busiest rank or the sum of all; None where it is not reported."""
    return results[-1].sides[side].report.get("counters", {}).get(name, {}).get(of_ranks)


def run(name: str, context: Context) -> list[Measurement]:
    """Measures, prints the table, appends to <out>/results.csv and draws <out>/<name>.png."""
    if name not in NAMES:
        raise IsthmusError(f"there is no benchmark {name!r}; choose {', '.join(NAMES)}")
    module = import_module(f"isthmus.bench.{name}")
    measurements: list[Measurement] = module.measure(context)
    show(name, measurements)
    show_missed(measurements)
    folder = context.results or context.out
    append_csv(folder / "results.csv", name, measurements)
    from isthmus.plot.comparison import comparison_picture  # takes a while

    pictures = [comparison_picture(folder / f"{name}.png", name, measurements)]
    if hasattr(module, "draw"):
        drawn = module.draw(folder, measurements)
        pictures += drawn if isinstance(drawn, list) else [drawn]
    for path in (folder / "results.csv", *pictures):
        console.print(f"written: {path}", soft_wrap=True)
    return measurements


def show(name: str, measurements: list[Measurement]) -> None:
    """One section per quantity, one row per case."""
    result = table(f"benchmark {name}", "", "ours", "reference", "ratio", numbers=3)
    sections: dict[str, list[Measurement]] = {}
    for m in measurements:
        if m.shown:
            sections.setdefault(m.quantity, []).append(m)
    for quantity, rows in sections.items():
        result.add_row(f"[bold]{quantity}[/]")
        for m in rows:
            ratio = m.ratio
            colour = "red" if m.is_missed else "white" if ratio is None else "green"
            result.add_row(f"  {m.case}", value(m.ours, m.unit), value(m.reference, m.unit),
                           f"[{colour}]{'–' if ratio is None else f'{ratio:.2f}×'}[/]")
    console.print(result)
    for source in dict.fromkeys(m.source for m in measurements if m.source):
        console.print(f"reference: {source}", style="dim")


def show_missed(measurements: list[Measurement]) -> None:
    """Every figure that is not better than what it stands beside, with the reason as far as it is known."""
    compared = [m for m in measurements if m.reference is not None]
    missed = [m for m in compared if m.is_missed]
    console.print(f"{len(compared) - len(missed)} of {len(compared)} figures reach the reference or target; "
                  f"load average {load_average():.1f} on {os.cpu_count()} cores")
    for m in missed:
        ours, reference = value(m.ours, m.unit), value(m.reference, m.unit)
        reason = f": {m.why}" if m.why else ""
        console.print(f"missed: {m.case}, {m.quantity}: {ours}, not {reference}{reason}", style="yellow",
                      markup=False)


def load_average() -> float:
    """Of the last minute."""
    return os.getloadavg()[0]


def value(number: float | None, unit: str) -> str:
    if number is None:
        return "–"
    if unit == "s":
        return seconds(number)
    if unit == "B":
        return byte_count(number)
    if unit:
        return f"{number:.4g} {unit}"
    if number == int(number):
        return f"{number:,.0f}"
    return f"{number:.3g}" if number >= 0.01 else f"{number:.3e}"


def append_csv(path: Path, name: str, measurements: list[Measurement]) -> None:
    """One line per measurement; earlier lines stay."""
    path.parent.mkdir(parents=True, exist_ok=True)
    is_new = not path.exists()
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    commit, host, load = current_commit(), platform.node(), f"{load_average():.1f}"
    with open(path, "a", newline="") as file:
        writer = csv.writer(file)
        if is_new:
            writer.writerow(CSV_COLUMNS)
        for m in measurements:
            reference = "" if m.reference is None else f"{m.reference:.6g}"
            writer.writerow([now, commit, host, load, name, m.case, m.quantity, m.unit, f"{m.ours:.6g}",
                             reference, m.source])


def current_commit() -> str:
    """Short name of the commit of the source tree, with + when it was changed; unknown outside of one."""
    def git(*arguments: str) -> str:
        command = ["git", "-C", str(Path(__file__).parent), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout.strip()

    try:
        return git("rev-parse", "--short", "HEAD") + ("+" if git("status", "--porcelain", "-uno") else "")
    except (OSError, subprocess.SubprocessError):
        return "unknown"
