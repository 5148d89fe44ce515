# SPDX-License-Identifier: BSD-3-Clause
"""Observed orders, errors and cost of every kind of mapping; radial basis functions beside the peer's.

Franke's function between curved sheets of 16 to 128 (--full: 256) points along a side, without
communication; then blades M1 and M2 with partition of unity, one rank each."""

from __future__ import annotations

import csv
import math

from isthmus import programs
from isthmus.bench.coupler import peer
from isthmus.bench.framework import Context, cpu, peak_memory, phase
from isthmus.bench.measurement import Measurement, Median
from isthmus.bench.reference import PEER_PUM, TARGET, TARGET_PUM_SETUP, TARGET_PUM_STEP
from isthmus.console import console
from isthmus.replay import Mapping

LIMIT = 600  # seconds
PUM = "rbf-pum-direct"
# of radial basis functions (smoothness + 1 + dimension) / 2
ORDERS = {"nearest-neighbor": 1.0, "nearest-projection": 2.0, "linear-cell-interpolation": 2.0,
          "intersection": 2.0, "intersection of tetrahedra": 2.0, PUM: 3.5, "rbf-global-direct": 3.5}
COLUMNS = (("error (root mean square)", "", "rms"), ("largest error", "", "largest"),
           ("set-up, CPU", "s", "setup_s"),
           ("step, CPU", "s", "step_s"))  # quantity, unit, column of bench_mappings
THEORY = "theory; measured, a tenth less is enough"
SOLVES = "factors and solutions of the clusters take it; those of splines have 1.4 times as many vertices"


def measure(context: Context) -> list[Measurement]:
    blades = [names for names in PEER_PUM if _case(*names).startswith(context.only)]
    found = [] if context.only and blades else _sheets(context)
    return found + [m for names in blades for m in _blade(context, *names)]


def _case(level: str, basis: str) -> str:
    return f"{level} {PUM}, {basis}"


def _sheets(context: Context) -> list[Measurement]:
    console.print("measuring mappings between sheets", style="dim")
    command = [str(programs.find("bench_mappings")), "5" if context.full else "4"]
    errors: dict[str, list[tuple[int, float]]] = {}
    found = []
    outputs = [programs.output("bench_mappings", command, LIMIT) for _ in range(context.repeat)]
    for rows in zip(*(csv.DictReader(output.splitlines()) for output in outputs), strict=True):
        mapping, points = rows[0]["mapping"], int(rows[0]["points"])
        errors.setdefault(mapping, []).append((points, float(rows[0]["rms"])))
        case = f"{mapping}, {points:,} x {points:,}"
        found += [Measurement(case, quantity, unit, _of_runs(unit, [float(row[column]) for row in rows]),
                              shown=points >= 64) for quantity, unit, column in COLUMNS]
    for mapping, rows in errors.items():
        (n, before), (m, after) = rows[-2:]
        order = math.log(before / after) / math.log((m - 1) / (n - 1))
        found.append(Measurement(mapping, "observed order", "", order, ORDERS[mapping], THEORY,
                                 more_is_better=True, tolerance=0.1))
    return found


def _of_runs(unit: str, values: list[float]) -> float:
    """Times differ from run to run, errors do not."""
    return Median.of(values) if unit == "s" else values[0]


def _blade(context: Context, level: str, basis: str) -> list[Measurement]:
    turns = peer.blade(context, level, Mapping(PUM, basis=basis))
    results, theirs, source = turns.ours, turns.beside(PEER_PUM[level, basis]), turns.source
    error = results[-1].sides["A"].errors["S"]
    case = _case(level, basis)
    initialize, step = phase(results, "A", "initialize"), phase(results, "A", "advance")
    first = phase(results, "A", "advance", "first")
    their_first = phase(turns.theirs, "A", "advance", "first") if turns.theirs else theirs.advance
    figures = [("initialize at A", "s", initialize, theirs.initialize, source, 0),
               ("initialize at A, beside the target", "s", initialize, TARGET_PUM_SETUP * theirs.initialize,
                TARGET, 0),
               ("initialize at A, CPU, beside the target", "s", cpu(results, "A", "initialize"),
                TARGET_PUM_SETUP * theirs.initialize, TARGET, 0),
               ("first advance at A", "s", first, their_first, source, 0),
               ("advance at A", "s", step, theirs.advance, source, 0),
               ("advance at A, beside the target", "s", step, TARGET_PUM_STEP * theirs.advance, TARGET, 0),
               ("initialize and 10 steps", "s", initialize + first + 9 * step,
                theirs.initialize + their_first + 9 * theirs.advance, source, 0),
               ("peak memory of A", "MB", peak_memory(results, "A"), theirs.memory_a, source, 0),
               ("l2 error (root mean square)", "", error.l2, theirs.l2, source, turns.tolerance),
               ("largest error", "", error.max, theirs.max, source, turns.tolerance)]
    return [Measurement(case, quantity, unit, ours, reference, source, tolerance=tolerance,
                        why=SOLVES if unit == "s" else "")
            for quantity, unit, ours, reference, source, tolerance in figures]
