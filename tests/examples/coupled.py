# SPDX-License-Identifier: BSD-3-Clause
"""Runs the participants of an example in a folder of their own and reads what they leave behind."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PROGRAMS = Path(sys.argv[1]).resolve()  # folder of the build of all examples
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n"]
ENVIRONMENT = os.environ | {"OMPI_MCA_mpi_yield_when_idle": "1"}
LIMIT = 300  # seconds for one run: hanging, however busy the machine is


class Run:
    """One coupled run. `changes` are pairs of a pattern that must be in the configuration and what takes its
    place; a participant is (ranks, program, argument…), where CONFIG stands for the configuration."""

    def __init__(self, example: str, changes: list[tuple[str, str]], *participants: tuple):
        text = (EXAMPLES / example / "config.xml").read_text()
        for pattern, new in changes:
            text, found = re.subn(pattern, new, text, flags=re.DOTALL)
            assert found, f"{example}: nothing in the configuration is like {pattern}"
        with tempfile.TemporaryDirectory() as folder:
            self._folder = Path(folder)
            (self._folder / "config.xml").write_text(text)
            jobs = [self._start(example, *participant) for participant in participants]
            self.output = "".join(job.communicate(timeout=LIMIT)[0] for job in jobs)
            assert not any(job.returncode for job in jobs), self.output
            self.iterations = {}
            for log in self._folder.glob("precice-*-iterations.log"):
                rows = [line.split() for line in log.read_text().splitlines()[1:]]
                self.iterations[log.name.split("-iterations")[0][8:]] = [int(row[2]) for row in rows]

    def _start(self, example: str, ranks: int, program: str, *arguments: object) -> subprocess.Popen:
        words = ["config.xml" if word == "CONFIG" else str(word) for word in arguments]
        launcher = [*MPIRUN, str(ranks)] if ranks > 1 else []
        command = [*launcher, PROGRAMS / example / program, *words]
        return subprocess.Popen(command, cwd=self._folder, env=ENVIRONMENT, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)

    def number(self, pattern: str) -> float:
        """What the output says where `pattern` stands before a number."""
        found = re.search(pattern + r"\s*(-?[\d.]+(e[-+]\d+)?)", self.output)
        assert found, f"no {pattern} in:\n{self.output}"
        return float(found[1])
