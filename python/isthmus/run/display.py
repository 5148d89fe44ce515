# SPDX-License-Identifier: BSD-3-Clause
"""The participants side by side: a live table in a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Protocol

from rich.live import Live
from rich.markup import escape
from rich.progress_bar import ProgressBar
from rich.table import Table

from isthmus.console import console
from isthmus.run.job import Job, Progress

PLAIN_INTERVAL = 1.0  # seconds between two lines about the same participant


class Display(Protocol):
    def __enter__(self) -> Display: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None: ...

    def update(self, jobs: list[Job]) -> None: ...


def make_display(title: str) -> Display:
    return LiveDisplay(title) if console.is_terminal else PlainDisplay()


def state(job: Job) -> tuple[str, str]:
    """A word and a colour."""
    if job.code is None:
        return "running", "cyan"
    if job.ended_by_us:
        return "ended", "yellow"
    return ("done", "green") if job.code == 0 else (f"failed ({job.code})", "red")


def windows(progress: Progress) -> str:
    if progress.window == 0:
        return "–"
    return f"{progress.window}/{progress.windows}" if progress.windows else str(progress.window)


class NoDisplay:
    """For runs that are one of many."""

    def __enter__(self) -> NoDisplay:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        pass

    def update(self, jobs: list[Job]) -> None:
        pass


class LiveDisplay:
    def __init__(self, title: str):
        self._title = title
        self._live = Live(console=console, refresh_per_second=10)

    def __enter__(self) -> LiveDisplay:
        self._live.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._live.__exit__(kind, error, trace)

    def update(self, jobs: list[Job]) -> None:
        self._live.update(self._table(jobs))

    def _table(self, jobs: list[Job]) -> Table:
        table = Table(title=self._title, title_justify="left", title_style="bold", header_style="bold",
                      expand=True)
        table.add_column("participant", no_wrap=True)
        table.add_column("state", no_wrap=True)
        table.add_column("window", justify="right", no_wrap=True)
        table.add_column("", width=16)
        table.add_column("elapsed", justify="right", no_wrap=True)
        table.add_column("last line", ratio=1, no_wrap=True, overflow="ellipsis")
        for job in jobs:
            word, colour = state(job)
            last = job.last_lines[-1] if job.last_lines else ""
            for name, progress in job.progress.items():
                total = progress.windows or 0
                bar = ProgressBar(total=max(total, 1), completed=progress.window if total else 0, width=16)
                table.add_row(escape(name), f"[{colour}]{word}[/]", windows(progress), bar,
                              f"{job.elapsed:.1f} s", escape(last))
        return table


class PlainDisplay:
    def __init__(self) -> None:
        self._shown: dict[str, tuple[str, str]] = {}
        self._shown_at: dict[str, float] = {}

    def __enter__(self) -> PlainDisplay:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        pass

    def update(self, jobs: list[Job]) -> None:
        now = time.monotonic()
        for job in jobs:
            word, _ = state(job)
            for name, progress in job.progress.items():
                news = (word, windows(progress))
                before = self._shown.get(name)
                soon = now - self._shown_at.get(name, 0.0) < PLAIN_INTERVAL
                if news == before or (soon and before is not None and before[0] == word):
                    continue
                self._shown[name], self._shown_at[name] = news, now
                window = f", window {news[1]}" if news[1] != "–" else ""
                console.print(f"{job.elapsed:7.1f} s  {name}: {word}{window}", markup=False)
