# SPDX-License-Identifier: BSD-3-Clause
"""Figures and the file that keeps them: what benchmarks return and what is drawn."""

from __future__ import annotations

import csv
import statistics
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from isthmus.bench.reference import ALLOWED, TARGET
from isthmus.console import byte_count, seconds

CSV_COLUMNS = ["date", "commit", "host", "load", "bench", "case", "quantity", "unit", "ours", "reference",
               "source", "kind", "better", "low", "high", "runs", "processor"]
# a clock here, a number that every machine finds, real messages on a simulated cluster, a formula;
# counted are quantities that begin with one of COUNTS
KINDS = ("measured", "counted", "simulated", "modelled")
COUNTS = ("bandwidth", "bytes ", "bytes,", "edges cut", "flows that differ", "ghost cells",
          "heap allocations", "iterations to", "largest over mean", "messages", "mixed cells", "pairs",
          "partners of", "pieces", "reductions", "share of the edges", "triangles lost", "write calls")
SAME, DIGITS = 0.01, 1e-5  # parts of a reference: what counts as the same, what a row has rounded


class Median(float):
    """Of several runs, with the quartiles."""

    low: float
    high: float
    runs: int

    @classmethod
    def of(cls, values: Iterable[float]) -> Median:
        found = sorted(values)
        median = cls(statistics.median(found))
        quartiles = statistics.quantiles(found, n=4, method="inclusive") if len(found) > 1 else found * 3
        median.low, median.high, median.runs = quartiles[0], quartiles[2], len(found)
        return median

    def times(self, factor: float) -> Median:
        """In another unit."""
        scaled = Median(factor * self)
        scaled.low, scaled.high, scaled.runs = factor * self.low, factor * self.high, self.runs
        return scaled


@dataclass(frozen=True)
class Measurement:
    """One figure of ours, and what it stands beside."""

    case: str  # "M1 nearest-projection 2+3"
    quantity: str  # "initialize"
    unit: str  # s, B, MB, or empty for a count
    ours: float  # or a Median, whose quartiles are kept, too
    reference: float | None = None  # a published or a peer's figure, or a target
    source: str = ""  # of the reference; without one there is none
    more_is_better: bool = False
    tolerance: float = 0.0  # of the reference, where it was rounded
    why: str = ""  # what is behind it where ours is not better
    shown: bool = True  # in the table, not only in the file and the pictures
    kind: str = ""  # one of KINDS; without a word, counted where the quantity is a count, else measured

    def __post_init__(self) -> None:
        if self.reference is None:
            object.__setattr__(self, "source", "")
        if not self.kind:
            object.__setattr__(self, "kind", "counted" if self.quantity.startswith(COUNTS) else "measured")

    @property
    def ratio(self) -> float | None:
        """Above 1 is better than the reference."""
        if self.reference is None or self.ours <= 0 or self.reference <= 0:
            return None
        return self.ours / self.reference if self.more_is_better else self.reference / self.ours

    @property
    def is_limit(self) -> bool:
        """Whether the reference is a target or a limit, to be kept, and not what somebody else has."""
        return self.source.startswith((ALLOWED, TARGET))

    @property
    def is_same(self) -> bool:
        """Whether the tolerance hides the difference, so that nobody is better."""
        return (self.reference is not None and not self.is_limit
                and abs(self.ours - self.reference) <= self.tolerance * abs(self.reference))

    @property
    def is_missed(self) -> bool:
        """Whether ours is worse than the reference."""
        if self.reference is None:
            return False
        behind = self.reference - self.ours if self.more_is_better else self.ours - self.reference
        return behind > self.tolerance * abs(self.reference)


def value(number: float | None, unit: str) -> str:
    """A figure with its unit, as it is printed."""
    if number is None:
        return "–"
    if unit == "s":
        return seconds(number) if number else "0 s"
    if unit == "B":
        return byte_count(number)
    if unit:
        return f"{number:.4g} {unit}"
    if number == int(number):
        return f"{number:,.0f}"
    if abs(number) >= 1000:
        return f"{number:,.0f}"
    return f"{number:.3g}" if abs(number) >= 0.01 else f"{number:.2e}"


def is_reproducible(commit: str) -> bool:
    """Whether a row tells the sources it was measured with: not those of a tree that was changed."""
    return bool(commit) and commit != "unknown" and not commit.endswith("+")


def of_kind(kind: str, measurements: Iterable[Measurement]) -> list[Measurement]:
    """The same figures, said to be of this kind."""
    return [replace(m, kind=kind) for m in measurements]


def row_of(m: Measurement) -> list[str]:
    """The columns from `case` to `runs`."""
    reference = "" if m.reference is None else f"{m.reference:.6g}"
    spread = ["", "", ""]
    if isinstance(m.ours, Median):
        spread = [f"{m.ours.low:.6g}", f"{m.ours.high:.6g}", str(m.ours.runs)]
    return [m.case, m.quantity, m.unit, f"{m.ours:.6g}", reference, m.source, m.kind,
            "more" if m.more_is_better else "less", *spread]


def measurement_of(row: dict[str, str]) -> Measurement:
    """From a row of the file; what was only said on the terminal is not there. What differs from somebody
    else's by less than a hundredth counts as the same; a limit is kept or missed."""
    reference = float(row["reference"]) if row["reference"] else None
    found = Measurement(row["case"], row["quantity"], row["unit"], float(row["ours"]), reference,
                        row["source"], more_is_better=row["better"] == "more", kind=row["kind"])
    return replace(found, tolerance=DIGITS if found.is_limit else SAME)


def read_rows(path: Path) -> list[dict[str, str]]:
    """All rows of a file of results; older rows do not say the processor."""
    with open(path, newline="") as file:
        return list(csv.DictReader(file, restval=""))


def newest(path: Path) -> dict[str, list[dict[str, str]]]:
    """By benchmark: the newest row of each case and quantity."""
    found: dict[str, dict[tuple[str, str], dict[str, str]]] = {}
    for row in read_rows(path):
        found.setdefault(row["bench"], {})[row["case"], row["quantity"]] = row
    return {bench: list(rows.values()) for bench, rows in found.items()}
