# SPDX-License-Identifier: BSD-3-Clause
"""A coupled run as plain data, and the plan of what play_random does in each participant (plan.hpp)."""

from dataclasses import dataclass, field

import numpy as np
from configuration import text, written

RANKS = 8  # of the job in which cases are played


@dataclass
class Mesh:
    """Elements are groups of `corners` vertices of their own, each on one rank, so that what is mapped does
    not depend on how many there are."""

    name: str
    owner: str
    dim: int
    corners: int  # of an element; 1: vertices only
    points: np.ndarray  # (vertices, dim)
    place: np.ndarray  # of each element, in [0, 1): on which rank
    order: np.ndarray  # of each element: among those of its rank
    # of a mesh that only the solver knows: how it reads and writes the received mesh at these places
    access: str = ""  # direct: its vertices, just-in-time: anywhere
    received: str = ""
    everywhere: bool = False  # the region of each rank is all of it
    resets: list = field(default_factory=list)  # Reset, in the order of their windows

    def regions(self, ranks, vertices):
        """Of each rank: around its places, and a vertex; far away where there are none."""
        for piece in self.pieces(ranks):
            places = self.points[piece]
            if self.everywhere:
                places = np.vstack([self.points, vertices, np.full(self.dim, -4), np.full(self.dim, 5)])
            elif len(places):
                middle = (places.min(axis=0) + places.max(axis=0)) / 2
                near = np.linalg.norm(vertices - middle, axis=1).argmin()
                places = np.vstack([places, vertices[near]])
            else:
                places = np.full((1, self.dim), 9.0)
            yield np.stack([places.min(axis=0), places.max(axis=0)], axis=1).ravel()

    def drop(self, keep):
        """Only some elements."""
        vertices = (keep[:, None] * self.corners + np.arange(self.corners)).ravel()
        self.points, self.place, self.order = self.points[vertices], self.place[keep], self.order[keep]

    def version(self, windows):
        """After so many of them."""
        return sum(reset.windows <= windows for reset in self.resets)

    def at(self, version):
        return self.resets[version - 1].mesh if version else self

    def outside(self, places):
        """Of each vertex: whether the place of its element is not in there."""
        return np.repeat((self.place < places[0]) | (self.place >= places[1]), self.corners)

    def pieces(self, ranks):
        """Positions of the vertices of each rank, in the order in which it defines them."""
        rank = np.minimum((self.place * ranks).astype(int), ranks - 1)
        result = []
        for r in range(ranks):
            mine = np.flatnonzero(rank == r)
            mine = mine[np.argsort(self.order[mine])]
            result.append((mine[:, None] * self.corners + np.arange(self.corners)).ravel())
        return result


@dataclass
class Reset:
    windows: int  # that are complete then; of a received mesh: when its other vertices are known
    by_all: bool  # also by ranks whose part stays the same
    mesh: Mesh


@dataclass
class Mapping:
    kind: str
    constraint: str
    options: dict = field(default_factory=dict)  # attributes
    basis: str = ""
    parameter: float = 0
    executor: str = ""


@dataclass
class Sampling:
    """Of a flow: which times are exchanged, and read."""

    degree: int = 1
    substeps: bool = False
    initialize: bool = False
    fractions: list = field(default_factory=list)  # of the largest step: when it is read


@dataclass
class Law:
    """What the values of a flow follow."""

    factors: np.ndarray = None  # (components, dim + 3)
    feedback: str = ""  # data that the source reads on the same mesh
    gain: float = 0
    silent: tuple = (0, 0)  # elements whose place is in there are never written
    bounds: list = field(default_factory=list)  # lower and upper, of all components; empty: none


@dataclass
class Flow:
    """Data that one participant writes and another reads."""

    data: str  # of this flow alone
    source: str
    target: str
    source_mesh: str
    target_mesh: str
    direction: str  # of the mapping
    mapping: Mapping
    components: int
    scheme: int
    name: str = ""  # in the configuration; several flows may carry the same data
    sampling: Sampling = field(default_factory=Sampling)
    law: Law = field(default_factory=Law)

    @property
    def takes_gradients(self):
        return self.mapping.kind == "nearest-neighbor-gradient"

    @property
    def exchanged_on(self):
        return self.source_mesh if self.direction == "read" else self.target_mesh

    @property
    def mapped_by(self):
        return self.target if self.direction == "read" else self.source

    @property
    def searched_mesh(self):
        return self.target_mesh if self.mapping.constraint == "conservative" else self.source_mesh


@dataclass
class Scheme:
    kind: str
    members: list  # first and second; multi: the controller first
    window: float
    windows: int
    max_time: float = 0  # 0: none
    dictated: bool = False  # method first-participant
    min_iterations: int = 1
    max_iterations: int = 0
    measures: list = field(default_factory=list)  # (kind, data, limit, other limit, suffices, strict)
    acceleration: dict = field(default_factory=dict)

    @property
    def implicit(self):
        return self.kind in ("serial-implicit", "parallel-implicit", "multi")

    def ends(self):
        """Of windows that are not dictated."""
        count = self.windows or int(np.ceil(self.max_time / self.window - 1e-9))
        ends = self.window * np.arange(1, count + 1)
        return np.minimum(ends, self.max_time) if self.max_time else ends

    @property
    def leader(self):
        return self.members[0] if self.kind == "multi" else self.members[1]


@dataclass
class Watch:
    participant: str
    name: str
    mesh: str
    coordinate: list = field(default_factory=list)  # empty: an integral
    scaled: bool = False

    @property
    def kind(self):
        return "point" if self.coordinate else "integral"

    @property
    def file(self):
        return f"precice-{self.participant}-watch{self.kind}-{self.name}.log"


@dataclass
class Export:
    participant: str
    kind: str
    directory: str
    every_windows: int = 1  # negative: never
    every_iteration: bool = False
    updates_series: bool = False

    def shows(self, windows, complete, repeats):
        """After a step. `windows`: the number of the latest one."""
        if self.every_windows < 0:
            return False
        if self.every_iteration:
            return complete or repeats
        return complete and windows % self.every_windows == 0


@dataclass
class Action:
    kind: str
    participant: str
    mesh: str
    timing: str
    target: str = ""
    sources: list = field(default_factory=list)
    module: str = ""  # of Python


@dataclass
class Duties:
    """What the library does beside the exchange."""

    watches: list = field(default_factory=list)
    actions: list = field(default_factory=list)  # no two of one target
    exports: list = field(default_factory=list)


@dataclass
class Setup:
    """What changes no values."""

    # by "A B", acceptor and connector: kind and attributes of <m2n>
    links: dict = field(default_factory=dict)
    waits: bool = False  # all for all in finalize()
    # attributes, by mesh of <receive-mesh>, by participant of <intra-comm>
    unused: dict = field(default_factory=dict)


@dataclass
class Case:
    seed: int
    participants: list
    steps: dict  # by participant: sizes in a window, one after the other
    meshes: dict
    flows: list
    schemes: list
    variants: list  # (transport, ranks by participant; empty: in threads of one process)
    by_window: bool = False  # steps: one per window, one after the other
    refused: list = field(default_factory=list)  # participants that try calls that are refused
    most_windows: int = 0  # after which all finalize; 0: they go on to the end
    duties: Duties = field(default_factory=Duties)
    setup: Setup = field(default_factory=Setup)

    def known(self, mesh):
        """By the configuration."""
        return self.meshes[mesh].received or mesh

    def watches_of(self, name):
        return [w for w in self.duties.watches if w.participant == name]

    def window_numbers(self, name):
        """By end of a window: of the scheme that has completed most of them."""
        schemes = [s for s in self.schemes if name in s.members]
        if len({s.window for s in schemes}) == 1 or any(s.dictated for s in schemes):
            return range(1, 1000)
        ends = [s.ends() for s in schemes]
        times = np.unique(np.round(np.concatenate(ends), 9))
        return [max(int(np.sum(e < time + 1e-8)) for e in ends) for time in times]

    def exports_of(self, name):
        return [e for e in self.duties.exports if e.participant == name]

    def shown_by(self, name):
        """Meshes of its own, in the order of the plan."""
        return [m for m in self.meshes.values() if m.owner == name and not m.access]

    def received_by(self, name):
        """Meshes of others, where none is reset."""
        if any(mesh.resets for mesh in self.meshes.values()):
            return []
        meshes = dict.fromkeys(f.exchanged_on for f in self.flows if f.mapped_by == name)
        return [self.meshes[mesh] for mesh in meshes]

    def actions_on(self, mesh, data, timing, participant):
        wanted = mesh, data, timing, participant
        return [a for a in self.duties.actions if (a.mesh, a.target, a.timing, a.participant) == wanted]

    def scheme_of(self, places):
        """By which its owner hears of the mesh to which it has access."""
        real = self.meshes[places.received].owner
        return next(s for s in self.schemes if {real, places.owner} <= set(s.members))

    def hears_ahead(self, places):
        """Who has access learns of a reset before it begins the window: the second of a serial scheme."""
        scheme = self.scheme_of(places)
        return scheme.kind.startswith("serial") and places.owner == scheme.members[1]

    def hears_within(self, places):
        """In the first iteration of the window; else where that ends."""
        return self.scheme_of(places).implicit and not self.hears_ahead(places)

    def comes_within(self, flow):
        """The window in which a mesh is another."""
        return self.schemes[flow.scheme].implicit

    def is_ahead(self, flow):
        """It goes to the second of a serial scheme, which gets it before it begins the window."""
        scheme = self.schemes[flow.scheme]
        return scheme.kind.startswith("serial") and flow.source == scheme.members[0]

    def data_on(self, mesh):
        """Names, as the configuration lists them."""
        return list(dict.fromkeys(f.name for f in self.flows if mesh in (f.source_mesh, f.target_mesh)))

    def reads(self, name):
        return [f for f in self.flows if f.target == name]

    def writes(self, name):
        return [f for f in self.flows if f.source == name]


def numbers(values):
    values = list(values)
    return " ".join([str(len(values)), *map(text, values)])


def piece_plans(mesh, ranks, regions):
    for piece, region in zip(mesh.pieces(ranks), regions, strict=True):
        elements = range(len(piece)) if mesh.corners > 1 else []
        yield f"{numbers(mesh.points[piece].ravel())} {numbers(elements)} {numbers(region)}"


def mesh_plan(case, mesh, ranks):
    access = ["", "direct", "just-in-time"].index(mesh.access)
    hears_within = int(bool(mesh.access) and case.hears_within(mesh))
    head = f"{mesh.name} {mesh.dim} {mesh.corners} {access} {hears_within}"
    lines = [f"{head} {mesh.received or '-'} {ranks}"]
    regions = mesh.regions(ranks, case.meshes[mesh.received].points) if access else [[]] * ranks
    lines += piece_plans(mesh, ranks, regions)
    lines.append(str(len(mesh.resets)))
    before = mesh
    for reset in mesh.resets:
        old, new = ([m.points[p] for p in m.pieces(ranks)] for m in (before, reset.mesh))
        calls = [int(reset.by_all or not np.array_equal(a, b)) for a, b in zip(old, new, strict=True)]
        lines += [f"{reset.windows} {numbers(calls)} {ranks}", *piece_plans(reset.mesh, ranks, [[]] * ranks)]
        before = reset.mesh
    return "\n".join(lines)


def participant_plan(case, name, ranks):
    meshes = [m for m in case.meshes.values() if m.owner == name]
    reads = case.reads(name)
    lines = [f"{name} {ranks} {int(case.by_window)} {int(name in case.refused)} {case.most_windows}"]
    lines += [numbers(case.steps[name]), str(len(meshes))]
    lines += [mesh_plan(case, m, ranks) for m in meshes]
    lines.append(str(len(reads)))
    for f in reads:
        within = int(case.comes_within(f))
        lines.append(f"{f.target_mesh} {f.name} {f.components} {within} {numbers(f.sampling.fractions)}")
    lines.append(str(len(written(case, name))))
    known = [f.data for f in reads]
    for same in written(case, name).values():
        f = same[0]
        feedback = known.index(f.law.feedback) if f.law.feedback else -1
        gradients = int(any(f.takes_gradients for f in same))
        initial = int(any(f.sampling.initialize for f in same))
        mesh = case.meshes[f.source_mesh]
        versions = [mesh.at(version) for version in range(len(mesh.resets) + 1)]
        written_by = []
        for version in versions:
            spoken = version.outside(f.law.silent)
            parts = [numbers(np.flatnonzero(spoken[piece])) for piece in version.pieces(ranks)]
            written_by.append(f"{ranks} {' '.join(parts)}")
        lines += [
            f"{f.source_mesh} {f.name} {f.components} {initial} {gradients}",
            f"{len(versions)} {' '.join(written_by)}",
            f"{feedback} {text(float(f.law.gain))} {numbers(f.law.factors.ravel())}",
        ]
    files = [w.file for w in case.watches_of(name)]
    lines.append(" ".join([str(len(files)), *files]))
    exports = case.exports_of(name)
    lines.append(str(len(exports)))
    lines += [f"{e.directory} {e.kind} {e.every_windows} {int(e.every_iteration)}" for e in exports]
    lines.append(numbers(case.window_numbers(name) if exports else []))
    received = case.received_by(name) if exports else []
    lines += [str(len(received)), *(f"{mesh.name} {mesh.dim}" for mesh in received)]
    return "\n".join(lines)


def plan(case, number, folder, variant):
    transport, ranks = variant
    lines = [f"{number} {folder} {transport} {int(not ranks)} {len(case.participants)}"]
    lines += [participant_plan(case, name, ranks.get(name, 1)) for name in case.participants]
    return "\n".join(lines) + "\n"
