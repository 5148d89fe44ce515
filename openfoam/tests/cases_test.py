# SPDX-License-Identifier: BSD-3-Clause
"""Cavity and damBreak on 1, 2 and 4 ranks: with libPstream.so the same bytes and the same log as with the
packaged library and no exchange of sizes; with the solvers fields within rounding, the same iterations, and
at most a third of the reductions that are waited for: cases_test.py LIBRARIES."""

import re
import sys
import tempfile
from pathlib import Path

import tutorials

from isthmus.openfoam import fields, runs
from isthmus.openfoam.case import SOLVERS, Case

tutorials.skip_without("icoFoam", "interFoam", "blockMesh", "setFields", "decomposePar")
libraries = Path(sys.argv[1])
SAME_ITERATES = [solver for solver in SOLVERS if solver != "deflatedPCG"]  # see solvers_test.py
REDUCTIONS = ("allreduce", "allgather")


def check_requests(run: runs.Run) -> None:
    """What MPI gave it to wait for has come to an end."""
    assert run.mean("calls", "requests") > run.steps
    assert [rank["requests"]["left"] for rank in run.calls] == [0] * len(run.calls)


def check_supporting(original: runs.Run, ours: runs.Run, ranks: int) -> None:
    far = fields.compare(original.folder, ours.folder)
    assert far is not None and far.files >= 3 * ranks and far.equal == far.files, far
    assert tutorials.solving_lines(ours.log) == tutorials.solving_lines(original.log)
    if ranks > 1:
        assert ours.mean("calls", "alltoall") == 0
        check_requests(ours)
        assert ours.mean("calls", "isend") == original.mean("calls", "isend")
        before, after = (run.mean("calls", *REDUCTIONS) for run in (original, ours))
        assert abs(after - before) < 5 < before, (before, after)  # in memory that ranks share, counted too
        if "interFoam" in original.log:  # its limiter exchanges in every step
            assert original.mean("calls", "alltoall") > 5 * original.steps


def check_solver(original: runs.Run, ours: runs.Run, ranks: int, solver: str) -> None:
    far = fields.compare(original.folder, ours.folder)
    assert far is not None and far.largest < 1e-6, (solver, far)
    assert f"{solver}:  Solving for p" in ours.log
    assert ours.iterations.keys() == original.iterations.keys()
    for field, number in original.iterations.items():
        assert abs(ours.iterations[field] - number) <= 2, (solver, field, number, ours.iterations)
    if ranks > 1:
        before, after = (run.mean("calls", *REDUCTIONS) for run in (original, ours))
        assert after < before / 3, (solver, before, after)
        assert ours.mean("calls", "sum") > 0
        check_requests(ours)


def check_tight(case: Case, name: str) -> None:
    """Limits that rounding errors keep pipelined recurrences from: plain gradients go on from there."""
    tutorials.edit(case, "system/fvSolution", (r"tolerance\s+1e-06;", "tolerance 1e-14;"), (r"0\.05;", "0;"))
    with (case.folder / "system/controlDict").open("a", encoding="utf-8") as control:
        control.write("DebugSwitches { lduMatrix 2; }\n")
    original, ours = (runs.run(runs.copy_of(case, Path(name) / "tight" / layer.name, 0.005), layer, "PiPePCG",
                               libraries, 600) for layer in (runs.ORIGINAL, runs.BOTH))
    far = fields.compare(original.folder, ours.folder)
    assert far is not None and far.largest < 1e-11, far
    residuals = [float(value) for value in re.findall(r"for p,.*Final residual = (\S+),", ours.log)]
    assert residuals and max(residuals) <= 1e-14, residuals
    assert "PiPePCG:  p goes on by plain gradients after" in ours.log
    print(f"tight limits: {original.iterations}, {ours.iterations}")


with tempfile.TemporaryDirectory() as name:
    for make in (tutorials.cavity, tutorials.dam_break):
        case, end = make(Path(name) / make.__name__)
        for ranks in (1, 2, 4):
            tutorials.decompose(case, ranks)
            assert case.ranks == ranks

            def run(layer: runs.Layer, solver: str = SOLVERS[0], case=case, end=end) -> runs.Run:
                copy = runs.copy_of(case, Path(name) / "runs" / f"{layer.name}-{solver}", end)
                return runs.run(copy, layer, solver, libraries, 600)

            original = run(runs.ORIGINAL)
            check_supporting(original, run(runs.SUPPORTING), ranks)
            for solver in SAME_ITERATES if ranks == 2 else ("predictedPCG",):
                check_solver(original, run(runs.BOTH, solver), ranks, solver)
            print(f"{make.__name__} on {ranks} ranks: {original.iterations}")
    check_tight(tutorials.cavity(Path(name) / "tight" / "case")[0], name)
