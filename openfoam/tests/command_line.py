# SPDX-License-Identifier: BSD-3-Clause
"""What command lines of programs of this folder have in common."""

from __future__ import annotations

import argparse
from pathlib import Path


def parser_of(text: str | None) -> argparse.ArgumentParser:
    """Of a program with this text at its beginning, of which the first line says what it does: it takes
    where our libraries are and the folder of what it keeps."""
    parser = argparse.ArgumentParser(description=(text or "").splitlines()[0])
    parser.add_argument("libraries", type=Path)
    parser.add_argument("folder", type=Path)
    return parser
