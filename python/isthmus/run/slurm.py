# SPDX-License-Identifier: BSD-3-Clause
"""A case as a job of Slurm: all participants side by side in one job, or a job for each."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Sequence

from isthmus.errors import FAILED, IsthmusError
from isthmus.run.case import Case, Program
from isthmus.run.job import with_variables
from isthmus.run.queue import QueuedJob, cancel
from isthmus.run.supervisor import signals_come_later


def jobs(case: Case, separate: bool) -> dict[str, list[Program]]:
    """Who runs together, by job name."""
    if not separate:
        return {case.name: case.programs}
    return {f"{case.name}-{program.name}": [program] for program in case.programs}


def scripts(case: Case, separate: bool, options: Sequence[str] = ()) -> dict[str, str]:
    """Texts by job name. `options`: further words for #SBATCH, such as --partition=long."""
    return {name: _script(case, programs, options) for name, programs in jobs(case, separate).items()}


def submit(texts: dict[str, str], case: Case, separate: bool, queued: list[QueuedJob]) -> None:
    """Writes the scripts to the folder of logs, takes logs of an earlier run away, and hands the scripts to
    sbatch. All or none are queued, and added to `queued`, one by one."""
    if shutil.which("sbatch") is None:
        raise IsthmusError("there is no sbatch on PATH; without --submit the scripts are printed")
    case.out.mkdir(parents=True, exist_ok=True)
    for name, programs in jobs(case, separate).items():
        path = case.out / f"{name}.sbatch"
        path.write_text(texts[name])
        for program in programs:
            (case.out / f"{program.name}.log").unlink(missing_ok=True)
        words = ["sbatch", "--parsable", f"--output={case.out / name}.slurm.log", str(path)]
        with signals_come_later():  # else there may be a job whose number nobody has read
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode == 0:
                queued.append(QueuedJob(name, done.stdout.strip().partition(";")[0], programs))
        if done.returncode != 0:
            cancel(queued)
            queued.clear()
            raise IsthmusError(f"sbatch refused {path}: {done.stderr.strip()}", FAILED)


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
