# SPDX-License-Identifier: BSD-3-Clause
"""Isthmus joins parallel simulation codes; this package is its command line and its tools."""

__version__ = "0.1.0"
