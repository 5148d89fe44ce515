# SPDX-License-Identifier: BSD-3-Clause
"""Where participants and meshes go: a column for each participant, a row for each mesh.

Who has a mesh has a box for it in the row of the mesh, so arrows of exchanges run level, and mappings up and
down within a participant. Participants that are not coupled with each other may share a column.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass

MOST_ORDERS = 60  # of participants that are tried
CROSSING, SAME_COLUMN, LENGTH, COLUMN, HOLE, DETOUR = 20.0, 60.0, 2.0, 3.0, 1.0, 1.5


@dataclass(frozen=True)
class Arrow:
    """Data that goes from one participant to another one on a mesh that both have."""

    sender: str
    receiver: str
    mesh: str
    data: tuple[str, ...]  # a star marks initial data
    scheme: int


@dataclass(frozen=True)
class Box:
    """A participant: its column and the rows of its meshes."""

    column: int
    rows: list[int]


@dataclass(frozen=True)
class Plan:
    boxes: dict[str, Box]  # by participant
    rows: dict[str, int]  # by mesh
    arrows: list[Arrow]


def plan(described: dict) -> Plan:
    """Of what isthmus-config-check says about a configuration."""
    meshes = {p["name"]: [*p["provides"], *(mesh["name"] for mesh in p["receives"])]
              for p in described["participants"]}
    mappings = [(p["name"], m["from"], m["to"]) for p in described["participants"] for m in p["mappings"]
                if m["from"] and m["to"]]
    used = [mesh["name"] for mesh in described["meshes"] if any(mesh["name"] in m for m in meshes.values())]
    puzzle = _Puzzle(meshes, mappings, _arrows(described))
    _, rows, columns = min((puzzle.arrange(order, used) for order in _orders(list(meshes))),
                           key=lambda result: result[0])
    boxes = {name: Box(columns[name], sorted(rows[mesh] for mesh in own)) for name, own in meshes.items()}
    return Plan(boxes, rows, puzzle.arrows)


def _arrows(described: dict) -> list[Arrow]:
    grouped: dict[tuple[str, str, str, int], list[str]] = {}
    for k, scheme in enumerate(described["schemes"]):
        for e in scheme["exchanges"]:
            star = "*" if e["initialize"] else ""
            grouped.setdefault((e["from"], e["to"], e["mesh"], k), []).append(e["data"] + star)
    return [Arrow(sender, receiver, mesh, tuple(data), scheme)
            for (sender, receiver, mesh, scheme), data in grouped.items()]


def _orders(names: list[str]) -> list[tuple[str, ...]]:
    """All orders but reflections, or some of them."""
    if len(names) <= 5:
        return [order for order in itertools.permutations(names)
                if names.index(order[0]) <= names.index(order[-1])]
    shuffle = random.Random(1)
    return [tuple(names), *(tuple(shuffle.sample(names, len(names))) for _ in range(MOST_ORDERS))]


class _Puzzle:
    """Judges arrangements: arrows should be short and cross no box, mappings join neighbours."""

    def __init__(self, meshes: dict[str, list[str]], mappings: list[tuple[str, str, str]],
                 arrows: list[Arrow]):
        self.meshes, self.mappings, self.arrows = meshes, mappings, arrows
        self.coupled = {frozenset((a.sender, a.receiver)) for a in arrows}

    def arrange(self, order: tuple[str, ...],
                used: list[str]) -> tuple[float, dict[str, int], dict[str, int]]:
        """The best rows for participants in this order: cost, rows of meshes, columns of participants."""
        places = {mesh: [k for k, name in enumerate(order) if mesh in self.meshes[name]] for mesh in used}
        rows = sorted(used, key=lambda mesh: (sum(places[mesh]) / len(places[mesh]), used.index(mesh)))
        best = self._cost(order, rows)
        improved = True
        while improved:
            improved = False
            for i, j in itertools.combinations(range(len(rows)), 2):
                rows[i], rows[j] = rows[j], rows[i]
                cost = self._cost(order, rows)
                if cost < best - 1e-9:
                    best, improved = cost, True
                else:
                    rows[i], rows[j] = rows[j], rows[i]
        numbers = {mesh: k for k, mesh in enumerate(rows)}
        return best, numbers, self._columns(order, self._spans(numbers))

    def _spans(self, rows: dict[str, int]) -> dict[str, tuple[int, int]]:
        return {name: (min(rows[m] for m in own), max(rows[m] for m in own)) if own else (0, 0)
                for name, own in self.meshes.items()}

    def _columns(self, order: tuple[str, ...], spans: dict[str, tuple[int, int]]) -> dict[str, int]:
        """A participant joins the column before if there is room and nothing to exchange with it."""
        columns: dict[str, int] = {}
        last: list[str] = []
        for name in order:
            low, high = spans[name]
            fits = all((spans[o][1] < low or spans[o][0] > high) and frozenset((o, name)) not in self.coupled
                       for o in last)
            last = [*last, name] if fits else [name]
            columns[name] = len(set(columns.values())) - (1 if fits and columns else 0)
        return columns

    def _cost(self, order: tuple[str, ...], ordered: list[str]) -> float:
        rows = {mesh: k for k, mesh in enumerate(ordered)}
        spans = self._spans(rows)
        columns = self._columns(order, spans)
        cost = COLUMN * max(columns.values())
        for arrow in self.arrows:
            a, b = sorted((columns[arrow.sender], columns[arrow.receiver]))
            cost += SAME_COLUMN if a == b else LENGTH * (b - a - 1)
            row = rows[arrow.mesh]
            cost += CROSSING * sum(a < columns[o] < b and low <= row <= high
                                   for o, (low, high) in spans.items())
        for name, origin, target in self.mappings:
            low, high = sorted((rows[origin], rows[target]))
            cost += DETOUR * sum(low < rows[mesh] < high for mesh in self.meshes[name])
        return cost + HOLE * sum(high - low + 1 - len(self.meshes[name])
                                 for name, (low, high) in spans.items())
