# SPDX-License-Identifier: BSD-3-Clause
"""Isthmus joins parallel simulation codes: Participant couples a solver, isthmus.kit makes one parallel, and
the command `isthmus` runs, checks and draws."""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["Error", "Participant", "get_version_information"]

if TYPE_CHECKING:
    from isthmus.participant import Error, Participant, get_version_information


def __getattr__(name: str) -> Any:
    """Loads the coupler when it is asked for: the command line does without it."""
    if name in __all__:
        import isthmus.participant as coupler

        return getattr(coupler, name)
    raise AttributeError(f"module isthmus has no attribute {name}")
