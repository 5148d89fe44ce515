# SPDX-License-Identifier: BSD-3-Clause
"""Starts participants as jobs of their own, watches them end, and looks at what they say."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from scenario import Flow, Scenario, Scheme

ROOT = Path(__file__).parents[2]
PROGRAM = os.environ.get("ISTHMUS_FAULT_CASE", str(ROOT / "build/release/tests/faults/isthmus-fault-case"))
TIMEOUT = 20.0  # seconds for a participant to appear
PROGRESS_TIMEOUT = 60.0  # seconds for one that has appeared
LIMIT = 120.0  # seconds in which everybody has ended after a fault: hanging, however busy the machine is
SHORT = {"ISTHMUS_TIMEOUT": "1"}  # where nobody will come


def configuration(pairs: list[tuple[str, str]], windows: int = 50, scheme: str = "parallel-explicit",
                  exports: bool = False, networks: dict[tuple[str, str], str] | None = None) -> str:
    """A participant provides NAME-Mesh and NAME-Data, and reads the data of all its partners. The windows of
    an implicit scheme have 50 iterations. With exports each rank allocates memory in each window; else a step
    allocates nothing. `networks`: the interfaces by which pairs are joined, where that is not lo."""
    schemes, flows = [], []
    for first, second in pairs:
        control = '<max-iterations value="50"/>' if scheme.endswith("implicit") else ""
        network = (networks or {}).get((first, second), "lo")
        schemes.append(Scheme(first, second, scheme, max_windows=windows, control=control, network=network))
        flows += [Flow(one, other, f"{one}-Data") for one, other in ((first, second), (second, first))]
    scenario = Scenario(schemes, flows, head="")
    if exports:
        scenario.inside = dict.fromkeys(scenario.participants(), '<export:csv directory="exports"/>')
    return scenario.xml()


class Job:
    """One participant: a plain process, or mpirun with `ranks` of them."""

    def __init__(self, name: str, arguments: list[str], folder: Path, ranks: int = 1, **options):
        """Options of the process; `environment` is added to this one's, None takes a variable out; `within`:
        words that start a command elsewhere."""
        environment: dict[str, str | None] = options.pop("environment", None) or {}
        within: list[str] = options.pop("within", None) or []
        self.name, self.ranks = name, ranks
        self.log = folder / f"{name}-{time.monotonic_ns()}.log"
        command = [PROGRAM, *arguments]
        if ranks > 1:
            command = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), *command]
        settings = {"ISTHMUS_TIMEOUT": str(TIMEOUT), "ISTHMUS_PATIENCE": str(PROGRESS_TIMEOUT),
                    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                    "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
        with open(self.log, "wb") as log:
            options = {"stdout": log, **options}
            self.process = subprocess.Popen([*within, *command], cwd=folder, stderr=subprocess.STDOUT,
                                            stdin=subprocess.DEVNULL, start_new_session=True,
                                            env=without_none({**os.environ, **settings,
                                                              **environment}),
                                            **options)

    @property
    def text(self) -> str:
        return self.log.read_text(errors="replace")

    def errors(self) -> dict[int, str]:
        """What each rank that caught an error says about it."""
        found = re.findall(rf"^{self.name}:(\d+) error: (.*)$", self.text, re.MULTILINE)
        return {int(rank): text for rank, text in found}

    def rank_processes(self) -> list[int]:
        """Those of the ranks, mpirun left out."""
        return [pid for pid in session(self.process.pid) if program_of(pid) == Path(PROGRAM).name]

    def signal(self, number: int = signal.SIGKILL) -> None:
        """To all processes of the job."""
        for pid in session(self.process.pid):
            send(pid, number)

    def end(self) -> None:
        self.signal(signal.SIGKILL)
        self.process.wait()


def without_none(environment: dict[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if value is not None}


def send(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def stat(pid: int) -> list[str]:
    """Fields of /proc/PID/stat from the state on; empty if there is no such process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def session(leader: int) -> list[int]:
    """Processes of a session that still live."""
    pids = [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]
    fields = {pid: stat(pid) for pid in pids}
    return [pid for pid, f in fields.items() if f and int(f[3]) == leader and f[0] not in "ZX"]


def program_of(pid: int) -> str:
    try:
        return Path(os.readlink(f"/proc/{pid}/exe")).name
    except OSError:
        return ""


class FaultTest(unittest.TestCase):
    """A folder of its own, and no process left behind."""

    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory(prefix="isthmus-faults-")
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.configure([("A", "B")])
        self.began = time.monotonic()

    def configure(self, pairs: list[tuple[str, str]], windows: int = 50, **options) -> None:
        self.pairs = pairs
        (self.folder / "config.xml").write_text(configuration(pairs, windows, **options))

    @property
    def rendezvous(self) -> Path:
        return self.folder / "precice-run"

    def start(self, name: str, *fault: object, ranks: int = 1, config: str = "config.xml", **options) -> Job:
        partners = [o for pair in self.pairs if name in pair for o in pair if o != name]
        arguments = [name, config, ",".join(partners), *map(str, fault)]
        job = Job(name, arguments, self.folder, ranks, **options)
        self.addCleanup(job.end)
        return job

    def wait_until(self, condition, what: str, limit: float = LIMIT) -> None:
        end = time.monotonic() + limit
        while not condition():
            self.assertLess(time.monotonic(), end, f"{what} within {limit} s")
            time.sleep(0.01)

    def wait_for_announcement(self, name: str) -> Path:
        """Of a participant that runs; an earlier one may have left its last word."""
        path = self.rendezvous / f"{name}.isthmus"

        def is_announced() -> bool:
            try:
                entries = dict(line.split(" ", 1) for line in path.read_text().splitlines())
            except OSError:
                return False
            return not entries["last-word"] and bool(stat(int(entries["pid"])))

        self.wait_until(is_announced, f"{name} is announced")
        return path

    def assert_ends(self, *jobs: Job, limit: float = LIMIT) -> None:
        """Every process of the jobs has ended within the limit."""
        end = time.monotonic() + limit
        for job in jobs:
            while job.process.poll() is None or session(job.process.pid):
                if time.monotonic() > end:
                    texts = "\n".join(f"--- {j.name}\n{j.text}" for j in jobs)
                    self.fail(f"{job.name} still runs after {limit} s:\n{texts}")
                time.sleep(0.01)

    def assert_fails(self, job: Job, *patterns: str, ranks: list[int] | None = None) -> None:
        """These ranks (default: all) say an error that matches all patterns."""
        self.assertNotEqual(job.process.returncode, 0, job.text)
        errors = job.errors()
        for rank in range(job.ranks) if ranks is None else ranks:
            self.assertIn(rank, errors, f"{job.name}:{rank} says nothing:\n{job.text}")
            for pattern in patterns:
                self.assertRegex(errors[rank], pattern, job.text)

    def assert_succeeds(self, *jobs: Job) -> None:
        for job in jobs:
            self.assertEqual(job.process.returncode, 0, job.text)
            self.assertEqual(job.text.count(" done\n"), job.ranks, job.text)
