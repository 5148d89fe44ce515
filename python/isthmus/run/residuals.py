# SPDX-License-Identifier: BSD-3-Clause
"""Residuals of coupled runs while they go on, a row each: a live table in a terminal, lines elsewhere."""

from __future__ import annotations

import time
from pathlib import Path
from types import TracebackType

import numpy as np
from rich.live import Live
from rich.markup import escape
from rich.table import Table

from isthmus import run_logs
from isthmus.console import console
from isthmus.run.display import PLAIN_INTERVAL, NoDisplay
from isthmus.run.job import Job

LEVELS = "▁▂▃▄▅▆▇█"
LARGEST, SMALLEST = 0.0, -8.0  # powers of ten that the levels stand for
SHOWN = 28  # newest iterations: the table fits into 80 columns


def levels(residuals: np.ndarray) -> str:
    """A small picture of residuals on a logarithmic scale."""
    height = (np.log10(np.maximum(residuals, 1e-300)) - SMALLEST) / (LARGEST - SMALLEST)
    steps = np.clip(height * len(LEVELS), 0, len(LEVELS) - 1).astype(int)
    return "".join(LEVELS[step] for step in steps)


class RunResiduals(NoDisplay):
    """Display of one run; its residuals are those of the convergence log that the run writes."""

    def __init__(self, name: str, log: Path, board: Board):
        self.name, self._log, self._board = name, log, board
        self.is_done = False
        self.window = 0
        self.in_window = 0  # iterations
        self.residuals = np.zeros(0)  # of each iteration the largest

    def update(self, jobs: list[Job]) -> None:
        self.is_done = all(job.code is not None for job in jobs)
        if self._log.exists():
            log = run_logs.read(self._log)
            if len(log.values):
                self.window = int(log["TimeWindow"][-1])
                self.in_window = int(np.sum(log["TimeWindow"] == self.window))
                self.residuals = np.max([log[column] for column in log.measured], axis=0)
        self._board.show(self)

    @property
    def newest(self) -> str:
        return f"{self.residuals[-1]:.1e}" if len(self.residuals) else "–"


class Board:
    """All runs of a study, one below the other."""

    def __init__(self, title: str):
        self._title = title
        self._runs: list[RunResiduals] = []
        self._live = Live(console=console, refresh_per_second=10) if console.is_terminal else None
        self._said_at, self._said = 0.0, ""

    def __enter__(self) -> Board:
        if self._live:
            self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self._live:
            self._live.stop()

    def add(self, name: str, log: Path) -> RunResiduals:
        """A row for a run that begins."""
        self._runs.append(RunResiduals(name, log, self))
        return self._runs[-1]

    def show(self, newest: RunResiduals) -> None:
        if self._live:
            self._live.update(self._table())
            return
        words = f"{newest.name}: starts"
        if newest.window > 0:
            words = f"{newest.name}: window {newest.window}, iteration {newest.in_window}, " \
                    f"residual {newest.newest}"
        now = time.monotonic()
        if words != self._said and (newest.is_done or now - self._said_at > PLAIN_INTERVAL):
            console.print(words, markup=False)
            self._said_at, self._said = now, words

    def _table(self) -> Table:
        table = Table(title=self._title, title_justify="left", title_style="bold", header_style="bold")
        table.add_column("acceleration", no_wrap=True, min_width=12)
        for heading in ("window", "iterations", "residual"):
            table.add_column(heading, justify="right", no_wrap=True, min_width=len(heading))
        table.add_column(f"newest, 1e{LARGEST:.0f} to 1e{SMALLEST:.0f}", width=SHOWN)
        for run in self._runs:
            colour = "green" if run.is_done else "cyan"
            table.add_row(escape(run.name), str(run.window), str(len(run.residuals)), run.newest,
                          f"[{colour}]{levels(run.residuals[-SHOWN:])}[/]")
        return table
