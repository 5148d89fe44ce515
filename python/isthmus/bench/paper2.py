# SPDX-License-Identifier: BSD-3-Clause
"""Solvers that hide their reductions, after Lin et al., on simulated clusters, on the cavity, beside PETSc.

Each part is a module of its own: time per iteration and best number of ranks on simulated clusters; accuracy
and preconditioners on the pressure system of the lid-driven cavity; the same system solved by PETSc; the
explicit limiter. The paper's figures are whole runs of another code on another machine: only their ratios
stand beside ours."""

from __future__ import annotations

from importlib import import_module

from isthmus.bench.framework import Context, Measurement

SECTIONS = ("paper2_krylov", "paper2_cavity", "paper2_petsc", "mules", "paper2_dam_break")


def measure(context: Context) -> list[Measurement]:
    return [m for section in SECTIONS for m in import_module(f"isthmus.bench.{section}").measure(context)]
