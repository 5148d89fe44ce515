# SPDX-License-Identifier: BSD-3-Clause
"""One started process (a program, or mpirun with its ranks): its log, its progress, its end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from isthmus import programs
from isthmus.errors import IsthmusError
from isthmus.run.case import Case, Program

LAST_LINES = 15
SESSION_FILES = "OMPI_MCA_orte_tmpdir_base"  # where Open MPI 4 has the files of a session
OWN_PROGRESS = re.compile(r"isthmus-progress (\S+) window (\d+)/(\d+|\?)")
LOG_PROGRESS = re.compile(r"time[- ]window:? (\d+)(?: \(of (\d+)\))?", re.IGNORECASE)


@dataclass
class Command:
    """What a job starts and what it stands for."""

    name: str
    argv: list[str]
    directory: Path
    env: dict[str, str]
    participants: list[str]


def commands(case: Case) -> list[Command]:
    """One command per job of the case."""
    if not case.one_job:
        return [_command(case, program) for program in case.programs]
    argv = programs.mpi_launcher()
    for number, program in enumerate(case.programs):
        argv = [*argv, *([":"] if number else []), "-n", str(program.ranks), "-wdir", str(program.directory),
                *with_variables(program)]
    return [Command(case.name, argv, Path.cwd(), case.env, [p.name for p in case.programs])]


def _command(case: Case, program: Program) -> Command:
    argv, env = _resolved(program), case.env | program.env
    if program.ranks > 1 or program.mpi:
        argv = [*programs.mpi_launcher(), "-n", str(program.ranks), *argv]
    else:
        env = {"PYTHONUNBUFFERED": "1"} | env  # mpirun gives its ranks a terminal, which has the same effect
    return Command(program.name, argv, program.directory, env, [program.name])


def with_variables(program: Program) -> list[str]:
    """The command for a launcher that gives all programs the same environment."""
    variables = [f"{key}={value}" for key, value in program.env.items()]
    return [*(["env", *variables] if variables else []), *_resolved(program)]


def _resolved(program: Program) -> list[str]:
    """The command with the place of its program: relative to the directory, of Isthmus, or on PATH."""
    first = program.command[0]
    if "/" in first:
        found = program.directory / first
        if not found.is_file():
            raise IsthmusError(f"participant {program.name}: {found} is not there; does it have to be built?")
        if not os.access(found, os.X_OK):
            raise IsthmusError(f"participant {program.name}: {found} is not a program that can be started")
    else:
        found = programs.look_for(first)
        if found is None:
            raise IsthmusError(f"participant {program.name}: the program {first} is neither part of Isthmus "
                               "nor on PATH")
    return [str(found), *program.command[1:]]


@dataclass
class Progress:
    window: int = 0
    windows: int | None = None


class GrowingLog:
    """A log that a program still writes to, read line by line."""

    def __init__(self, path: Path) -> None:
        self._file = open(path, "rb")  # noqa: SIM115 (closed in close)
        self._rest = b""

    def new_lines(self, complete: bool) -> list[str]:
        """The lines since the last call; what no line end follows only where the log is `complete`."""
        *lines, self._rest = (self._rest + self._file.read()).replace(b"\r", b"\n").split(b"\n")
        if complete and self._rest:
            lines, self._rest = [*lines, self._rest], b""
        return [line.decode(errors="replace").rstrip() for line in lines]

    def close(self) -> None:
        self._file.close()


@dataclass
class Job:
    """A running command. `code` is None while it runs; ended by signal n gives 128 + n."""

    command: Command
    log: Path
    progress: dict[str, Progress] = field(default_factory=dict)
    code: int | None = None
    ended_at: float = 0.0
    ended_by_us: bool = False

    def start(self, something_ended: threading.Event) -> None:
        self.progress = {name: Progress() for name in self.command.participants}
        self.last_lines: deque[str] = deque(maxlen=LAST_LINES)
        self.began_at = time.monotonic()
        self._something_ended = something_ended
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with open(self.log, "wb") as output:
            # Open MPI 4 removes the directory that a user's jobs share where it is empty, and one that begins
            # just then ends with "mkdir: File exists": each program gets its own.
            self._session_files = tempfile.TemporaryDirectory(prefix="isthmus-", ignore_cleanup_errors=True)
            environment = ({SESSION_FILES: self._session_files.name} | os.environ | programs.mpi_environment()
                           | self.command.env)
            try:
                # a session of its own: Ctrl-C reaches us alone, and all descendants can be found
                self._process = subprocess.Popen(
                    self.command.argv, cwd=self.command.directory, env=environment, stdin=subprocess.DEVNULL,
                    stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
            except OSError as error:
                self._session_files.cleanup()
                raise IsthmusError(f"{self.command.name} could not be started: {error}") from error
        self._growing_log = GrowingLog(self.log)
        threading.Thread(target=self._wait, daemon=True).start()

    def _wait(self) -> None:
        code = self._process.wait()
        self.ended_at = time.monotonic()
        self.code = code if code >= 0 else 128 - code
        self._something_ended.set()

    @property
    def elapsed(self) -> float:
        return (self.ended_at if self.code is not None else time.monotonic()) - self.began_at

    def read_log(self) -> None:
        """Takes in what was logged since the last call."""
        for line in self._growing_log.new_lines(complete=self.code is not None):
            if match := OWN_PROGRESS.search(line):
                if match[1] in self.progress:
                    total = None if match[3] == "?" else int(match[3])
                    self.progress[match[1]] = Progress(int(match[2]), total)
                continue
            if (match := LOG_PROGRESS.search(line)) and len(self.progress) == 1:
                name = self.command.participants[0]
                self.progress[name] = Progress(int(match[1]), int(match[2]) if match[2] else None)
            if line:
                self.last_lines.append(line)

    def send(self, number: signal.Signals) -> None:
        """Signals the process group, and with SIGKILL every process of the session."""
        targets = session_members(self._process.pid) if number == signal.SIGKILL else []
        if self.code is None:
            self.ended_by_us = True
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)
        for pid in targets:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def close(self) -> None:
        self._growing_log.close()
        self._session_files.cleanup()


def session_members(session: int) -> list[int]:
    """Processes of a session (mpirun moves its ranks to other groups, the session stays); Linux only."""
    members = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except (OSError, UnicodeDecodeError):
            continue
        if int(fields[3]) == session:
            members.append(int(entry.parent.name))
    return members
