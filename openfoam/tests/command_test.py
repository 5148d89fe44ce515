# SPDX-License-Identifier: BSD-3-Clause
"""What a user types: `isthmus openfoam CASE --set-up`, what that says to type, and --undo, after which the
dictionaries are what they were, byte by byte; and the errors of what does not fit.
command_test.py LIBRARIES"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import tutorials

from isthmus.openfoam import runs

tutorials.skip_without("interFoam", "icoFoam", "blockMesh", "setFields", "decomposePar")
libraries = Path(sys.argv[1])
ENVIRONMENT = runs.environment() | {"ISTHMUS_OPENFOAM": str(libraries), "COLUMNS": "1000",
                                    "PYTHONPATH": str(Path(__file__).resolve().parents[2] / "python")}


def isthmus(*arguments: object, code: int = 0) -> str:
    command = [sys.executable, "-m", "isthmus", "openfoam", *map(str, arguments)]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == code, f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}"
    return " ".join((done.stdout + done.stderr).split()) if code else done.stdout


def type_in(folder: Path, *lines: str, code: int = 0) -> str:
    done = subprocess.run(["bash", "-e", "-c", "\n".join(lines)], cwd=folder, env=ENVIRONMENT,
                          capture_output=True, text=True, check=False, timeout=600)
    assert (done.returncode != 0) == (code != 0), f"{lines}:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout + done.stderr


def contents(folder: Path) -> dict[str, bytes]:
    paths = [path for place in ("system", "constant") for path in (folder / place).rglob("*")]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths if path.is_file()}


def contains(text: str, *parts: str) -> None:
    for part in parts:
        assert part in " ".join(text.split()), f"no {part!r} in: {text[-3000:]}"


def lines_of(said: str) -> list[str]:
    """What --set-up says to type, with the options of mpirun that tests need."""
    typed = re.findall(r"^  (export .*|mpirun .*)$", said, re.MULTILINE)
    assert len(typed) == 2, said
    return [typed[0], typed[1].replace("mpirun -n 4", " ".join([*runs.programs.mpi_launcher(), "-n 4"]))]


with tempfile.TemporaryDirectory() as name:
    case, _ = tutorials.dam_break(Path(name) / "damBreak")
    folder = case.folder
    tutorials.edit(case, "system/controlDict", (r"endTime\s+1;", "endTime 0.005;"))
    tutorials.decompose(case, 4)
    before = contents(folder)
    said = isthmus(folder, "--set-up", "--solver", "predictedPCG")
    typed = lines_of(said)
    launched = typed[1]
    changed = {path for path, text in contents(folder).items() if text != before[path]}
    assert changed == {"system/controlDict", "system/fvSolution"}, changed
    log = type_in(folder, typed[0], launched)
    contains(log, "DICpredictedPCG: Solving for p_rgh")
    log = type_in(folder, launched, code=1)  # without the line that exports
    contains(log, "libisthmusSolvers.so", "predictedPCG")
    contains(isthmus(folder, "--undo"), "2 entries of", "are as before")
    assert contents(folder) == before
    contains(isthmus(folder, "--undo"), "0 entries")
    assert contents(folder) == before
    log = type_in(folder, typed[0], launched)
    assert "predictedPCG" not in log and "DICPCG:  Solving for p_rgh" in log

    said = isthmus(folder, "--set-up", "--layers", "all", "--solver", "deflatedPCG")
    contains(said, "solvers of", "its program is isthmusInterFoam", "libPstream.so:")
    log = type_in(folder, *lines_of(said))
    contains(log, "Exec : ", "isthmusInterFoam", "DICdeflatedPCG: Solving for p_rgh",
             "DILUmergedPBiCGStab: Solving for alpha.water")
    isthmus(folder, "--undo")
    assert contents(folder) == before

    out = Path(name) / "out"
    shown = isthmus(folder, "--end-time", 0.004, "--out", out, "--layers", "original", "supporting",
                    "limiter+schemes", "all", "--solver", "mergedPCG")
    contains(shown, "limiter+schemes: largest difference", "all: largest difference")
    shown = isthmus(folder, "--end-time", 0.004, "--out", out, "--solver", "mergedPCG")
    contains(shown, "exchanges of sizes", "supporting: all", "byte by byte", "both: largest difference")
    for row in ("messages", "bytes of messages", "reductions waited for", "waits for messages",
                "time in waits", "time in reductions", "whole run", "iterations"):
        assert re.search(rf"^\W*{row}(\W+[\d.,]+[^\n\d]*){{3}}", shown, re.MULTILINE), (row, shown)
    assert contents(folder) == before

    contains(isthmus(folder, "--layers", "multigrid", code=2), "there is no layer multigrid; take supporting")

    other = libraries.parent / "tests/libopenfoam_other_version.so"
    cavity, _ = tutorials.cavity(Path(name) / "cavity")
    tutorials.decompose(cavity, 2)
    preloaded = f"env LD_PRELOAD={other}:{libraries}/libPstream.so icoFoam -parallel"
    log = type_in(cavity.folder, f"{' '.join(runs.programs.mpi_launcher())} -n 2 {preloaded}", code=1)
    contains(log, "was built for OpenFOAM 1912, but the program is of 2006", "(openfoam/setup.sh)")

    cavity.write("system/controlDict", cavity.text("system/controlDict") + 'libs ("libisthmusSolvers.so");\n')
    tutorials.edit(cavity, "system/fvSolution", (r"solver\s+PCG;", "solver predictedPCG;"))
    log = type_in(cavity.folder, f"LD_LIBRARY_PATH={libraries} LD_PRELOAD={other} icoFoam", code=1)
    contains(log, "this libisthmusSolvers.so was built for OpenFOAM 1912, but the program is of 2006",
             "(openfoam/setup.sh)")
    log = type_in(cavity.folder, f"env LD_PRELOAD={libraries}/libPstream.so icoFoam -parallel", code=1)
    contains(log, "-parallel asks for several ranks, but there is one", "mpirun -n 2 icoFoam -parallel")

    boundary = cavity.folder / "processor1/constant/polyMesh/boundary"
    boundary.write_text(re.sub(r"(procBoundary1to0[^}]*nFaces\s+)\d+", r"\g<1>19", boundary.read_text()))
    contains(isthmus(cavity.folder, "--out", out, code=2), "has 20 faces to processor1, which has 19",
             "type decomposePar -force")

    empty = Path(name) / "empty"
    empty.mkdir()
    ENVIRONMENT["ISTHMUS_OPENFOAM"] = str(empty)
    contains(isthmus(folder, code=2), "has no libPstream.so of ours", "type openfoam/setup.sh && make build")
    print("what is set up is undone; every error says what to type")
