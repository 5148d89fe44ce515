# SPDX-License-Identifier: BSD-3-Clause
"""What was measured of one participant, whatever file it was in."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np


@dataclass
class Profile:
    """Of one participant. Times are nanoseconds after the first event of all profiles read together."""

    path: Path
    participant: str
    ranks: int
    mode: str
    paths: list[str] = field(default_factory=list)  # "advance/exchange", …; rows refer to them
    rank: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    phase: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))  # in paths
    begin: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    end: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    notes: list[str] = field(default_factory=list)  # what is missing, and why
