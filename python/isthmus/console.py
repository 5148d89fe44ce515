# SPDX-License-Identifier: BSD-3-Clause
"""The terminal: one console for results, one for errors, and small formatters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.table import Table

console = Console(highlight=False)
error_console = Console(stderr=True, highlight=False)


@contextmanager
def status(doing: str) -> Iterator[None]:
    """Shows what is being done: a spinner in a terminal, a line elsewhere."""
    if console.is_terminal:
        with console.status(doing):
            yield
    else:
        console.print(doing, markup=False)
        yield


@contextmanager
def quietly() -> Iterator[None]:
    """Nothing is printed to the console of results."""
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before


def print_error(message: str) -> None:
    error_console.print(f"[bold red]error:[/] {escape(message)}", soft_wrap=True)


def print_warning(message: str) -> None:
    error_console.print(f"[bold yellow]warning:[/] {escape(message)}", soft_wrap=True)


def table(title: str, *columns: str, numbers: int = 0) -> Table:
    """A table whose last `numbers` columns are flush right."""
    result = Table(title=title, title_justify="left", title_style="bold", header_style="bold")
    for k, column in enumerate(columns):
        is_number = k >= len(columns) - numbers
        result.add_column(column, justify="right" if is_number else "left", no_wrap=is_number)
    return result


def seconds(value: float | None) -> str:
    """A duration with three digits and a fitting unit."""
    if value is None:
        return "–"
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6), ("ns", 1e9)):
        if abs(value) * factor >= 1:
            return f"{value * factor:.3g} {unit}" if value * factor < 1000 else f"{value:.0f} s"
    return f"{value * 1e6:.3g} µs"


def byte_count(value: float | None) -> str:
    if value is None:
        return "–"
    for unit in ("B", "kB", "MB", "GB"):
        if abs(value) < 1000 or unit == "GB":
            return f"{value:.0f} B" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1000
    return ""


def count(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}"
