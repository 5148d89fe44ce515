#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a whole coupled run costs the ranks of a simulated cluster, as asserted numbers.

    scale_test.py SMPIRUN PROGRAM RANKS

PROGRAM is that of bench/coupler/scale.cpp. The limits are the same for all numbers of ranks, but for the
logarithm of them: what a rank sends and holds must not grow with the others."""

import csv
import math
import os
import subprocess
import sys

VERTICES = 100  # of a rank that provides
STRANGERS = 64  # messages with ranks that become no partners
ALL_STRANGERS = 512  # those of any mapping
COLLECTIVES = 60  # calls
MEMORY = 400e3  # bytes of any rank
FEW_RANKS, MORE_RANKS = 16, 64  # with neighbours all around from 64 on
GROWTH = 0.1  # of the memory of the rank that has most, from few ranks to many
MANY_VERTICES = 2500  # of a rank, so that its surroundings are a part of the mesh on 16 ranks, too
UNITY = "rbf-pum-direct"
MOST = {  # bytes of that rank, and from how many ranks on it does not grow
    UNITY: (2e6, FEW_RANKS),
    "nearest-neighbor+rbf-global-iterative": (6.6e6, FEW_RANKS),
    "nearest-projection:scaled-consistent-surface": (1e6, FEW_RANKS),
    "write:nearest-projection": (1e6, MORE_RANKS),
    "write:rbf-pum-direct": (5.5e6, MORE_RANKS),
}
REFUSAL = "radial basis functions need different places"
SHARED = {"ISTHMUS_SIMULATED_SHARED": "1", "ISTHMUS_SIMULATED_RENDEZVOUS": "1"}


def play(smpirun, program, ranks, *what):
    command = [smpirun, str(ranks), program, *map(str, what)]
    environment = os.environ | SHARED
    return command, subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def run(smpirun, program, ranks, *what):
    command, done = play(smpirun, program, ranks, *what)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return {row["phase"]: {name: float(text) for name, text in row.items() if name not in
                           ("phase", "way", "mapping")} for row in csv.DictReader(done.stdout.splitlines())}


def costs_of(smpirun, program, ranks, mapping):
    """Bytes of the rank that has most, and messages with ranks that become no partners."""
    phases = run(smpirun, program, ranks, "rendezvous", MANY_VERTICES, mapping)
    return max(row["memory"] for row in phases.values()), phases["initialize"]["strangers"]


def main():
    smpirun, program, ranks = sys.argv[1], sys.argv[2], int(sys.argv[3])
    wrong = []

    def expect(is_so, said):
        print("ok:" if is_so else "WRONG:", said)
        if not is_so:
            wrong.append(said)

    ways = ["rendezvous", "two-level"] + (["one-level"] if ranks <= 64 else [])
    phases = {way: run(smpirun, program, ranks, way, VERTICES) for way in ways}
    ours = phases["rendezvous"]
    for name, row in ours.items():
        print(name, row)
    first = ours["initialize"]
    expect(first["strangers"] <= STRANGERS,
           f"{first['strangers']:.0f} messages with ranks that become no partners, at most {STRANGERS}")
    expect(first["collectives"] <= COLLECTIVES,
           f"{first['collectives']:.0f} collective calls, at most {COLLECTIVES}")
    expect(0 < ours["step"]["partners"] <= 12, f"{ours['step']['partners']:.0f} partners, at most 12")
    memory = max(row["memory"] for row in ours.values())
    expect(0 < memory <= MEMORY, f"{memory:.0f} bytes on a rank, at most {MEMORY:.0f}")
    per_window = ours["step"]["sent"] / 3
    trees = 6 * math.log2(ranks)
    expect(per_window <= 12 + trees, f"{per_window:.1f} messages in a window, at most {12 + trees:.0f}")
    for way in ways[1:]:
        other = phases[way]["initialize"]
        expect(other["received"] >= ranks // 4 - 1, f"{way}: its first ranks hear of all")
        expect(phases[way]["step"] == ours["step"] | {"microseconds": phases[way]["step"]["microseconds"],
               "memory": phases[way]["step"]["memory"], "memory_mean": phases[way]["step"]["memory_mean"]},
               f"{way}: the same plan, so the same messages in a step")
    for mapping, (most, few) in MOST.items():
        few = min(few, ranks)
        of_few, _ = costs_of(smpirun, program, few, mapping)
        of_all, strangers = costs_of(smpirun, program, ranks, mapping)
        expect(0 < of_all <= most, f"{mapping}: {of_all:.0f} bytes on a rank, at most {most:.0f}")
        expect(max(of_few, of_all) <= (1 + GROWTH) * min(of_few, of_all),
               f"{mapping}: {of_few:.0f} bytes on {few} ranks, {of_all:.0f} on {ranks}")
        expect(strangers <= ALL_STRANGERS, f"{mapping}: {strangers:.0f} messages with ranks that become no "
               f"partners, at most {ALL_STRANGERS}")
    if ranks <= 64:
        refused = play(smpirun, program, ranks, "rendezvous", MANY_VERTICES, UNITY, 1, "shared")[1]
        said = refused.stderr
        expect(refused.returncode != 0 and REFUSAL in said and "exception" not in said.lower(),
               "vertices at one place end the run with their message")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
