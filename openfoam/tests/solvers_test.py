# SPDX-License-Identifier: BSD-3-Clause
"""Solvers whose iterates are not those of OpenFOAM's, with limits so small that all find the same fields:
deflatedPCG with fewer iterations and messages than PCG, mergedPBiCGStab with one reduction per iteration; and
pipelinedSmoothSolver, whose values are those of smoothSolver: solvers_test.py LIBRARIES."""

import re
import sys
import tempfile
from pathlib import Path

import tutorials

from isthmus.openfoam import fields, runs
from isthmus.openfoam.case import Case

tutorials.skip_without("icoFoam", "interFoam", "simpleFoam", "blockMesh", "setFields", "decomposePar")
libraries = Path(sys.argv[1]).resolve()


def tighten(case: Case) -> None:
    text = re.sub(r"tolerance\s+\S+;", "tolerance 1e-12;", case.text("system/fvSolution"))
    text = re.sub(r"relTol\s+\S+;", "relTol 0;", text)
    (case.folder / "system/fvSolution").write_text(text, encoding="utf-8")


def pitz_daily(folder: Path) -> tuple[Case, float]:
    case = tutorials.unpack("incompressible/simpleFoam/pitzDaily", folder)
    tutorials.edit(case, "system/fvSolution", (r"solver\s+GAMG;", "solver PCG; preconditioner DIC;"))
    with (case.folder / "system/controlDict").open("a", encoding="utf-8") as control:
        control.write("\nfunctions {}\n")
    tutorials.tool(case, "blockMesh")
    return case, 3


def with_stabilized(case: Case, solver: str) -> None:
    text, number = re.subn(r"solver\s+smoothSolver;", f"solver {solver}; preconditioner DILU;",
                           case.text("system/fvSolution"))
    assert number > 0
    (case.folder / "system/fvSolution").write_text(text, encoding="utf-8")


def run(case: Case, name: str, end: float, layer: runs.Layer, *solvers: str) -> runs.Run:
    """With the first of the solvers in place of PCG, the second in place of smoothSolver."""
    copy = runs.copy_of(case, Path(folder) / "runs" / name, end)
    if len(solvers) > 1:
        with_stabilized(copy, solvers[1])
    return runs.run(copy, layer, solvers[0], libraries, 600)


def compare(original: runs.Run, ours: runs.Run, limit: float) -> fields.Difference:
    far = fields.compare(original.folder, ours.folder)
    assert far is not None and far.largest < limit, far
    return far


def check_deflated(case: Case, end: float, ranks: int, field: str) -> None:
    original = run(case, "PCG", end, runs.ORIGINAL, "PCG")
    ours = run(case, "deflatedPCG", end, runs.BOTH, "deflatedPCG")
    far = compare(original, ours, 1e-9)
    assert f"DICdeflatedPCG:  Solving for {field}, Initial residual = " in ours.log
    most = original.iterations[field] * (1 if ranks == 1 else 0.9)  # on one rank it iterates as PCG
    assert ours.iterations[field] <= most, (original.iterations, ours.iterations)
    if ranks > 1:
        assert ours.mean("calls", "isend") < original.mean("calls", "isend"), (original.calls, ours.calls)
        waits = [r.mean("calls", "allreduce", "allgather") for r in (original, ours)]
        assert waits[1] < waits[0] / 3, waits
    print(f"{case.folder.name} on {ranks} ranks: {original.iterations}, {ours.iterations}, {far.largest:.1e}")


def check_stabilized(case: Case, end: float, ranks: int, field: str) -> None:
    original = run(case, "PBiCGStab", end, runs.NUMERICAL, "mergedPCG", "PBiCGStab")
    ours = run(case, "mergedPBiCGStab", end, runs.NUMERICAL, "mergedPCG", "mergedPBiCGStab")
    far = compare(original, ours, 1e-7)
    lines = re.findall(rf"DILUmergedPBiCGStab:  Solving for {field}, .*Final residual = (\S+), No", ours.log)
    assert lines and all(float(value) <= 1e-12 for value in lines), lines
    for name, number in original.iterations.items():
        assert abs(ours.iterations[name] - number) <= max(2, 0.15 * number), (name, number, ours.iterations)
    before, after = (r.mean("calls", "allreduce") for r in (original, ours))
    assert ranks == 1 or after < before, (before, after)
    print(f"{case.folder.name}, stabilized: {original.iterations}, {ours.iterations}, {far.largest:.1e}")


def check_alone(case: Case, end: float, field: str) -> None:
    """On one rank nobody waits, so what stood in the case before solves: all files are the same."""
    original = run(case, "alone", end, runs.ORIGINAL, "PCG")
    ours = run(case, "alone-ours", end, runs.Layer.of("both+asymmetric"), "automaticPCG")
    far = compare(original, ours, 1e-300)
    assert far.equal == far.files >= 3 and ours.iterations == original.iterations, far
    assert "DICautomaticPCG:  Solving for p" in ours.log
    assert f"symGaussSeidelmergedPBiCGStab:  Solving for {field}, " in ours.log
    print(f"{case.folder.name}, alone: {ours.iterations}, {far.equal} files are the same")


LIMITS_OF_SWEEPS = ("", "nSweeps 2; maxIter 3;", "nSweeps -2;", "minIter 30;")


def in_words_of_original(run: runs.Run) -> list[str]:
    return tutorials.solving_lines(run.log.replace("pipelinedSmoothSolver", "smoothSolver"))


def check_smoothed(case: Case, end: float, ranks: int, field: str, limits: str) -> None:
    """The values and the log of smoothSolver; fewer reductions, of which most are beside sweeps."""
    name = re.sub(r"\W+", "-", limits)
    copy = runs.copy_of(case, Path(folder) / f"smoothed-{name}", None)
    tutorials.edit(copy, "system/fvSolution", (r"smoother\s+\w+;", f"smoother symGaussSeidel; {limits}"))
    original = run(copy, f"{name}smoothSolver", end, runs.ORIGINAL, "PCG")
    ours = run(copy, f"{name}pipelinedSmoothSolver", end, runs.Layer.of("smoothers"), "PCG")
    far = compare(original, ours, 1e-300)
    assert far.equal == far.files >= 3 * ranks, far
    assert f"pipelinedSmoothSolver:  Solving for {field}, Initial residual = " in ours.log
    assert in_words_of_original(ours) == in_words_of_original(original)
    before, after = (r.mean("calls", "allreduce") for r in (original, ours))
    beside, more = ours.mean("calls", "sum"), ours.mean("calls", "isend") - original.mean("calls", "isend")
    if ranks == 1 or "nSweeps -" in limits:  # nobody waits
        assert (beside, more) == (0, 0) and after == before, (beside, more, after, before)
    else:
        assert after + beside < before and beside > 0, (before, after, beside)
        assert 0 <= more < 0.05 * original.mean("calls", "isend"), more
    print(f"{case.folder.name} on {ranks} ranks, {limits}: {ours.iterations}, {before:.0f}, {after:.0f}, "
          f"{beside:.0f}, {more:.0f}")


def check_preconditioners(case: Case, end: float) -> None:
    """Those of OpenFOAM, each as with its own gradients."""
    for name in ("FDIC", "diagonal", "none"):
        tutorials.edit(case, "system/fvSolution", (r"preconditioner\s+\w+;", f"preconditioner {name};"))
        original = run(case, f"{name}-PCG", end, runs.ORIGINAL, "PCG")
        for solver in ("mergedPCG", "predictedPCG", "deflatedPCG"):
            ours = run(case, f"{name}-{solver}", end, runs.BOTH, solver)
            far = compare(original, ours, 1e-9)
            assert f"{name}{solver}:  Solving for p, Initial residual = " in ours.log
            if solver != "deflatedPCG":
                assert abs(ours.iterations["p"] - original.iterations["p"]) <= 0.02 * original.iterations["p"]
            print(f"{case.folder.name}, {name}, {solver}: {original.iterations}, {ours.iterations}, "
                  f"{far.largest:.1e}")


MULTIGRID = """PCG;
        preconditioner { preconditioner GAMG; smoother DICGaussSeidel; nVcycles 2; tolerance 1e-6; relTol 0; }
        old"""


def check_multigrid(case: Case, end: float) -> None:
    """As preconditioner it is another map in each iteration, which only plain gradients bear."""
    tutorials.edit(case, "system/fvSolution", (r"PCG;\s*preconditioner", MULTIGRID))
    original = run(case, "GAMGPCG", end, runs.ORIGINAL, "PCG")
    ours = run(case, "GAMGpredictedPCG", end, runs.BOTH, "predictedPCG")
    assert "GAMGpredictedPCG:  Solving for p, " in ours.log
    assert ours.iterations == original.iterations, (ours.iterations, original.iterations)
    far = compare(original, ours, 1e-9)
    assert far.equal == far.files, far
    print(f"{case.folder.name}, multigrid: {original.iterations}, {far.largest:.1e}")


with tempfile.TemporaryDirectory() as folder:
    for make, field, asymmetric in ((tutorials.cavity, "p", "Ux"),
                                    (tutorials.dam_break, "p_rgh", "alpha.water")):
        case, end = make(Path(folder) / make.__name__)
        tighten(case)
        for ranks in (1, 2, 4):
            tutorials.decompose(case, ranks, "hierarchical" if ranks == 4 else "simple")
            check_deflated(case, end / 2, ranks, field)
            if ranks == 1:
                check_alone(case, end / 2, asymmetric)
            for limits in LIMITS_OF_SWEEPS if ranks == 4 else ("",):
                check_smoothed(case, end / 4, ranks, asymmetric, limits)
        check_stabilized(case, end / 2, 4, asymmetric)
        if field == "p":
            check_preconditioners(case, end / 4)
            check_multigrid(case, end / 2)
    case, end = pitz_daily(Path(folder) / "pitz_daily")
    tighten(case)
    tutorials.decompose(case, 2)
    check_stabilized(case, end, 2, "epsilon")
