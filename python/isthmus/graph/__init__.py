# SPDX-License-Identifier: BSD-3-Clause
"""The coupling that a configuration describes, as a plan of boxes and arrows."""

from isthmus.graph.plan import Arrow, Box, Plan, plan

__all__ = ["Arrow", "Box", "Plan", "plan"]
