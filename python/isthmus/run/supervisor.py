# SPDX-License-Identifier: BSD-3-Clause
"""Starts the jobs of a case, watches over them and ends all of them together."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from isthmus.errors import INTERRUPTED, OK, TIME_LIMIT
from isthmus.run.case import Case
from isthmus.run.display import Display, make_display
from isthmus.run.job import Job, commands

REFRESH = 0.1  # seconds between looks at the logs
SETTLE = 0.4  # after a failure, for others that fail by themselves: their words may hold the cause
GRACE = 3.0  # between SIGTERM and SIGKILL


@dataclass
class Outcome:
    code: int
    reason: str  # empty on success
    failed: list[Job]  # that failed by themselves, in the order of their ends
    elapsed: float


class Terminated(BaseException):
    """We were asked to end by SIGTERM."""


def run(case: Case, timeout: float | None = None, display: Display | None = None) -> Outcome:
    """Runs the case to its end; never leaves a process behind."""
    limit = timeout if timeout is not None else case.timeout
    something_ended = threading.Event()
    jobs = [Job(command, case.out / f"{command.name}.log") for command in commands(case)]
    display = display or make_display(case.name)
    started: list[Job] = []
    began = time.monotonic()
    reason, code = "", OK
    with display, sigterm_raises():
        try:
            for job in jobs:
                with signals_come_later():
                    job.start(something_ended)
                    started.append(job)
            deadline = None if limit is None else began + limit
            reason, code = _watch(started, something_ended, deadline, display, limit)
        except KeyboardInterrupt:
            reason, code = "interrupted", INTERRUPTED
        except Terminated:
            reason, code = "ended by SIGTERM", 128 + signal.SIGTERM
        finally:
            _end(started)
            for job in started:
                job.read_log()
                job.close()
            display.update(started)
    failed = sorted((j for j in started if j.code and not j.ended_by_us), key=lambda j: j.ended_at)
    return Outcome(code, reason, failed, time.monotonic() - began)


def _watch(jobs: list[Job], something_ended: threading.Event, deadline: float | None, display: Display,
           limit: float | None) -> tuple[str, int]:
    """Until all are done (empty reason), one fails, or the time is up."""
    while True:
        something_ended.wait(REFRESH)
        something_ended.clear()
        ended = [job for job in jobs if job.code is not None]
        for job in jobs:
            job.read_log()
        display.update(jobs)
        if failed := [job for job in ended if job.code != 0]:
            first = min(failed, key=lambda job: job.ended_at)
            _wait_for(jobs, SETTLE)
            return f"{first.command.name} failed with exit code {first.code}", first.code or 1
        if len(ended) == len(jobs):
            return "", OK
        if deadline is not None and time.monotonic() > deadline:
            return f"the time limit of {limit:g} s was reached", TIME_LIMIT


def _wait_for(jobs: list[Job], limit: float) -> bool:
    """Whether all jobs ended within the limit (seconds)."""
    end = time.monotonic() + limit
    while any(job.code is None for job in jobs):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def _end(jobs: list[Job]) -> None:
    """SIGTERM to those that still run, then SIGKILL to whatever is left of all of them."""
    running = [job for job in jobs if job.code is None]
    for job in running:
        job.send(signal.SIGTERM)
    _wait_for(running, GRACE)
    for job in jobs:
        job.send(signal.SIGKILL)
    _wait_for(running, GRACE)


@contextmanager
def sigterm_raises() -> Iterator[None]:
    def on_signal(number: int, frame: object) -> None:
        raise Terminated

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, on_signal)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def signals_come_later() -> Iterator[None]:
    """Ctrl-C and SIGTERM act at the end of the block: what was started in it is known to who ends all."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    arrived: list[int] = []
    before = {number: signal.signal(number, lambda number, frame: arrived.append(number))
              for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in arrived:
            signal.raise_signal(number)
