# SPDX-License-Identifier: BSD-3-Clause
"""A case as a job of Slurm: all participants side by side in one job, or a job for each."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from isthmus.errors import FAILED, IsthmusError
from isthmus.run.case import Case, Program
from isthmus.run.job import with_variables


def scripts(case: Case, separate: bool, options: Sequence[str] = ()) -> dict[str, str]:
    """Texts by job name. `options`: further words for #SBATCH, such as --partition=long."""
    if not separate:
        return {case.name: _script(case, case.programs, options)}
    return {f"{case.name}-{program.name}": _script(case, [program], options) for program in case.programs}


def submit(texts: dict[str, str], out: Path) -> list[str]:
    """Writes the scripts to `out` and hands them to sbatch; what it answers. All or none are queued."""
    if shutil.which("sbatch") is None:
        raise IsthmusError("there is no sbatch on PATH; without --submit the scripts are printed")
    out.mkdir(parents=True, exist_ok=True)
    answers: list[str] = []
    for name, text in texts.items():
        path = out / f"{name}.sbatch"
        path.write_text(text)
        done = subprocess.run(["sbatch", "--parsable", str(path)], capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            for number in answers:
                subprocess.run(["scancel", number], check=False)
            raise IsthmusError(f"sbatch refused {path}: {done.stderr.strip()}", FAILED)
        answers.append(done.stdout.strip().partition(";")[0])
    return answers


def _script(case: Case, programs: Sequence[Program], options: Sequence[str]) -> str:
    whole = len(programs) == len(case.programs)
    name = case.name if whole else f"{case.name}-{programs[0].name}"
    lines = ["#!/bin/bash", f"#SBATCH --job-name={name}",
             f"#SBATCH --ntasks={sum(program.ranks for program in programs)}"]
    if case.timeout is not None:
        lines.append(f"#SBATCH --time={max(1, round(case.timeout / 60))}")  # minutes
    lines += [f"#SBATCH {option}" for option in options]
    lines += ["set -u", f"mkdir -p {shlex.quote(str(case.out))}"]
    lines += [f"export {key}={shlex.quote(value)}" for key, value in case.env.items()]
    if not whole:  # the others may wait in the queue for long
        lines.append('export ISTHMUS_TIMEOUT="${ISTHMUS_TIMEOUT:-86400}"')
    lines += ["pids=()"]
    for program in programs:
        lines += [_step(case, program), "pids+=($!)"]
    # a participant that fails ends the others with its reason, so that all of these waits end
    lines += ["code=0", 'for pid in "${pids[@]}"; do', '  wait "$pid" || code=$?', "done", 'exit "$code"', ""]
    return "\n".join(lines)


def _step(case: Case, program: Program) -> str:
    argv = ["srun", "--exact", f"--ntasks={program.ranks}", f"--chdir={program.directory}",
            f"--output={case.out / (program.name + '.log')}", *with_variables(program)]
    return f"{shlex.join(argv)} &"
