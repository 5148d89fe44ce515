# SPDX-License-Identifier: BSD-3-Clause
"""The tables of the page of OpenFOAM that say what calls of MPI are made, and how long simulated steps take,
are those of the newest rows."""

from pathlib import Path

import pytest

from isthmus.bench.measurement import newest
from isthmus.bench.solvers import openfoam, openfoam_kinds

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/solvers/openfoam.md").read_text()
SOLUTIONS = {"damBreak": 3, "cavity": 2}  # of the pressure in a step
WAYS = {"original": openfoam.ORIGINAL, "with `libPstream.so`": "libPstream.so",
        "and `predictedPCG`": "both, predictedPCG", "all, `predictedPCG`": "all, predictedPCG",
        "all, `deflatedPCG`": "all, deflatedPCG"}
ITERATIONS = {"iterations of a step, PCG": openfoam.ORIGINAL, "`deflatedPCG`": "all, deflatedPCG"}


def rows_of(bench: str) -> dict[tuple[str, str], float]:
    return {(row["case"], row["quantity"]): float(row["ours"])
            for row in newest(ROOT / "bench/results.csv")[bench]}


def number(text: str) -> float:
    return float(text.replace(",", ""))


def table_behind(title: str) -> tuple[list[str], list[list[str]]]:
    """The first one behind it: what its columns are called, and the cells of each row."""
    start = PAGE.index("\n|", PAGE.index(title)) + 1
    head, _, *body = PAGE[start:].split("\n\n")[0].splitlines()
    cells = [line.strip("|").split(" | ") for line in (head, *body)]
    stripped = [[cell.strip() for cell in row] for row in cells]
    return stripped[0], stripped[1:]


@pytest.mark.parametrize("case", openfoam_kinds.CASES)
def test_the_page_has_the_newest_calls(case: str) -> None:
    rows = rows_of("openfoam_kinds")
    _, table = table_behind(f"\n| `{case}` | messages | reductions waited for")
    layers = {f"{one[0].replace('`', '')}{'' if ',' in one[0] else ', PCG'}": one[1:] for one in table}
    known = {where.split(", ", 2)[2] for where, _ in rows if where.startswith(f"{case}, 16 ranks, ")}
    assert layers.keys() == known
    for layer, (*counts, whole, parts) in layers.items():
        def found(*words: str, text: str, layer: str = layer) -> float:
            return sum(rows.get((f"{case}, 16 ranks, {layer}", text.format(word)), 0) for word in words)

        reductions = ("MPI_Allreduce", "MPI_Allgather")
        expected = [found(*words, text="{} of a step") for words in
                    (("sends",), reductions, ("sums beside",), ("MPI_Alltoall",))]
        assert list(map(number, counts)) == pytest.approx(expected, abs=0.51), layer
        expected = [1e6 * found(*words, text="simulated time of a step in {}") for words in
                    (("sends",), ("receives",), ("waits",), reductions, ("MPI_Alltoall",), ("sums beside",))]
        shown = list(map(number, parts.split(", ")))
        assert shown == pytest.approx(expected, abs=0.51), layer
        assert number(whole) == pytest.approx(sum(expected), rel=0.03), layer


def check_series(case: str, mesh: str, ranks: str, columns: dict[str, str]) -> None:
    """A row of the table, by names of columns."""
    rows = rows_of("openfoam")

    def of_way(way: str, what: str) -> float:
        return rows[f"{case}, {mesh} cells, {ranks} simulated ranks, {way}", what]

    shown = {way: tuple(map(float, columns[name].split("; "))) for name, way in WAYS.items()
             if columns.get(name, "–") != "–"}
    assert openfoam.ORIGINAL in shown and len(shown) > 1
    for way, times in shown.items():
        expected = [1e3 * of_way(way, what) for what in (openfoam.TIME, openfoam.CALLS)]
        assert times == pytest.approx(expected, abs=0.0051), (mesh, ranks, way)
    for name, way in ITERATIONS.items():
        expected = SOLUTIONS[case] * of_way(way, "iterations of a solution")
        assert float(columns[name]) == pytest.approx(expected, abs=0.51), (mesh, ranks, name)
    if "ratio" in columns:
        ratio = shown[openfoam.ORIGINAL][0] / shown["all, deflatedPCG"][0]
        assert float(columns["ratio"]) == pytest.approx(ratio, abs=0.0071), (mesh, ranks)


@pytest.mark.parametrize(("title", "case", "mesh"), [
    ("**Strong series, 9,072 cells.**", "damBreak", "9,072"),
    ("**Strong series, 36,288 cells**", "damBreak", "36,288")])
def test_the_page_has_the_newest_series(title: str, case: str, mesh: str) -> None:
    head, table = table_behind(title)
    assert len(table) >= 2
    for cells in table:
        ranks, of_mesh = cells[0].split(", ", 1)  # cells of each rank, or where a mesh grows with them of all
        check_series(case, mesh or of_mesh, ranks, dict(zip(head, cells, strict=True)))
