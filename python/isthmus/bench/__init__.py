# SPDX-License-Identifier: BSD-3-Clause
"""Benchmarks. Each is a module here with a docstring, whose first line is its summary, and a function
`measure(context) -> list[Measurement]`; `framework` shows, stores and draws what it measured, `reference`
holds the published and the peers' figures."""

NAMES = ("paper1", "paper2", "paper3", "paper4", "paper5", "mapping", "mappings", "step", "latency",
         "quasi_newton", "implicit", "access", "remesh")
