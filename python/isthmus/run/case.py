# SPDX-License-Identifier: BSD-3-Clause
"""What is to be started, and its file.

  name = "heat"                    # default: the name of the file, of its folder for case.toml
  jobs = "separate"                # or "one": a single MPMD mpirun
  out = "out"                      # folder of the logs, relative to this file
  timeout = 600                    # seconds, optional

  [env]                            # for all participants
  OMP_NUM_THREADS = "1"

  [[participant]]
  name = "Fluid"
  command = "./fluid --fast"       # or a list; ./ is relative to the directory
  ranks = 4                        # default 1; more than one are started by mpirun
  mpi = true                       # mpirun even for one rank, default false
  directory = "fluid"              # default: the folder of this file
  env = {THREADS = "2"}
"""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path

from isthmus.errors import IsthmusError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@dataclass
class Program:
    """One participant."""

    name: str
    command: list[str]
    ranks: int = 1
    directory: Path = field(default_factory=Path.cwd)
    mpi: bool = False
    env: dict[str, str] = field(default_factory=dict)


@dataclass
class Case:
    name: str
    programs: list[Program]
    out: Path
    env: dict[str, str] = field(default_factory=dict)
    one_job: bool = False
    timeout: float | None = None


CASE_KEYS = {"name", "jobs", "out", "timeout", "env", "participant"}
PROGRAM_KEYS = {"name", "command", "ranks", "mpi", "directory", "env"}


def read_toml(path: Path) -> dict:
    """The tables of a file; raises IsthmusError with the place and the reason."""
    try:
        return tomllib.loads(path.read_text())
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise IsthmusError(f"{path}: {reason}") from error
    except tomllib.TOMLDecodeError as error:
        raise IsthmusError(f"{path}: {error}") from error


def load(path: Path) -> Case:
    """Reads a case file; raises IsthmusError with the place and the reason."""
    content = read_toml(path)
    reader = _Reader(path)
    reader.only(content, CASE_KEYS, "the case")
    jobs = reader.get(content, "jobs", str, "separate", "the case")
    if jobs not in ("separate", "one"):
        raise reader.error(f'jobs = "{jobs}"; choose "separate" or "one"')
    tables = reader.get(content, "participant", list, [], "the case")
    programs = [reader.program(entry, number) for number, entry in enumerate(tables, 1)]
    if not programs:
        raise reader.error("there is no [[participant]]")
    names = [program.name for program in programs]
    if twice := {name for name in names if names.count(name) > 1}:
        raise reader.error(f"participant {', '.join(sorted(twice))} is there more than once")
    timeout = reader.get(content, "timeout", (int, float), None, "the case")
    if timeout is not None and timeout <= 0:
        raise reader.error(f"timeout = {timeout}; give a number of seconds above 0")
    default_name = path.stem if path.stem != "case" else reader.folder.name
    return Case(
        name=reader.get(content, "name", str, default_name, "the case"),
        programs=programs,
        out=reader.folder / reader.get(content, "out", str, "out", "the case"),
        env=reader.environment(content, "the case"),
        one_job=jobs == "one",
        timeout=timeout,
    )


class _Reader:
    """Takes typed values out of the tables of one file."""

    def __init__(self, path: Path):
        self.path, self.folder = path, path.resolve().parent

    def error(self, text: str) -> IsthmusError:
        return IsthmusError(f"{self.path}: {text}")

    def only(self, content: dict, known: set[str], where: str) -> None:
        if unknown := sorted(content.keys() - known):
            raise self.error(f"{where} has {', '.join(unknown)}, which means nothing; known are "
                             f"{', '.join(sorted(known))}")

    def get(self, content: dict, key: str, kind, default, where: str):
        value = content.get(key, default)
        is_bool_for_number = isinstance(value, bool) and kind is not bool
        if value is not default and (is_bool_for_number or not isinstance(value, kind)):
            kinds = kind if isinstance(kind, tuple) else (kind,)
            wanted = " or ".join(k.__name__ for k in kinds)
            raise self.error(f"{key} of {where} must be {wanted}, not {value!r}")
        return value

    def environment(self, content: dict, where: str) -> dict[str, str]:
        return {name: str(value) for name, value in self.get(content, "env", dict, {}, where).items()}

    def program(self, content: dict, number: int) -> Program:
        name = self.get(content, "name", str, None, f"participant {number}")
        where = f"participant {name or number}"
        self.only(content, PROGRAM_KEYS, where)
        if not name or "/" in name:
            raise self.error(f"participant {number} needs a name without slashes")
        command = self.get(content, "command", (str, list), None, where)
        try:
            words = shlex.split(command) if isinstance(command, str) else list(map(str, command or []))
        except ValueError as error:
            raise self.error(f"{where} has the command {command!r}, which is none: {error}") from None
        if not words:
            raise self.error(f"{where} needs a command")
        ranks = self.get(content, "ranks", int, 1, where)
        if ranks < 1:
            raise self.error(f"{where} has ranks = {ranks}; give at least 1")
        directory = self.folder / self.get(content, "directory", str, ".", where)
        if not directory.is_dir():
            raise self.error(f"{where}: the directory {directory} is not there; does it have to be built?")
        return Program(name, words, ranks, directory, self.get(content, "mpi", bool, False, where),
                       self.environment(content, where))
