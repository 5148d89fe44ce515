# SPDX-License-Identifier: BSD-3-Clause
"""Time measurements of a coupled run: `reading` of its files, `summary`, `chrome` for trace viewers."""

from isthmus.profile.profile import Profile
from isthmus.profile.reading import read_all

__all__ = ["Profile", "read_all"]
