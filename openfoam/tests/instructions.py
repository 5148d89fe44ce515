# SPDX-License-Identifier: BSD-3-Clause
"""Instructions of a step of damBreak, the tutorial's mesh, on the first of so many ranks, as it is and with
our layers: instructions.py LIBRARIES FOLDER [--ranks 1 4]

Valgrind counts them for that rank, which is slow then and finds at each wait that the others have come. Other
work on the machine changes nothing on one rank; where it keeps the others, what waits for them is counted. A
run of more steps less one of fewer leaves out start and end. Figures are kept in FOLDER/instructions.json."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess

import command_line
import known
import record
import tutorials

from isthmus import programs
from isthmus.openfoam import case as cases
from isthmus.openfoam import runs

WAYS = {"original": ("original", "PCG"), "libPstream.so": ("supporting", "PCG"),
        "both, automaticPCG": ("both", "automaticPCG"), "all, automaticPCG": ("all", "automaticPCG"),
        "all, deflatedPCG": ("all", "deflatedPCG")}
FEW, MANY = 4, 14  # steps
LIMIT = 1800


def counted(log: str) -> int:
    """By callgrind, of the process that it writes of at its end."""
    found = re.findall(r"Collected : (\d+)", log)
    assert len(found) == 1, log[-2000:]
    return int(found[0])


class Instructions:
    def __init__(self, options: argparse.Namespace) -> None:
        self.libraries = options.libraries.resolve()
        self.folder = options.folder / "instructions"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.find = known.Known(options.folder / "instructions.json").find

    def case(self, ranks: int) -> cases.Case:
        """With time steps that stay."""
        folder = self.folder / "case"
        shutil.rmtree(folder, ignore_errors=True)
        case, _ = record.refined("damBreak", folder, 1)
        tutorials.decompose(case, ranks)
        return case

    def of_run(self, case: cases.Case, layer: runs.Layer, solver: str, steps: int) -> int:
        copy = runs.copy_of(case, self.folder / "run", steps * record.STEPS["damBreak"])
        layer.set_up(copy, solver)
        variables = runs.environment_of(layer, copy.folder, self.libraries)
        preloaded = [f"{self.libraries}/{name}" for name in layer.preloaded]
        command = ["env", f"LD_PRELOAD={':'.join(preloaded)}", runs.program(copy.application, self.libraries)]
        log = copy.folder / "callgrind.log"
        watched = ["valgrind", "--tool=callgrind", "--trace-children=yes", "--callgrind-out-file=/dev/null",
                   f"--log-file={log}.%p", *command]
        if copy.ranks > 1:
            watched = [*programs.mpi_launcher(), "-n", "1", *watched, "-parallel", ":", "-n",
                       str(copy.ranks - 1), *command, "-parallel"]
        done = subprocess.run(watched, cwd=copy.folder, env=variables, capture_output=True, text=True,
                              check=False, timeout=LIMIT)
        assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-2000:]
        return counted("".join(path.read_text() for path in copy.folder.glob(f"{log.name}.*")))

    def of_step(self, ranks: int, layer: str, solver: str) -> float:
        case = self.case(ranks)
        few, many = (self.of_run(case, runs.Layer.of(layer), solver, steps) for steps in (FEW, MANY))
        return (many - few) / (MANY - FEW)


def main() -> None:
    parser = command_line.parser_of(__doc__)
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 4])
    tutorials.skip_without("interFoam", "blockMesh", "setFields", "decomposePar", "valgrind")
    options = parser.parse_args()
    instructions = Instructions(options)
    for ranks in options.ranks:
        for way, (layer, solver) in WAYS.items():
            instructions.find(f"{ranks} ranks, {way}",
                              lambda ranks=ranks, layer=layer, solver=solver:
                              instructions.of_step(ranks, layer, solver))


if __name__ == "__main__":
    main()
