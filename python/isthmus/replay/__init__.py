# SPDX-License-Identifier: BSD-3-Clause
"""Couples two meshes through dummy solvers, and compares what arrives with the analytic function.

`settings` what is wanted, `coupling` the configuration, `runner` the run itself, `result` what came of it.
"""

from isthmus.replay.result import Errors, Result, SideResult
from isthmus.replay.runner import replay
from isthmus.replay.settings import Coupling, Launch, Mapping, Settings, Side

__all__ = ["Coupling", "Errors", "Launch", "Mapping", "Result", "Settings", "Side", "SideResult", "replay"]
