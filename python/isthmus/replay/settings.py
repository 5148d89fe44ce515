# SPDX-License-Identifier: BSD-3-Clause
"""What a replay is to do."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from isthmus.mesh.surface import Surface

MAPPINGS = ("nearest-neighbor", "nearest-projection", "rbf-pum-direct", "rbf-global-direct")
SCHEMES = ("parallel-explicit", "serial-explicit")
INITIALIZATIONS = ("rendezvous", "two-level", "one-level")


@dataclass
class Side:
    """One participant: a dummy solver on one mesh."""

    name: str
    surface: Surface
    ranks: int = 1
    mesh: str = ""  # name in the configuration, default <name>-Mesh
    writes: list[str] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.mesh = self.mesh or f"{self.name}-Mesh"


@dataclass
class Mapping:
    """From B to A; and from A to B, conservatively, where something goes back."""

    kind: str = "nearest-projection"
    constraint: str = "consistent"  # of what A reads
    options: str = ""  # further attributes
    basis: str = "compact-polynomial-c6"  # radial basis functions only
    support_radius: float = 0.05


@dataclass
class Coupling:
    """What is exchanged, and how; a configuration that is given says so itself."""

    windows: int = 1
    scheme: str = "parallel-explicit"
    initialization: str | None = None  # None: the library's choice
    transport: str = "sockets"
    scalar: bool = True  # S from B to A
    vector: bool = True  # V from B to A
    back: bool = False  # the vector F from A to B
    config: Path | None = None  # None: one is written


@dataclass
class Launch:
    """How the programs are started."""

    timeout: float | None = 600.0
    env: dict[str, str] = field(default_factory=dict)
    one_job: bool = False  # a single mpirun: the programs line up before each phase


@dataclass
class Settings:
    sides: list[Side]  # A, then B
    out: Path
    name: str = "replay"
    function: str = "cosine"
    method: str = "rcb"  # of dealing the meshes
    deal_vertices: bool = False  # lose the triangles between ranks, as the paper does
    view_files: bool = True  # write VTU and PVTU
    mapping: Mapping = field(default_factory=Mapping)
    coupling: Coupling = field(default_factory=Coupling)
    launch: Launch = field(default_factory=Launch)

    @property
    def dimensions(self) -> int:
        return self.sides[0].surface.points.shape[1]
