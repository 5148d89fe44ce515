# SPDX-License-Identifier: BSD-3-Clause
"""What all participants of a case see, in plain NumPy. Knows the schemes, the mappings as dense matrices, and
of ranks only where they matter."""

import sys
from collections import defaultdict, deque
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "references"))
import rows
from fixed_point import NotMet, Unsteady
from player import Player


class Stuck(Exception):
    """The participants wait for each other: no valid configuration."""


UNSTEADY = (Unsteady, rows.Badly)

START = 0, False  # before the first window
LOOKING_AROUND = ("linear-cell-interpolation", "nearest-projection")  # by candidates


@dataclass
class Seen:
    logs: dict  # by participant
    tables: dict  # of watches, by participant and name
    exported: dict  # by participant, for each export number, time and tables of all times
    failed: str  # the participant whose strict measure is not met


class World:
    def __init__(self, case, ranks, matrices, may_reset=False):
        self.case = case
        self.ranks = ranks  # by participant; else 1
        self.channels = defaultdict(deque)
        self.verdicts = defaultdict(deque)
        # where meshes may change, participants wait for each other also where no data goes
        self.notifies = may_reset or any(mesh.resets for mesh in case.meshes.values())
        self.words = defaultdict(deque)
        self.sizes = deque()  # of dictated windows: there is one such scheme
        self.matrices = matrices  # by data and ranks that matter, shared with other worlds

    @staticmethod
    def take(queue):
        while not queue:
            yield
        return queue.popleft()

    def notify(self, window, name):
        """That meshes are others, or not."""
        for member in window.scheme.members if self.notifies else []:
            self.words[window.number, member, name].append(())

    def learn(self, window, name):
        for member in window.scheme.members if self.notifies else []:
            if member != name:
                yield from self.take(self.words[window.number, name, member])

    # `when`: complete windows, and whether it is not the first iteration of the next one

    def mesh(self, name, when):
        mesh = self.case.meshes[name]
        windows, repeats = when
        within = repeats and mesh.access and self.case.hears_within(mesh)
        return mesh.at(mesh.version(windows + bool(within)))

    def zeros(self, flow, when=START):
        mesh = self.ends(flow, when)[flow.direction == "write"]
        gradients = mesh.dim if flow.takes_gradients and flow.direction == "read" else 0
        return np.zeros((len(mesh.points), flow.components * (1 + gradients)))

    def ends(self, flow, when):
        """The meshes between which it is mapped then. The second of a serial scheme resets a mesh when the
        data of the first iteration are there; who has access learns of a reset with the data."""
        windows, repeats = when
        has_access = bool(self.case.meshes[flow.target_mesh].access)
        late = self.case.is_ahead(flow) and (has_access or not repeats)
        known = windows - late + has_access, False
        return self.mesh(flow.source_mesh, when), self.mesh(flow.target_mesh, known)

    def known_target(self, flow, when):
        """Who writes by access may not know yet that the mesh is another."""
        places = self.case.meshes[flow.source_mesh]
        windows, repeats = when
        if not places.access or self.case.hears_ahead(places) or (repeats and self.case.hears_within(places)):
            return self.ends(flow, when)[1]
        return self.mesh(flow.target_mesh, (windows - 1, False))

    def matrix(self, flow, when=START):
        ranks = self.ranks.get(flow.mapped_by, 1) if flow.mapping.kind in LOOKING_AROUND else 1
        source, target = self.ends(flow, when)
        known = self.known_target(flow, when)
        key = flow.data, ranks, id(source), id(target), id(known)
        if key not in self.matrices:
            matrix = rows.matrix(flow.mapping, source, known, by_place=ranks > 1)
            # what was written is carried to the new vertices
            self.matrices[key] = matrix if known is target else rows.nearest(known, target.points) @ matrix
        return self.matrices[key]

    def map(self, flow, values, when):
        source, target = self.ends(flow, when)
        matrix = self.matrix(flow, when)
        mapped = (rows.with_gradients(values, flow.components, source, target, matrix)
                  if flow.takes_gradients else matrix @ values)
        if "scaled" in flow.mapping.constraint:
            return rows.scaled(mapped, values[:, :flow.components], source, target)
        return mapped

    def counted(self, flow, name, when=START):
        """Which vertices of the exchanged mesh a leader has: of a received one those it maps, or all."""
        mesh = self.mesh(flow.exchanged_on, when)
        used = np.full(len(mesh.points), mesh.owner == name or self.ranks.get(name, 1) == 1)
        used |= any(m.owner == name and m.received == mesh.name for m in self.case.meshes.values())
        for other in self.case.flows:
            same_way = other.direction == flow.direction and name in (other.source, other.target)
            if other.exchanged_on == mesh.name and same_way:
                used |= "scaled" in other.mapping.constraint  # the whole mesh is integrated
                kind = other.mapping.kind
                matrix = self.matrix(other, when)
                used |= kind.startswith("rbf-global")  # a system of all vertices
                used |= kind in ("rbf", "rbf-pum-direct") and matrix.size > 0  # they are in one cluster
                used |= np.any(matrix, axis=0 if other.direction == "read" else 1)
        return used

    def order(self, flow, name, when):
        """Of the vertices of the exchanged mesh, as a leader on one rank has defined them. Those of others
        come in an order that depends on their ranks: None."""
        mesh = self.mesh(flow.exchanged_on, when)
        return mesh.pieces(1)[0] if mesh.owner == name and self.ranks.get(name, 1) == 1 else None

    def play(self):
        players = [Player(self, name) for name in self.case.participants]
        runs = [player.run() for player in players]
        still, failed = 0, ""
        while any(run is not None for run in runs):
            before = self.state(players)
            for i, run in enumerate(runs):
                if run is not None:
                    try:
                        next(run)
                    except StopIteration:
                        runs[i] = None
                    except NotMet:
                        runs[i], failed = None, self.case.participants[i]
            still = 0 if self.state(players) != before else still + 1
            if still > 20 and failed:
                break
            if still > 20:
                raise Stuck("all participants wait")
        tables = {player.name: player.outputs.tables for player in players}
        exported = {player.name: player.outputs.exported for player in players}
        return Seen({player.name: player.log for player in players}, tables, exported, failed)

    def state(self, players):
        queued = [len(c) for c in (*self.channels.values(), *self.verdicts.values(), *self.words.values())]
        return [len(p.log) for p in players], [p.clock.time for p in players], queued


def play(case):
    """What the participants see, for each kind of ranks that the variants of the case have. In the log of a
    participant: per step (numbers before, what was read, numbers after). Leaves out kinds that nobody could
    judge."""
    seen, problems, matrices = {}, [], {}
    for key in {key_of(case, variant) for variant in case.variants}:
        try:
            seen[key] = World(case, dict(key), matrices).play()
        except UNSTEADY as problem:
            problems.append(problem)
    if not seen:
        raise problems[0]
    return seen


def key_of(case, variant):
    """One rank of participants or several, where that matters: leaders on several do not have the whole of
    what they receive; one that maps chooses between candidates that are equally near as preCICE does."""
    ranks = {s.leader: 2 for s in case.schemes if s.implicit}
    for flow in case.flows:
        if flow.mapping.kind in LOOKING_AROUND:
            ranks[flow.mapped_by] = 2
    seen = {name: min(most, variant[1].get(name, 1)) for name, most in ranks.items()}
    return tuple(sorted(seen.items()))
