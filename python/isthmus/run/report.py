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
    name = escape(what.name)
    if outcome.code == 0:
        console.print(f"[green]{name} finished[/] in {outcome.elapsed:.1f} s; logs in {what.out}")
        return 0
    for job in outcome.failed:
        words = "\n".join(job.last_lines) or "(nothing was logged)"
        title = f"last words of {escape(job.command.name)}, exit code {job.code}"
        error_console.print(Panel(escape(words), title=title, title_align="left", border_style="red"))
    print_error(f"{what.name}: {outcome.reason} after {outcome.elapsed:.1f} s; logs in {what.out}")
    return outcome.code
