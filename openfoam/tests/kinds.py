# SPDX-License-Identifier: BSD-3-Clause
"""Calls of MPI by kind, per step and mean of the ranks, of the original, of each layer alone and of all:
kinds.py LIBRARIES FOLDER [CASE…] [--ranks 16] [--times 1]

CASE: cavity, damBreak or cavitatingBullet; all three where none is named. Each layer runs once and records
what each rank asks of MPI; the calls are counted, and made again on a simulated cluster without the work
between them, where time is spent in calls alone. Recordings and figures stay in FOLDER, as those of series.py
do. Needs tools/build.sh smpi 2 bench_calls. A line for each layer, and in it for each kind the calls, then
microseconds in them; the last two columns are bytes that are sent and microseconds of a step."""

from __future__ import annotations

import argparse
import statistics

import command_line
import record
import series
import survey
import tutorials

CASES = ("cavity", "damBreak", survey.HEAD_FORM)
# what the replay calls it: letters of recorded calls
KINDS = {"send": "si", "receive": "rj", "wait": "w", "allreduce": "A", "alltoall": "L", "allgather": "G",
         "sum": "S"}
WORDS = {"send": "sends", "receive": "receives", "wait": "waits", "allreduce": "MPI_Allreduce",
         "alltoall": "MPI_Alltoall", "allgather": "MPI_Allgather", "sum": "sums beside"}
LAYERS = (("original", "PCG"), ("supporting", "PCG"), ("numerical", "PiPePCG"), ("numerical", "RePiPePCG"),
          ("numerical", "predictedPCG"), ("numerical", "deflatedPCG"), ("limiter", "PCG"), ("schemes", "PCG"),
          ("asymmetric", "PCG"), ("all", "predictedPCG"), ("all", "deflatedPCG"))
PUBLISHED = ("PiPePCG", "RePiPePCG")  # which Lin and others compare in the cavity


def of_steps(calls: list[tuple[float, str]]) -> tuple[list[str], int]:
    """What was asked from the second to the last mark of a step, and how many steps that are."""
    texts = [text for _, text in calls]
    marks = [i for i, text in enumerate(texts) if text == "t"]
    assert len(marks) > 2, f"{len(marks)} steps were recorded; at least 3 are needed"
    return texts[marks[1]:marks[-1]], len(marks) - 2


def counts(texts: list[str]) -> dict[str, int]:
    """Of each kind; and bytes that are sent to others."""
    found = {kind: sum(text[0] in letters for text in texts) for kind, letters in KINDS.items()}
    return found | {"bytes": sum(int(text.split()[4]) for text in texts if text[0] in KINDS["send"])}


def per_step(recording: record.Recording) -> dict[str, float]:
    """Means of the ranks."""
    ranks = []
    for rank in range(len(recording.cells)):
        texts, steps = of_steps(recording.calls(rank))
        ranks.append({kind: number / steps for kind, number in counts(texts).items()})
    return {kind: statistics.fmean(rank[kind] for rank in ranks) for kind in ranks[0]}


def layers(case: str) -> list[tuple[str, str]]:
    """Those that it has: there is a limiter for programs of two phases only."""
    return [(layer, solver) for layer, solver in LAYERS
            if (layer != "limiter" if case == "cavity" else solver not in PUBLISHED)]


def measure(of: series.Series, ranks: int, layer: str, solver: str) -> dict[str, dict[str, float]]:
    recording = of.recording(ranks, layer, solver)
    replayed = record.replay(recording.prefix, ranks, min(series.NODE, ranks), 0)
    names = [*KINDS, "microseconds"]
    return {"calls": per_step(recording), "microseconds": {name: float(replayed[name]) for name in names}}


def rows(of: series.Series, ranks: int) -> dict[str, dict[str, dict[str, float]]]:
    return {f"{layer}, {solver}": of.find(
        f"kinds, {of.times(ranks):g} times, {ranks} ranks, {layer}, {solver}",
        lambda layer=layer, solver=solver: measure(of, ranks, layer, solver))
            for layer, solver in layers(of.options.case)}


def table(title: str, found: dict[str, dict[str, dict[str, float]]]) -> str:
    """Of Markdown."""
    lines = [f"| {title} | {' | '.join(WORDS.values())} | bytes | step |", "|---" * (len(WORDS) + 3) + "|"]
    for layer, row in found.items():
        cells = [f"{row['calls'][kind]:.1f}; {row['microseconds'][kind]:.0f}" if row["calls"][kind] else "0"
                 for kind in WORDS]
        lines.append(f"| {layer} | {' | '.join(cells)} | {row['calls']['bytes']:,.0f} | "
                     f"{row['microseconds']['microseconds']:.0f} |")
    return "\n".join(lines)


def main() -> None:
    parser = command_line.parser_of(__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--ranks", type=int, default=16)
    parser.add_argument("--times", type=float, default=1)
    options = parser.parse_args()
    tutorials.skip_without("icoFoam", "interFoam", "interPhaseChangeFoam", "blockMesh", "decomposePar")
    for case in options.cases or CASES:
        of = series.Series(argparse.Namespace(**vars(options) | {"case": case, "weak": 0, "repeats": 1}))
        print(table(f"{case}, {options.ranks} ranks", rows(of, options.ranks)), flush=True)


if __name__ == "__main__":
    main()
