# SPDX-License-Identifier: BSD-3-Clause
"""Says how a run ended."""

from __future__ import annotations

from rich.markup import escape
from rich.panel import Panel

from isthmus.console import console, error_console, print_error
from isthmus.run.case import Case
from isthmus.run.supervisor import Outcome


def report(what: Case, outcome: Outcome) -> int:
    """Says how the run ended, with the last words of those that failed; returns the exit code."""
    failed = [(f"{job.command.name}, exit code {job.code}", "\n".join(job.last_lines))
              for job in outcome.failed]
    report_end(what, outcome.code, outcome.reason, outcome.elapsed, failed)
    return outcome.code


def report_end(what: Case, code: int, reason: str, elapsed: float, failed: list[tuple[str, str]]) -> None:
    """`failed`: who, and its last words."""
    if code == 0:
        console.print(f"[green]{escape(what.name)} finished[/] in {elapsed:.1f} s; logs in {what.out}")
        return
    for who, words in failed:
        title = f"last words of {escape(who)}"
        error_console.print(Panel(escape(words or "(nothing was logged)"), title=title, title_align="left",
                                  border_style="red"))
    print_error(f"{what.name}: {reason} after {elapsed:.1f} s; logs in {what.out}")
