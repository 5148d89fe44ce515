# SPDX-License-Identifier: BSD-3-Clause
"""Runs a case of OpenFOAM as it is and with our libraries, side by side on copies, and shows what they gave:
calls, messages, bytes and waiting by kind, times, iterations, and how far the fields differ. With --set-up
and --undo it changes the case itself, and says what to type."""

from __future__ import annotations

import argparse
from pathlib import Path

from isthmus.console import byte_count, console, seconds, status, table
from isthmus.errors import OK
from isthmus.openfoam import case as cases
from isthmus.openfoam import fields, runs

ROWS = (  # of the table: what is counted, and the kinds that make it up
    ("messages", "calls", ("send", "isend")),
    ("bytes of messages", "bytes", ("send", "isend")),
    ("exchanges of sizes", "calls", ("alltoall",)),
    ("reductions waited for", "calls", ("allreduce", "allgather")),
    ("reductions beside work", "calls", ("sum",)),
    ("their messages", "calls", ("sum message",)),
    ("waits for messages", "calls", ("wait", "receive", "probe")),
    ("time in waits", "seconds", ("wait", "receive", "probe")),
    ("time in reductions", "seconds", ("allreduce", "allgather")),
    ("time in tests", "seconds", ("test",)),
    ("time in size exchanges", "seconds", ("alltoall",)),
)
FORMATS = {"calls": "{:,.1f}".format, "bytes": byte_count, "seconds": seconds}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("case", type=Path, help="folder of the case; decomposed for runs on several ranks")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--set-up", action="store_true",
                      help="write the names of our solvers, and of our program, into controlDict and "
                           "fvSolution")
    what.add_argument("--undo", action="store_true", help="give controlDict and fvSolution back as they were")
    parser.add_argument("--solver", choices=cases.SOLVERS, default="automaticPCG",
                        help="solver that takes the place of PCG (default automaticPCG)")
    parser.add_argument("--layers", nargs="+", metavar="LAYER",
                        help="what runs, one run for each, or what is set up: original, supporting "
                             "(libPstream.so), "
                             "numerical (a solver in place of PCG), asymmetric (mergedPBiCGStab in place of "
                             "PBiCGStab, PBiCG and smoothSolver), smoothers (pipelinedSmoothSolver in "
                             "place of smoothSolver, with its values), limiter (isthmusInterFoam in place of "
                             "interFoam), schemes (libisthmusSchemes.so), both (the first two), all (but "
                             "smoothers), close (all with smoothers in place of asymmetric); with + between, "
                             "several in one run (default: original supporting both)")
    parser.add_argument("--end-time", type=float, metavar="T",
                        help="time at which the copies end and write")
    parser.add_argument("--limit", type=float, default=3600, metavar="S",
                        help="seconds for each run (default 3600)")
    parser.add_argument("--out", type=Path, default=Path("out/openfoam"), metavar="DIR",
                        help="folder of the copies (default out/openfoam)")


def execute(options: argparse.Namespace) -> int:
    case = cases.Case(options.case)
    if options.undo:
        console.print(f"{cases.undo(case)} entries of {options.case} are as before; the rest is as it was")
        return OK
    ours = runs.libraries()
    if options.set_up:
        return _set_up(case, runs.Layer.of("+".join(["supporting", *(options.layers or ["numerical"])])),
                       options.solver, ours)
    case.check_patches()
    found = {}
    for name in options.layers or ["original", "supporting", "both"]:
        layer = runs.Layer.of(name)
        copy = runs.copy_of(case, options.out / layer.name, options.end_time)
        layer = layer.fitting(copy)
        name = copy.application
        runs.check_program(cases.LIMITED.get(name, name) if layer.limiter else name, ours)
        with status(f"{case.application} on {copy.ranks} ranks: {layer.name}"):
            found[layer.name] = runs.run(copy, layer, options.solver, ours, options.limit)
    _show(case, found)
    return _show_fields(found)


def _set_up(case: cases.Case, layer: runs.Layer, solver: str, ours: Path) -> int:
    cases.undo(case)
    layer = layer.fitting(case)
    number = layer.set_up(case, solver)
    runs.check_program(case.application, ours)
    said = [f"{number} solvers of {case.folder} are ours now"] if number > 0 else []
    if layer.limiter:
        said.append(f"its program is {case.application}")
    lines = [f"  export LD_LIBRARY_PATH={ours}:$LD_LIBRARY_PATH"] if number > 0 else []
    start = f"mpirun -n {case.ranks} " if case.ranks > 1 else ""
    parallel = " -parallel" if case.ranks > 1 else ""
    preloaded = ":".join(str(ours / name) for name in layer.preloaded)
    lines.append(f"  {start}env LD_PRELOAD={preloaded} {runs.program(case.application, ours)}{parallel}")
    console.print(f"{'; '.join(said) or 'Nothing was changed'}. Type\n" + "\n".join(lines) +
                  "\nand to go back: isthmus openfoam CASE --undo", soft_wrap=True, markup=False)
    return OK


def _show(case: cases.Case, found: dict[str, runs.Run]) -> None:
    columns = list(found)
    one = next(iter(found.values()))
    title = f"{case.application} on {case.ranks} ranks, {one.steps} steps; per step, mean of the ranks"
    result = table(title, "", *columns, numbers=len(columns))
    for name, what, kinds in ROWS:
        values = [run.mean(what, *kinds) / run.steps for run in found.values()]
        if any(values):
            result.add_row(name, *map(FORMATS[what], values))
    result.add_row("whole run", *(seconds(run.seconds) for run in found.values()))
    result.add_row("iterations", *(f"{sum(run.iterations.values()):,}" for run in found.values()))
    console.print(result)


def _show_fields(found: dict[str, runs.Run]) -> int:
    names = list(found)
    for name in names[1:]:
        far = fields.compare(found[names[0]].folder, found[name].folder)
        if far is None:
            console.print(f"{name}: no fields were written that could be compared; give --end-time")
        elif far.equal == far.files:
            console.print(f"{name}: all {far.files} files of time {far.time} are those of {names[0]}, "
                          "byte by byte", soft_wrap=True)
        else:
            console.print(f"{name}: largest difference to {names[0]} at time {far.time} {far.largest:.1e} of "
                          f"the field's largest value, in {far.where}", soft_wrap=True)
    return OK
