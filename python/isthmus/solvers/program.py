# SPDX-License-Identifier: BSD-3-Clause
"""The program of a solver: lines of numbers while it runs, under a line of names, and words at the end."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from isthmus import programs
from isthmus.errors import FAILED, IsthmusError

Line = dict[str, float]


@dataclass
class Run:
    """What a program has printed."""

    program: str
    history: list[Line] = field(default_factory=list)
    words: list[str] = field(default_factory=list)  # lines that are no numbers

    def end(self, pattern: str) -> re.Match[str]:
        """The last words, which must match."""
        last = self.words[-1] if self.words else ""
        found = re.fullmatch(pattern, last)
        if found is None:
            raise IsthmusError(f"{self.program} ended with {last!r}: it is of another version", FAILED)
        return found


def follow(program: str, arguments: list[str], ranks: int, on_line: Callable[[Line], None],
           launcher: list[str] | None = None) -> Run:
    """Runs a solver, by this launcher or the usual one; calls `on_line` with each line of its history. Raises
    IsthmusError with its reason."""
    command = [str(programs.find(program)), *arguments]
    if ranks > 1:
        command = [*(launcher or programs.mpi_launcher()), "-n", str(ranks), *command]
    run = Run(program)
    names: list[str] = []
    with (
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=os.environ | programs.mpi_environment(),
        ) as job,
    ):
        for line in job.stdout or ():
            if line.startswith("---["):  # the log of a coupled run
                print(line, end="", file=sys.stderr)
                continue
            words = line.strip().split(",")
            if not names:
                names = words
            elif len(words) == len(names) and len(names) > 1:
                run.history.append(dict(zip(names, map(float, words), strict=True)))
                on_line(run.history[-1])
            else:
                run.words.append(line.strip())
        code = job.wait()
        errors.seek(0)
        reason = re.search(r"^error: (.*)$", errors.read(), re.MULTILINE)
    if code != 0:
        raise IsthmusError(reason[1] if reason else f"{program} ended with code {code}", FAILED)
    return run


def restart_arguments(restart: Path | None) -> list[str]:
    return ["--restart", str(restart)] if restart else []


def output_folder(case: Path, tables: dict) -> Path | None:
    """[output] folder of a case, beside its file; None: it writes nothing."""
    folder = tables.get("output", {}).get("folder")
    return case.parent / folder if folder else None
