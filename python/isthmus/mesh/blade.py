# SPDX-License-Identifier: BSD-3-Clause
"""A wind-turbine blade as a closed triangulated surface, of any number of vertices.

The blade of span 1 is lofted through sections that blend from the circle at the root into cambered
four-digit aerofoils, with taper, twist, pre-bend and sweep. Its sizes M1 .. M6 have the vertex counts
of the meshes in Totounferoush et al., Algorithms 14 (2021) 166, https://doi.org/10.3390/a14060166.

A mesh is a stack of rings (sections of constant span) between two caps (shrunken copies of the end
sections around a pole). Neighbouring rings are zipped: the edges of both, sorted along the ring, each
give one triangle with the current vertex of the other ring. All rings are handled at once.

Family B is quasi-uniform: rings as far apart as their points. Family A does not match it: rings 1.35
times as far apart, points moved by 0.37 of a cell and slightly clustered, 0.8 times the vertices.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from isthmus.errors import IsthmusError
from isthmus.mesh.surface import Surface

LEVELS = {"M1": 25_722, "M2": 165_009, "M3": 330_139, "M4": 628_898, "M5": 1_660_616, "M6": 2_962_176}
FAMILIES = ("A", "B")
RATIO_A = 0.8  # vertices of family A per vertex of family B of the same size
SMALLEST = 200
ARC_SAMPLES = 720  # per section, to walk along it by arc length


def blade(vertices: int, family: str = "B") -> Surface:
    """The blade with exactly `vertices` vertices."""
    if family not in FAMILIES:
        raise IsthmusError(f"there is no blade family {family!r}; choose A or B")
    if vertices < SMALLEST:
        raise IsthmusError(f"a blade needs at least {SMALLEST} vertices, not {vertices}")
    rings = _fit_rings(vertices, 1.0 if family == "B" else 1.35)
    ring = np.repeat(np.arange(len(rings.count)), rings.count)
    along = (np.arange(vertices) - rings.start[ring]) / rings.count[ring]
    along = _shift(along, ring, rings.count[ring], family)
    return Surface(_points(rings, ring, along), _zip_rings(rings, ring, along))


@dataclass(frozen=True)
class _Rings:
    span: np.ndarray  # position along the blade
    scale: np.ndarray  # 1 on the body, towards 0 at the pole of a cap
    count: np.ndarray  # vertices

    @property
    def start(self) -> np.ndarray:
        """Number of the first vertex of every ring."""
        return np.cumsum(self.count) - self.count


def _section(turn: np.ndarray, span: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Points (…, 3) at `turn` in [0, 1) around the sections at `span`, trailing edge first."""
    blend = np.clip(span / 0.22, 0, 1)
    blend = blend * blend * (3 - 2 * blend)  # 0: circle, 1: aerofoil
    chord = ((1 - blend) * 0.055 + blend * (0.018 + 0.108 * (1 - span))) * scale
    thickness = (1 - blend) + blend * (0.32 - 0.16 * span)
    twist = np.deg2rad(16 * (1 - span) ** 2 * blend - span)

    cosine, sine = np.cos(2 * np.pi * turn), np.sin(2 * np.pi * turn)
    x = 0.5 * (1 + cosine)  # 1 at the trailing edge, 0 at the nose
    # NACA four-digit half thickness, closed at the trailing edge; camber 4 % at 40 % of the chord
    half = 5 * thickness * (0.2969 * np.sqrt(x) + x * (-0.1260 + x * (-0.3516 + x * (0.2843 - 0.1036 * x))))
    camber = 0.04 * np.where(x < 0.4, x * (0.8 - x) / 0.16, (0.2 + x * (0.8 - x)) / 0.36)
    y = blend * (np.sign(sine) * half + camber) + (1 - blend) * 0.5 * sine * thickness

    px, py = (x - 0.5 * (1 - blend) - 0.3 * blend) * chord, y * chord
    c, s = np.cos(twist), np.sin(twist)
    sweep, bend = -0.03 * span**3, 0.05 * span**2
    return np.stack(np.broadcast_arrays(px * c - py * s + sweep, px * s + py * c + bend, span), -1)


def _arc_lengths(span: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Arc length from the trailing edge at ARC_SAMPLES + 1 equal turns, (sections, samples)."""
    turns = np.linspace(0, 1, ARC_SAMPLES + 1)
    points = _section(turns, span[:, None], scale[:, None])
    steps = np.linalg.norm(np.diff(points, axis=1), axis=2)
    return np.concatenate([np.zeros((len(span), 1)), np.cumsum(steps, 1)], 1)


def _layout(spacing: float, aspect: float, table: tuple[np.ndarray, np.ndarray]) -> _Rings:
    """Rings for the given spacing of points; `table` holds the perimeter by span."""
    between = spacing * aspect
    body_span = np.linspace(0, 1, max(4, round(1 / between) + 1))
    body_count = np.maximum(6, np.rint(np.interp(body_span, *table) / spacing))
    spans, scales, counts = [], [], []
    for end in (0.0, 1.0):
        perimeter = np.interp(end, *table)
        levels = max(1, round(perimeter / (2 * np.pi) / between))
        scale = np.arange(levels) / levels
        count = np.maximum(6, np.rint(perimeter * scale / spacing))
        count[0] = 1  # the pole
        spans.append(np.full(levels, end))
        scales.append(scale)
        counts.append(count)
    return _Rings(
        np.concatenate([spans[0], body_span, spans[1]]),
        np.concatenate([scales[0], np.ones(len(body_span)), scales[1][::-1]]),
        np.concatenate([counts[0], body_count, counts[1][::-1]]).astype(np.int64),
    )


def _fit_rings(vertices: int, aspect: float) -> _Rings:
    """Rings with exactly the given number of vertices: bisection, the rest spread over the body."""
    spans = np.linspace(0, 1, 513)
    table = (spans, _arc_lengths(spans, np.ones_like(spans))[:, -1])
    fine, coarse = 1e-5, 0.2
    for _ in range(60):
        middle = np.sqrt(fine * coarse)
        if _layout(middle, aspect, table).count.sum() > vertices:
            fine = middle
        else:
            coarse = middle
    rings = _layout(coarse, aspect, table)
    body = np.flatnonzero(rings.scale == 1.0)
    wide = body[rings.count[body] >= min(12, rings.count[body].max())]
    while (missing := vertices - rings.count.sum()) > 0:
        picked = np.unique(np.linspace(0, len(wide) - 1, min(missing, len(wide))).astype(int))
        rings.count[wide[picked]] += 1
    return rings


def _shift(along: np.ndarray, ring: np.ndarray, count: np.ndarray, family: str) -> np.ndarray:
    """Moves the equally spaced points of every ring the way of the family; stays in [0, 1), sorted."""
    odd = ring % 2
    if family == "B":
        return along + 0.5 * odd / count * (count > 1)
    moved = along + (0.37 + 0.5 * odd) / count
    moved = np.mod(moved - 0.012 * np.sin(4 * np.pi * moved), 1.0)
    moved[count == 1] = 0.0
    return np.sort(ring + moved) - ring


def _points(rings: _Rings, ring: np.ndarray, along: np.ndarray) -> np.ndarray:
    """Points at the fraction `along` of the arc of their ring."""
    arcs = _arc_lengths(rings.span, np.maximum(rings.scale, 1e-3))
    arcs /= arcs[:, -1:]
    arcs[:, -1] -= 1e-12  # so that the table of all rings in one stays increasing
    turns = np.linspace(0, 1, ARC_SAMPLES + 1)
    numbers = np.arange(len(rings.count))[:, None]
    turn = np.interp(ring + along, (numbers + arcs).ravel(), np.tile(turns, len(numbers)))
    return _section(turn, rings.span[ring], rings.scale[ring])


def _zip_rings(rings: _Rings, ring: np.ndarray, along: np.ndarray) -> np.ndarray:
    """Triangles between neighbouring rings, facing outwards."""
    count, start, last = rings.count, rings.start, len(rings.count) - 1
    local = np.arange(len(ring)) - start[ring]
    following = np.where(local + 1 < count[ring], np.arange(len(ring)) + 1, start[ring])
    wrap = (local + 1 == count[ring]).astype(float)
    middle = 0.5 * (along + along[following] + wrap)  # of the edge from a vertex to its follower

    has_edge = count[ring] > 1
    below = np.flatnonzero(has_edge & (ring < last))  # edges that are the lower side of a strip
    above = np.flatnonzero(has_edge & (ring > 0))
    vertex = np.concatenate([below, above])
    strip = np.concatenate([ring[below], ring[above] - 1])
    is_lower = np.arange(len(vertex)) < len(below)
    order = np.argsort(2.0 * strip + middle[vertex], kind="stable")
    vertex, strip, is_lower = vertex[order], strip[order], is_lower[order]

    first = np.searchsorted(strip, np.arange(last))  # first event of every strip
    lower_seen = np.cumsum(is_lower)
    lower_before = (lower_seen - is_lower) - (lower_seen - is_lower)[first][strip]
    upper_before = np.arange(len(strip)) - first[strip] - lower_before
    opposite_up = start[strip + 1] + upper_before % count[strip + 1]
    opposite_down = start[strip] + lower_before % count[strip]
    nxt = following[vertex]
    return np.where(
        is_lower[:, None],
        np.stack([vertex, nxt, opposite_up], 1),
        np.stack([nxt, vertex, opposite_down], 1),
    )
