# SPDX-License-Identifier: BSD-3-Clause
"""Runs benchmarks: a table with the others' figures beside ours, and a growing CSV."""

from __future__ import annotations

import csv
import datetime
import os
import platform
import re
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from isthmus.bench import NAMES, benchmark
from isthmus.bench.measurement import CSV_COLUMNS, Measurement, Median, is_reproducible, row_of, value
from isthmus.console import console, print_warning, quietly, table
from isthmus.errors import IsthmusError
from isthmus.replay import Result, Settings, replay
from isthmus.run.display import NoDisplay

T = TypeVar("T")
KEPT = Path(__file__).resolve().parents[3] / "bench" / "results.csv"


@dataclass(frozen=True)
class Context:
    """How much is to be measured, and where files go."""

    out: Path  # of the runs
    full: bool = False
    repeat: int = 3
    results: Path | None = None  # of tables and pictures; None: as out
    only: str = ""  # rows whose case has this text

    def wants(self, *cases: str) -> bool:
        """Whether rows of one of these cases are asked for."""
        return any(self.only in case for case in cases)

    def ranks(self) -> tuple[int, ...]:
        """The numbers of ranks that `only` names: 8 of "8 ranks"."""
        return tuple(map(int, re.findall(r"(\d+) ranks", self.only)))

    def replays(self, settings: Settings) -> list[Result]:
        """The same replay several times, without files for viewing."""
        quiet = replace(settings, out=self.out / "runs" / settings.name, view_files=False)
        console.print(f"measuring {settings.name}, {self.repeat} times", style="dim")
        with quietly():
            return [replay(quiet, NoDisplay()) for _ in range(self.repeat)]


def in_turns(ways: Mapping[str, Callable[[], T]], repeat: int) -> dict[str, list[T]]:
    """Each way once in a turn, so that what else the machine does meets all of them; every other turn begins
    with the last one, so that none is always the first."""
    found: dict[str, list[T]] = {way: [] for way in ways}
    for turn in range(repeat):
        for way in list(ways)[::-1 if turn % 2 else 1]:
            found[way].append(ways[way]())
    return found


def phase(results: list[Result], side: str, name: str, of_ranks: str = "max") -> Median:
    """The median over the runs of the longest time of any rank, in seconds."""
    try:
        return Median.of(result.sides[side].report["phases"][name][of_ranks] for result in results)
    except KeyError as error:
        raise IsthmusError(f"isthmus-replay reported no phase {name} ({of_ranks}) of {side}") from error


def cpu(results: list[Result], side: str, name: str, of_ranks: str = "cpu") -> Median:
    """The median over the runs of the CPU seconds of the busiest rank, or of all (cpu_sum)."""
    return phase(results, side, name, of_ranks)


def peak_memory(results: list[Result], side: str) -> Median:
    """The median over the runs of the memory of the rank that had most, in MB."""
    return Median.of(result.sides[side].report["peak_memory_mb"] for result in results)


def counter(results: list[Result], side: str, name: str, of_ranks: str = "max") -> float | None:
    """A count of the last run, of the busiest rank or the sum of all; None where it is not reported."""
    return results[-1].sides[side].report.get("counters", {}).get(name, {}).get(of_ranks)


def run(name: str, context: Context) -> list[Measurement]:
    """Measures, prints the table and appends to <results>/results.csv."""
    if name not in NAMES:
        raise IsthmusError(f"there is no benchmark {name!r}; choose {', '.join(NAMES)}")
    measurements: list[Measurement] = [m for m in benchmark(name).measure(context) if context.wants(m.case)]
    if context.only and not measurements:
        raise IsthmusError(f"benchmark {name} has no row whose case has {context.only!r}; type isthmus bench "
                           f"{name}{' --full' * context.full} for all")
    show(name, measurements)
    show_missed(measurements)
    path = (context.results or context.out) / "results.csv"
    append_csv(path, name, measurements)
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
            colour = "red" if m.is_missed else "white" if ratio is None or m.is_same else "green"
            result.add_row(f"  {m.case}", value(m.ours, m.unit), value(m.reference, m.unit),
                           f"[{colour}]{'–' if ratio is None else f'{ratio:.2f}×'}[/]")
    console.print(result)
    for source in dict.fromkeys(m.source for m in measurements if m.source):
        console.print(f"reference: {source}{age(source, datetime.date.today())}", style="dim", soft_wrap=True)


def age(source: str, today: datetime.date) -> str:
    """How old a figure is that was not measured in this run."""
    if not (match := re.search(r"quoted of (\d{4}-\d\d-\d\d)", source)):
        return ""
    return f" ({(today - datetime.date.fromisoformat(match[1])).days} days ago, not measured in this run)"


def show_missed(measurements: list[Measurement]) -> None:
    """Every figure that is worse than what it stands beside, with the reason as far as it is known."""
    compared = [m for m in measurements if m.reference is not None]
    missed = [m for m in compared if m.is_missed]
    same = sum(m.is_same for m in compared)
    console.print(f"of {len(compared)} figures {len(compared) - len(missed) - same} are better than the "
                  f"reference or keep the limit, {same} are the same, {len(missed)} are worse or miss it; "
                  f"load average {load_average():.1f} on {os.cpu_count()} cores")
    for m in missed:
        ours, reference = value(m.ours, m.unit), value(m.reference, m.unit)
        reason = f": {m.why}" if m.why else ""
        console.print(f"missed: {m.case}, {m.quantity}: {ours}, not {reference}{reason}", style="yellow",
                      markup=False)


def load_average() -> float:
    """Of the last minute."""
    return os.getloadavg()[0]


def append_csv(path: Path, name: str, measurements: list[Measurement]) -> None:
    """One line per measurement; earlier lines stay. The file of the sources takes those of a commit only."""
    path.parent.mkdir(parents=True, exist_ok=True)
    is_new = not path.exists()
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    commit, host, load = current_commit(), platform.node(), f"{load_average():.1f}"
    if not is_reproducible(commit) and path.resolve() == KEPT:
        print_warning(f"nothing is added to {path}: the sources of {commit} are not committed, so that no "
                      "reader could measure these figures again; commit first, or write elsewhere "
                      "(--results DIR)")
        return
    with open(path, "a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")  # as all other files of the project
        if is_new:
            writer.writerow(CSV_COLUMNS)
        writer.writerows([now, commit, host, load, name, *row_of(m), processor()] for m in measurements)


def processor(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """Its name, with the family and model that tell generations apart, as hosts are called alike; as much of
    it as is known."""
    try:
        text = cpuinfo.read_text()
    except OSError:
        return platform.processor()
    name, family, model = (re.search(rf"^{key}\s*: *(.+?)\s*$", text, re.MULTILINE)
                           for key in ("model name", "cpu family", "model"))
    numbers = f" (family {family[1]}, model {model[1]})" if family and model else ""
    return name[1] + numbers if name else platform.processor()


def current_commit(folder: Path = Path(__file__).parent) -> str:
    """Short name of the commit of the sources around it, with + when they were changed, or unknown."""
    def git(*arguments: str) -> str:
        command = ["git", "-C", str(folder), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout.strip()

    try:
        return git("rev-parse", "--short", "HEAD") + ("+" if git("status", "--porcelain", "-uno") else "")
    except (OSError, subprocess.SubprocessError):
        return "unknown"
