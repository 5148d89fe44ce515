# SPDX-License-Identifier: BSD-3-Clause
"""Triangulated surfaces: generation and properties."""

from isthmus.mesh.blade import LEVELS, blade
from isthmus.mesh.sheet import sheet
from isthmus.mesh.surface import Quality, Surface, quality

__all__ = ["LEVELS", "Quality", "Surface", "blade", "quality", "sheet"]
