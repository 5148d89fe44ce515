# SPDX-License-Identifier: BSD-3-Clause
"""Observed orders, errors and cost of every kind of mapping; radial basis functions beside the peer's.

Franke's function between curved sheets of 16 to 128 (--full: 256) points along a side, without
communication; then blade M1 with partition of unity, one rank each."""

from __future__ import annotations

import csv
import math

from isthmus import programs
from isthmus.bench.blades import replay_blade
from isthmus.bench.framework import Context, Measurement, cpu, phase
from isthmus.bench.reference import PEER, PEER_PUM_M1
from isthmus.console import console
from isthmus.plot.accuracy import Errors, accuracy_picture

LIMIT = 600  # seconds
PUM = "rbf-pum-direct"
# of radial basis functions (smoothness + 1 + dimension) / 2
ORDERS = {"nearest-neighbor": 1.0, "nearest-projection": 2.0, "linear-cell-interpolation": 2.0,
          "intersection": 2.0, "intersection, tetrahedra": 2.0, PUM: 3.5, "rbf-global-direct": 3.5}
COLUMNS = (("error (root mean square)", "", "rms"), ("set-up, CPU", "s", "setup_s"),
           ("step, CPU", "s", "step_s"))  # quantity, unit, column of bench_mappings
THEORY = "theory; measured, a tenth less is enough"
SETUP = ("the rows of each point are found once, by a solution per cluster; the peer solves once per cluster "
         "and sample, in every step")


def measure(context: Context) -> list[Measurement]:
    errors, found = _sheets(context)
    accuracy_picture((context.results or context.out) / "mappings-errors.png", errors)
    return found + _blade(context)


def _sheets(context: Context) -> tuple[Errors, list[Measurement]]:
    console.print("measuring mappings between sheets", style="dim")
    command = [str(programs.find("bench_mappings")), "5" if context.full else "4"]
    errors: Errors = {}
    found = []
    for row in csv.DictReader(programs.output("bench_mappings", command, LIMIT).splitlines()):
        mapping, points = row["mapping"], int(row["points"])
        errors.setdefault(mapping, []).append((points, float(row["rms"]), float(row["largest"])))
        case = f"{mapping}, {points:,} x {points:,}"
        found += [Measurement(case, quantity, unit, float(row[column]), shown=points >= 64)
                  for quantity, unit, column in COLUMNS]
    for mapping, rows in errors.items():
        (n, before, _), (m, after, _) = rows[-2:]
        order = math.log(before / after) / math.log((m - 1) / (n - 1))
        found.append(Measurement(mapping, "observed order", "", order, ORDERS[mapping], THEORY,
                                 more_is_better=True, tolerance=0.1))
    return errors, found


def _blade(context: Context) -> list[Measurement]:
    results = replay_blade(context, "M1", PUM)
    error, peer, case = results[-1].sides["A"].errors["S"], PEER_PUM_M1, f"M1 {PUM}"
    initialize = phase(results, "A", "initialize")
    return [Measurement(case, "initialize at A", "s", initialize, peer.initialize, PEER, why=SETUP),
            Measurement(case, "initialize at A, CPU", "s", cpu(results, "A", "initialize")),
            Measurement(case, "advance at A", "s", phase(results, "A", "advance"), peer.advance, PEER),
            Measurement(case, "initialize and 10 steps", "s", phase(results, "A", "initialize") +
                        10 * phase(results, "A", "advance"), peer.initialize + 10 * peer.advance, PEER),
            Measurement(case, "l2 error (root mean square)", "", error.l2, peer.l2, PEER, tolerance=0.005),
            Measurement(case, "largest error", "", error.max, peer.max, PEER, tolerance=0.005)]
