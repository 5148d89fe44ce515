# SPDX-License-Identifier: BSD-3-Clause
"""Random meshes, and how they change."""

import copy

import numpy as np
from case import Mesh, Reset


class Draw:
    """Random choices."""

    def chance(self, probability):
        return self.random.random() < probability

    def choose(self, *options):
        return options[self.random.integers(len(options))]

    def count(self, *range_):
        return int(self.random.integers(*range_))


class Meshes(Draw):
    def add_mesh(self, owner, name, corners=0):
        """Elements lie in cells of a grid, so that they do not meet; boxes of two meshes mostly do."""
        corners = corners or self.choose(*([1, 1, 2, 3, 4] if self.dim == 3 else [1, 1, 2, 3]))
        elements = self.choose(1, 2, self.count(3, 12), self.count(3, 40 // corners))
        side = int(np.ceil(elements ** (1 / self.dim)))
        cells = self.random.permutation(side**self.dim)[:elements]
        cells[: min(elements, 2)] = [0, side**self.dim - 1][: min(elements, 2)]
        cells = np.unique(cells)
        low = np.array(np.unravel_index(cells, (side,) * self.dim)).T
        inside = self.element(corners, len(cells))
        points = ((low[:, None] + inside) / side).reshape(-1, self.dim)
        if len(cells) == 1:
            points = 0.4 + 0.2 * points
        points[:, 0] += 1.5 * self.chance(0.06)
        self.meshes[name] = Mesh(
            name,
            owner,
            self.dim,
            corners,
            points,
            self.random.random(len(cells)) ** self.choose(1, 1, 3, 0.3),
            self.random.random(len(cells)),
        )

    def empty_meshes(self):
        """Where nobody looks for a place on them, nor integrates."""
        looked = {f.searched_mesh for f in self.flows} | {m.received for m in self.meshes.values()}
        looked |= {f.target_mesh for f in self.flows if "scaled" in f.mapping.constraint}
        for mesh in self.meshes.values():
            if mesh.name not in looked and not mesh.access and self.chance(0.1):
                mesh.drop(np.array([], int))

    def element(self, corners, count):
        """Well shaped: corners of the cell, moved at random."""
        if corners == 1:
            return self.random.random((count, 1, self.dim))
        cube = np.vstack([np.zeros(self.dim), np.eye(self.dim)])
        result = np.array([self.random.permutation(cube)[:corners] for _ in range(count)])
        flip = self.random.random((count, 1, self.dim)) < 0.5
        return np.where(flip, 1 - result, result) * 0.6 + self.random.uniform(0.05, 0.35, result.shape)

    def places(self, name, owner, real):
        return self.places_in(name, owner, real, self.choose("direct", "just-in-time"))

    def places_in(self, name, owner, real, kind):
        count = self.count(1, min(len(real.points), 12) + 1)
        points = self.random.uniform(-0.2, 1.2, (count, self.dim))
        if kind == "direct":
            points = real.points[self.random.permutation(len(real.points))[:count]]
        place = self.random.random(count) ** self.choose(1, 1, 3, 0.3)
        order = self.random.random(count)
        everywhere = owner in self.leaders or self.chance(0.3)
        return Mesh(name, owner, self.dim, 1, points, place, order, kind, real.name, everywhere)

    def add_resets(self, schemes, used):
        """Where every window brings all data anew."""
        alike = len({(s.window, s.windows, s.max_time) for s in schemes}) == 1
        pairs = {frozenset(s.members) for s in schemes}  # two schemes of one pair are refused
        if not alike or schemes[0].dictated or schemes[0].kind == "multi" or len(pairs) < len(schemes):
            return
        if not self.chance(0.7):
            return
        if any(s.implicit or s.kind.startswith("serial") for s in schemes):
            self.make_plain(schemes)
        # what comes in the last window stays
        late = {s.members[1] for s in schemes if s.kind.startswith("serial")}
        for name in sorted(used):
            mesh = self.meshes[name]
            views = [m for m in self.meshes.values() if m.received == name]
            if mesh.access:
                continue
            last = mesh
            for windows in range(1, schemes[0].windows - (mesh.owner in late)):
                if self.chance(0.3):
                    last = self.another(last)
                    mesh.resets.append(Reset(windows, bool(self.chance(0.5)), last))
                    for places in views:
                        self.move_places(places, last, windows, schemes)
            if mesh.resets and mesh.owner in late:
                self.measure_answers_only(schemes, mesh.owner)

    def move_places(self, places, real, windows, schemes):
        """Who has access learns of a reset with the data: the second of a serial scheme before the window."""
        places.everywhere = True
        if places.access == "direct":
            owner = self.meshes[real.name].owner
            scheme = next(s for s in schemes if {owner, places.owner} <= set(s.members))
            ahead = scheme.kind.startswith("serial") and owner == scheme.members[0]
            moved = self.places_in(places.name, places.owner, real, "direct")
            places.resets.append(Reset(windows + (not ahead), True, moved))

    def measure_answers_only(self, schemes, second):
        """What has come ahead of a reset is carried to the vertices that the second needs now, by each of its
        ranks."""
        for scheme in schemes:
            ahead = {f.data for f in self.flows if schemes[f.scheme] is scheme and f.target == second}
            scheme.measures = [m for m in scheme.measures if m[1] not in ahead]

    def make_plain(self, schemes):
        """What is read within the window after a reset, between what is carried over and what comes, depends
        on ranks."""
        self.single_steps = True
        for flow in self.flows:
            flow.sampling.fractions = [f for f in flow.sampling.fractions if f == 1]

    def another(self, mesh):
        """Some elements are others, the rest stay where they are."""
        self.add_mesh(mesh.owner, "another", mesh.corners)
        other = self.meshes.pop("another")
        other.name = mesh.name
        if self.chance(0.3):
            return other
        low = self.random.uniform(-0.5, 1)
        high = low + self.random.uniform(0.1, 1)
        stays, comes = ((m.place < low) | (m.place >= high) for m in (mesh, other))
        kept, added = copy.deepcopy(mesh), other
        kept.resets = []
        comes = ~comes
        if not comes.any():
            return other
        added.drop(np.flatnonzero(comes))
        if not stays.any():
            return added
        kept.drop(np.flatnonzero(stays))
        for name in ("points", "place", "order"):
            setattr(kept, name, np.concatenate([getattr(kept, name), getattr(added, name)]))
        return kept
