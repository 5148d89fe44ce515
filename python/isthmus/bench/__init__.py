# SPDX-License-Identifier: BSD-3-Clause
"""Benchmarks. Each is a module here, named by what it measures, with a docstring whose first line is its
summary, and a function `measure(context) -> list[Measurement]`; `framework` shows and stores what it
measured, `reference` holds the published and the peers' figures, `isthmus.plot.benchmarks` draws."""

NAMES = ("latency", "step", "initialization", "discovery", "mapping", "mappings", "candidates", "remesh",
         "implicit", "quasi_newton", "access", "krylov", "cavity", "petsc", "limiter", "dam_break", "balance",
         "files", "interface", "orders", "halo", "convection", "particles", "flow_blocks", "flow_files",
         "flow")

# Names that the command still takes: of the publications that the benchmarks follow.
ALIASES = {"paper1": ("initialization", "discovery"),
           "paper2": ("krylov", "cavity", "petsc", "limiter", "dam_break"),
           "paper3": ("balance", "flow_blocks", "files", "flow_files", "flow"),
           "paper4": ("interface", "orders", "halo", "convection"),
           "paper5": ("particles",)}
