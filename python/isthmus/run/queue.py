# SPDX-License-Identifier: BSD-3-Clause
"""Watches over jobs in a Slurm queue: says what becomes of them and of their participants, ends all if one
fails."""

from __future__ import annotations

import re
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from isthmus.console import console
from isthmus.errors import FAILED, INTERRUPTED, OK, IsthmusError
from isthmus.run.case import Program
from isthmus.run.job import LAST_LINES, LOG_PROGRESS
from isthmus.run.supervisor import Terminated, sigterm_raises

POLL = 1.0  # seconds between two looks at the queue
MISSES = 10  # looks in vain until a job is lost: a controller may be busy
SETTLE = 30.0  # for the others of one that has failed: they end with its reason
WAITING = {"PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD", "SUSPENDED"}
GOING = WAITING | {"RUNNING", "COMPLETING", "STAGE_OUT", "SIGNALING", "RESIZING", "STOPPED"}


@dataclass
class QueuedJob:
    """A job that was queued, and the participants that it runs."""

    name: str
    number: str  # of Slurm
    programs: Sequence[Program]
    state: str = "PENDING"
    why: str = ""  # it waits
    code: int = OK  # once it has ended
    misses: int = 0  # looks in vain, one after the other
    said: dict[str, str] = field(default_factory=dict)  # the latest about the job, and about participants

    @property
    def has_ended(self) -> bool:
        return self.state not in GOING

    @property
    def has_failed(self) -> bool:
        return self.has_ended and self.state != "COMPLETED"


def watch(submit: Callable[[], None], jobs: list[QueuedJob], out: Path) -> tuple[int, str]:
    """From `submit`, which adds to `jobs`, until all have ended: an exit code, and why it is not 0. Ends the
    jobs if it is interrupted."""
    try:
        with sigterm_raises():
            submit()
            return _watch(jobs, out)
    except KeyboardInterrupt:
        cancel(jobs)
        return INTERRUPTED, "interrupted; its jobs are cancelled"
    except Terminated:
        cancel(jobs)
        return 128 + signal.SIGTERM, "ended by SIGTERM; its jobs are cancelled"
    except BaseException:
        cancel(jobs)
        raise


def _watch(jobs: list[QueuedJob], out: Path) -> tuple[int, str]:
    began = time.monotonic()
    failed_at = None
    while True:
        for job in jobs:
            _look(job)
            _say(job, out, time.monotonic() - began)
        failed = [job for job in jobs if job.has_failed]
        if all(job.has_ended for job in jobs):
            if not failed:
                return OK, ""
            first = next((job for job in failed if job.state != "CANCELLED"), failed[0])
            return first.code or FAILED, f"job {first.number} ({first.name}) ended as {first.state.lower()}"
        if failed:
            failed_at = failed_at or time.monotonic()
            late = time.monotonic() - failed_at > SETTLE
            cancel([job for job in jobs if job.state in WAITING or late])
        time.sleep(POLL)


def cancel(jobs: Sequence[QueuedJob]) -> None:
    numbers = [job.number for job in jobs if not job.has_ended]
    if numbers:
        subprocess.run(["scancel", *numbers], check=False, capture_output=True)


def last_words(job: QueuedJob, out: Path) -> list[tuple[str, str]]:
    """The end of what its participants have logged, by name."""
    return [(program.name, "\n".join(_lines(out, program)[-LAST_LINES:])) for program in job.programs]


def _look(job: QueuedJob) -> None:
    """At the queue, and at what is known of a job that has left it."""
    if job.has_ended:
        return
    told = _ask("squeue", "--noheader", f"--jobs={job.number}", "--format=%T|%r")
    if told and told.splitlines()[0].partition("|")[0] in GOING:
        job.state, _, job.why = told.splitlines()[0].partition("|")
        return
    record = _ask("scontrol", "--oneliner", "show", "job", job.number)
    state = re.search(r"\bJobState=(\w+)", record)
    code = re.search(r"\bExitCode=(\d+):(\d+)", record)
    job.misses = job.misses + 1 if state is None else 0
    if job.misses > MISSES:
        raise IsthmusError(f"Slurm says nothing of job {job.number} any more, so how it has ended cannot be "
                           "told; see its log", FAILED)
    if state is None:
        return
    job.state, job.why = state[1], ""
    if code is not None:
        job.code = int(code[1]) or (128 + int(code[2]) if code[2] != "0" else OK)
    if job.state == "TIMEOUT":
        job.code = 124
    elif job.state == "CANCELLED":
        job.code = job.code or INTERRUPTED


def _ask(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    except FileNotFoundError as error:
        raise IsthmusError(f"there is no {command[0]} on PATH; --detach queues jobs without watching "
                           "them") from error
    except subprocess.TimeoutExpired:
        return ""  # a busy controller
    return done.stdout.strip() if done.returncode == 0 else ""


def _say(job: QueuedJob, out: Path, elapsed: float) -> None:
    """What is new."""
    why = f", {job.why}" if job.state == "PENDING" and job.why not in ("", "None") else ""
    news = {job.name: f"job {job.number}: {job.state.lower()}{why}"}
    if job.state not in WAITING:
        for program in job.programs:
            windows = [match[1] for line in _lines(out, program) if (match := LOG_PROGRESS.search(line))]
            if windows:
                news[program.name + " "] = f"window {windows[-1]}"
    for name, words in news.items():
        if job.said.get(name) != words:
            job.said[name] = words
            console.print(f"{elapsed:7.1f} s  {name.strip()}: {words}", markup=False)


def _lines(out: Path, program: Program) -> list[str]:
    try:
        with (out / f"{program.name}.log").open("rb") as log:
            log.seek(max(0, log.seek(0, 2) - 20000))
            return log.read().decode(errors="replace").splitlines()
    except OSError:
        return []  # not begun
