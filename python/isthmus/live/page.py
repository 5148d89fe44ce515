# SPDX-License-Identifier: BSD-3-Clause
"""The page: one file with its scripts, styles, and maybe its data."""

from __future__ import annotations

import html
import json
from pathlib import Path

TEMPLATE = Path(__file__).with_name("page.html")


def page(title: str, data: dict | None = None) -> str:
    """Without data it asks for data.json beside it again and again."""
    text = json.dumps(data, allow_nan=False).replace("<", "\\u003c") if data is not None else "null"
    return TEMPLATE.read_text().replace("TITLE", html.escape(title)).replace('"DATA"', text)
