# SPDX-License-Identifier: BSD-3-Clause
"""What programs of this folder have measured, for those that go on with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

SHOWN = 500  # letters of a figure


class Known:
    """Figures by name, kept in a file as they come, so that a command goes on where it was ended."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.figures: dict = json.loads(file.read_text()) if file.is_file() else {}

    def find(self, name: str, measure: Callable[[], object]) -> object:
        """What is known by this name, or what `measure` gives."""
        if name not in self.figures:
            self.figures[name] = measure()
            unfinished = self.file.with_suffix(".part")
            unfinished.write_text(json.dumps(self.figures, indent=1))
            unfinished.rename(self.file)
            print(f"{name}: {str(self.figures[name])[:SHOWN]}", flush=True)
        return self.figures[name]
