# SPDX-License-Identifier: BSD-3-Clause
"""The programs with our limiter on the cases of those that they are named after: the same bytes and the same
log, no exchange of sizes, fewer messages where there is nothing to limit, and in damBreak fewer reductions:
limiter_test.py LIBRARIES."""

import os
import sys
import tempfile
from pathlib import Path

import tutorials

from isthmus.openfoam import fields, runs
from isthmus.openfoam.case import SOLVERS, Case

libraries = Path(sys.argv[1]).resolve()
os.environ["PATH"] = f"{libraries.parent / 'bin'}:{os.environ['PATH']}"
tutorials.skip_without("interFoam", "interPhaseChangeFoam", "isthmusInterFoam", "isthmusInterPhaseChangeFoam",
                       "blockMesh", "setFields", "decomposePar", "potentialFoam")
SMALL = "(6 6 20)"


def cavitation(folder: Path) -> tuple[Case, float]:
    """The channel of cavitatingBullet, with vapour in a part of it in place of the bullet."""
    case = tutorials.unpack("multiphase/interPhaseChangeFoam/cavitatingBullet", folder)
    tutorials.edit(case, "system/blockMeshDict", (r"\(15 15 50\)", SMALL))
    for path in (case.folder / "0").iterdir():
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("bullet", "unused"), encoding="utf-8")
    tutorials.tool(case, "blockMesh")
    with (case.folder / "system/setFieldsDict").open("w", encoding="utf-8") as out:
        out.write("FoamFile { version 2.0; format ascii; class dictionary; object setFieldsDict; }\n"
                  "regions ( boxToCell { box (-1 -1 0.02) (1 0 0.06); "
                  "fieldValues ( volScalarFieldValue alpha.water 0.1 ); } );\n")
    tutorials.tool(case, "setFields")
    return case, 1e-7


def check(original: runs.Run, ours: runs.Run, ranks: int, spared: int) -> None:
    """With so many reductions fewer in a step: of averages, whose weights are added up with the values."""
    far = fields.compare(original.folder, ours.folder)
    assert far is not None and far.files >= 3 * ranks and far.equal == far.files, far
    assert tutorials.solving_lines(ours.log) == tutorials.solving_lines(original.log)
    assert "MULES: " in ours.log
    if ranks > 1:
        before, after = ([run.mean("calls", kind) / run.steps for kind in ("alltoall", "isend", "allreduce")]
                         for run in (original, ours))
        assert before[0] > 4 and after[0] < 1, (before, after)
        assert after[1] <= before[1], (before, after)
        assert spared <= before[2] - after[2] <= 1.1 * spared, (before, after)  # and some at the start
        print(f"{ranks} ranks: sizes, messages, reductions per step {before} before, {after} after")


with tempfile.TemporaryDirectory() as name:
    for make, program, spared in ((tutorials.dam_break, "isthmusInterFoam", 8),
                                  (cavitation, "isthmusInterPhaseChangeFoam", 0)):
        case, end = make(Path(name) / make.__name__)
        for ranks in (1, 2, 4):
            tutorials.decompose(case, ranks)

            def run(application: str | None, case=case, end=end) -> runs.Run:
                copy = runs.copy_of(case, Path(name) / "runs" / (application or "original"), end)
                if application is not None:
                    with (copy.folder / "system/controlDict").open("a", encoding="utf-8") as control:
                        control.write(f"application {application};\n")
                return runs.run(copy, runs.ORIGINAL, SOLVERS[0], libraries, 600)

            check(run(None), run(program), ranks, spared)
