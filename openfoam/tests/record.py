# SPDX-License-Identifier: BSD-3-Clause
"""Records the calls of MPI of cavity or damBreak with the packaged library and with ours, and replays them on
a simulated cluster: record.py LIBRARIES FOLDER CASE REFINED SOLVER RANKS…

CASE: cavity or damBreak; REFINED: how often its cells are divided along each edge; SOLVER in place of PCG.
One line for each number of ranks and layer: microseconds per step, and of them work."""

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import tutorials

from isthmus import programs
from isthmus.openfoam import case as cases
from isthmus.openfoam import runs

TREE = Path(__file__).resolve().parents[2]
STEPS = 5  # of which three are replayed
LIMIT = 1200


def refined(name: str, folder: Path, times: int) -> tuple[cases.Case, float]:
    """The case, meshed, and its time step."""
    path, step = {"cavity": ("incompressible/icoFoam/cavity/cavity", 0.005),
                  "damBreak": ("multiphase/interFoam/laminar/damBreak/damBreak", 0.001)}[name]
    case = tutorials.unpack(path, folder)
    mesh = re.sub(r"\((\d+) (\d+) 1\) simple",
                  lambda n: f"({times * int(n[1])} {times * int(n[2])} 1) simple",
                  case.text("system/blockMeshDict"))
    (folder / "system/blockMeshDict").write_text(mesh, encoding="utf-8")
    tutorials.edit(case, "system/controlDict", (r"deltaT\s+\S+;", f"deltaT {step / times:g};"))
    text = re.sub(r"#sinclude.*|adjustTimeStep.*", "", case.text("system/controlDict"))
    (folder / "system/controlDict").write_text(text, encoding="utf-8")
    tutorials.tool(case, "blockMesh")
    if name == "damBreak":
        tutorials.tool(case, "setFields")
    return case, step / times


def decompose(case: cases.Case, ranks: int) -> None:
    across = 2 ** (ranks.bit_length() // 2)
    while ranks % across:
        across -= 1
    text = tutorials.DECOMPOSE.format(ranks=ranks, method="hierarchical", n=f"{ranks // across} {across} 1")
    (case.folder / "system/decomposeParDict").write_text(text.replace("n (", "order xyz; n ("))
    tutorials.tool(case, "decomposePar", "-force")


def record(copy: cases.Case, layer: runs.Layer, solver: str, libraries: Path) -> Path:
    """The prefix of the files."""
    variables = runs.environment()
    if layer.solvers:
        cases.set_up(copy, solver)
        variables["LD_LIBRARY_PATH"] = runs._solvers_alone(copy.folder, libraries)
    preloaded = [f"{libraries}/libmpi_record.so", *([f"{libraries}/{runs.PSTREAM}"] if layer.pstream else [])]
    prefix = copy.folder.resolve() / "recorded"
    command = [*programs.mpi_launcher(), "-n", str(copy.ranks), "env", f"LD_PRELOAD={':'.join(preloaded)}",
               f"MPI_RECORD={prefix}", copy.application, "-parallel"]
    done = subprocess.run(command, cwd=copy.folder, env=variables, capture_output=True, text=True,
                          check=False, timeout=LIMIT)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-2000:]
    return prefix


def replay(prefix: Path, ranks: int, cores: int, work: float) -> dict[str, str]:
    variables = os.environ | {"ISTHMUS_SIMULATED_SHARED": "1", "ISTHMUS_SIMULATED_CORES": str(cores),
                              "ISTHMUS_SIMULATED_OPTIONS": "smpi/wtime:0 smpi/cpu-threshold:0"}
    program = TREE / "build/smpi/bench/bench_calls"
    command = [str(TREE / "tools/smpirun.sh"), str(ranks), str(program), str(prefix), f"{work:g}"]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False, timeout=LIMIT)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-2000:]
    return next(csv.DictReader(done.stdout.splitlines()))


def main() -> None:
    tutorials.skip_without("icoFoam", "interFoam", "blockMesh", "decomposePar")
    libraries, folder = map(Path, sys.argv[1:3])
    name, times, solver = sys.argv[3], int(sys.argv[4]), sys.argv[5]
    case, step = refined(name, folder / name / "case", times)
    for ranks in map(int, sys.argv[6:]):
        decompose(case, ranks)
        for layer in (runs.ORIGINAL, runs.SUPPORTING, runs.BOTH):
            copy = runs.copy_of(case, folder / name / f"{layer.name}-{ranks}", STEPS * step)
            row = replay(record(copy, layer, solver, libraries), ranks, min(24, ranks), 1)
            print(f"{name}, {ranks} ranks, {layer.name}: {float(row['microseconds']):.0f} us per step, work "
                  f"{float(row['work']):.0f} us", flush=True)


if __name__ == "__main__":
    main()
