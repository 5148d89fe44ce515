# SPDX-License-Identifier: BSD-3-Clause
"""Benchmarks. Each is a module of `coupler`, `kit` or `solvers`, named by what it measures, with a docstring
whose first line is its summary, and a function `measure(context) -> list[Measurement]`; `framework` shows and
stores what it measured, `reference` holds the published and the peers' figures, `isthmus.plot.benchmarks`
draws."""

from importlib import import_module
from types import ModuleType

PACKAGES = {"latency": "coupler", "step": "coupler", "initialization": "coupler", "scale": "coupler",
            "discovery": "kit", "mapping": "coupler", "mappings": "coupler", "candidates": "coupler",
            "remesh": "coupler", "implicit": "coupler", "quasi_newton": "coupler", "access": "coupler",
            "change": "coupler",
            "krylov": "kit", "cavity": "kit", "petsc": "kit", "limiter": "kit", "dam_break": "kit",
            "balance": "kit", "files": "kit", "interface": "kit", "orders": "kit", "halo": "kit",
            "convection": "kit", "particles": "kit", "flow_blocks": "solvers", "flow_files": "solvers",
            "flow": "solvers", "flow_fluxes": "solvers", "flow_peer": "solvers",
            "flow_turbulence": "solvers", "natural_convection": "solvers", "heat_exchange": "solvers",
            "heat_peer": "solvers",
            "openfoam": "solvers", "openfoam_kinds": "solvers", "openfoam_pairs": "solvers",
            "openfoam_tutorials": "solvers", "openfoam_endurance": "solvers", "openfoam_messages": "solvers",
            "openfoam_instructions": "solvers", "free_surface": "solvers",
            "free_surface_peer": "solvers"}
NAMES = tuple(PACKAGES)  # in the order in which `all` runs them

# Names that the command still takes: of the publications that the benchmarks follow.
ALIASES = {"paper1": ("initialization", "scale", "discovery"),
           "paper2": ("krylov", "cavity", "petsc", "limiter", "dam_break", "openfoam", "openfoam_kinds",
                      "openfoam_pairs", "openfoam_tutorials", "openfoam_endurance", "openfoam_messages",
                      "openfoam_instructions"),
           "paper3": ("balance", "flow_blocks", "files", "flow_files", "flow", "flow_fluxes", "flow_peer",
                      "flow_turbulence"),
           "paper4": ("interface", "orders", "halo", "convection", "natural_convection", "heat_exchange",
                      "heat_peer"),
           "paper5": ("particles", "free_surface", "free_surface_peer")}


def benchmark(name: str) -> ModuleType:
    """The module of a benchmark."""
    return import_module(f"isthmus.bench.{PACKAGES[name]}.{name}")


def summary(name: str) -> str:
    """What a benchmark measures, in a line."""
    return (benchmark(name).__doc__ or "").splitlines()[0]
