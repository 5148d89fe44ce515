# SPDX-License-Identifier: BSD-3-Clause
"""Mappings as dense matrices, by definition and by brute force."""

from itertools import combinations

import numpy as np

SPHERES = {  # of r / radius
    "compact-polynomial-c0": lambda p: (1 - p) ** 2,
    "compact-polynomial-c2": lambda p: (1 - p) ** 4 * (4 * p + 1),
    "compact-polynomial-c4": lambda p: (1 - p) ** 6 * (35 * p**2 + 18 * p + 3),
    "compact-polynomial-c6": lambda p: (1 - p) ** 8 * (32 * p**3 + 25 * p**2 + 8 * p + 1),
    "compact-polynomial-c8": lambda p: (
        (1 - p) ** 10 * (1287 * p**4 + 1350 * p**3 + 630 * p**2 + 150 * p + 15)
    ),
    "compact-tps-c2": lambda p: (
        1 - 30 * p**2 - 10 * p**3 + 45 * p**4 - 6 * p**5 - 60 * p**3 * np.log(np.maximum(p, 1e-300))
    ),
}
OTHERS = {  # of r and the parameter
    "gaussian": lambda r, s: np.exp(-((s * r) ** 2)),
    "inverse-multiquadrics": lambda r, s: 1 / np.sqrt(s**2 + r**2),
    "multiquadrics": lambda r, s: np.sqrt(s**2 + r**2),
    "thin-plate-splines": lambda r, s: r**2 * np.log(np.maximum(r, 1e-300)),
    "volume-splines": lambda r, s: r,
}


class Badly(Exception):
    """Conditioned: rounding shows."""


def distances(a, b):
    return np.linalg.norm(a[:, None] - b[None], axis=2)


def nearest(source, points):
    result = np.zeros((len(points), len(source.points)))
    result[np.arange(len(points)), distances(points, source.points).argmin(axis=1)] = 1
    return result


def closest_on(corners, point):
    """Distance and weights of the point of the affine hull of some corners if it lies between them."""
    edges = (corners[1:] - corners[0]).T
    inner = np.linalg.lstsq(edges, point - corners[0], rcond=None)[0] if len(corners) > 1 else np.zeros(0)
    weights = np.concatenate([[1 - inner.sum()], inner])
    if np.any(weights < 0):
        return np.inf, weights
    return np.linalg.norm(weights @ corners - point), weights


def closest(source, points, simplices):
    """Rows of the closest point of all simplices."""
    result = np.zeros((len(points), len(source.points)))
    for row, point in zip(result, points, strict=True):
        found = [(*closest_on(source.points[list(s)], point), s) for s in simplices]
        _, weights, simplex = min(found, key=lambda f: f[0])
        row[list(simplex)] = weights
    return result


def elements(source):
    return np.arange(len(source.points)).reshape(-1, source.corners).tolist()


def surface(source, most):
    """All simplices of at most so many corners."""
    sizes = range(1, min(source.corners, most) + 1)
    return [c for e in elements(source) for size in sizes for c in combinations(e, size)]


def on_surface(source, points):
    return closest(source, points, surface(source, source.dim))


def projection(mapping, source, points, by_place):
    if mapping.options.get("search") == "closest":
        return on_surface(source, points)
    return found_beside(source, points, by_place, [None] * len(points))


def around(source, points, by_place=False):
    """Weights of the cell around each point, None where there is none. Elements that a reset has brought may
    lie on others: the point is in the one in which it lies deepest, or nobody knows in which rank's."""
    result = [None] * len(points)
    if source.corners == source.dim + 1:
        for i, point in enumerate(points):
            deepest = 0
            for cell in elements(source):
                distance, weights = closest_on(source.points[cell], point)
                if distance < 1 and result[i] and by_place:
                    raise Badly
                if distance < 1 and weights.min() >= deepest:  # inside
                    result[i], deepest = dict(zip(cell, weights, strict=True)), weights.min()
    return result


def candidates(source, simplices, point, by_place):
    """The four whose boxes are nearest. Of equally near ones those with the longer diagonal, then the smaller
    coordinates; or nobody knows which, and all choices are given."""
    corners = [source.points[sorted(s, key=lambda v: tuple(source.points[v]))] for s in simplices]
    low = np.array([c.min(axis=0) for c in corners])
    high = np.array([c.max(axis=0) for c in corners])
    away = np.sum(np.maximum(np.maximum(low - point, point - high), 0) ** 2, axis=1)
    diagonal = np.sum((high - low) ** 2, axis=1)
    order = sorted(range(len(simplices)), key=lambda i: (away[i], -diagonal[i], corners[i].tolist()))
    if by_place or len(order) <= 4 or away[order[3]] < away[order[4]]:
        return [[simplices[i] for i in order[:4]]]
    sure = [i for i in order if away[i] < away[order[3]]]
    tied = [i for i in order if away[i] == away[order[3]]]
    return [[simplices[i] for i in [*sure, *more]] for more in combinations(tied, 4 - len(sure))]


def projected(source, chosen, point, limit):
    found = [(*closest_on(source.points[list(s)], point), s) for s in chosen]
    found = [f for f in found if f[0] <= limit]
    return min(found, key=lambda f: f[0]) if found else None


def beside(source, point, by_place):
    """Weights for a point that is projected: by a candidate among the triangles, else among the
    edges, no farther than the nearest vertex; else by that."""
    nearest = distances(point[None], source.points)[0]
    limit = nearest.min()
    for size in range(source.dim, 1, -1):
        simplices = [c for e in elements(source) for c in combinations(e, size) if size <= source.corners]
        if not simplices:
            continue
        choices = candidates(source, simplices, point, by_place)
        found = [projected(source, chosen, point, limit) for chosen in choices]
        if len({f and f[2] for f in found}) > 1:
            raise Badly  # it depends on which boxes a tree finds first
        if found[0]:
            _, weights, simplex = found[0]
            return dict(zip(simplex, weights, strict=True))
    return {int(nearest.argmin()): 1.0}


def cells(mapping, source, points, by_place):
    inside = around(source, points, by_place)
    if mapping.options.get("outside") == "closest":
        result = on_surface(source, points)
        for row, weights in zip(result, inside, strict=True):
            if weights is not None:
                row[:] = 0
                row[list(weights)] = list(weights.values())
        return result
    return found_beside(source, points, by_place, inside)


def found_beside(source, points, by_place, inside):
    """Rows of points that have no weights of the cell around them."""
    result = np.zeros((len(points), len(source.points)))
    for row, point, weights in zip(result, points, inside, strict=True):
        if weights is None:
            weights = beside(source, point, by_place)
        for vertex, weight in weights.items():
            row[vertex] = weight
    return result


def radial(mapping, source, points):
    def values(r):
        if mapping.basis.split(":")[0] in SPHERES:
            p = r / mapping.parameter
            return np.where(p < 1, SPHERES[mapping.basis.split(":")[0]](np.minimum(p, 1)), 0.0)
        parameter = mapping.parameter
        if mapping.basis == "gaussian:support_radius":  # which ends nothing
            parameter = np.sqrt(-np.log(1e-9)) / parameter
        return OTHERS[mapping.basis.split(":")[0]](r, parameter)

    alive = [not mapping.options.get(f"{axis}-dead") for axis in "xyz"[: source.dim]]
    centers, points = source.points[:, alive], points[:, alive]

    def linear(x):  # from the middle on: fits of few vertices, or of flat ones, have the least slope
        return np.hstack([np.ones((len(x), 1)), x - centers.mean(axis=0)])

    own, at = values(distances(centers, centers)), values(distances(points, centers))
    one, there = linear(centers), linear(points)
    polynomial = mapping.options.get("polynomial", "separate")
    if polynomial == "on":
        n = len(own)
        own = np.block([[own, one], [one.T, np.zeros((one.shape[1],) * 2)]])
        check(own)
        return (np.hstack([at, there]) @ np.linalg.inv(own))[:, :n]
    check(own)
    inverse = np.linalg.inv(own)
    if polynomial == "off":
        return at @ inverse
    check(one)
    fit = np.linalg.pinv(one)
    return rescaled(mapping, at @ inverse) @ (np.eye(len(own)) - one @ fit) + there @ fit


def rescaled(mapping, weights):
    """By an iterative solver: what the functions make of 1 is 1, where any of them reaches."""
    if mapping.kind != "rbf-global-iterative" or mapping.constraint == "conservative":
        return weights
    unity = weights.sum(axis=1, keepdims=True)
    if np.any((np.abs(unity) < 1e-3) & np.any(weights, axis=1, keepdims=True)):
        raise Badly
    return weights / np.where(unity, unity, 1)


def coarse_graining(mapping, source, points):
    """By Lucy's kernel: a density, or the average, of the nearest vertex where none is within the radius."""
    radius = mapping.options["radius"]
    r = np.minimum(distances(points, source.points) / radius, 1)
    kernel = (1 + 3 * r) * (1 - r) ** 3
    if mapping.constraint == "conservative":
        return kernel * (5 / (np.pi * radius**2) if source.dim == 2 else 105 / (16 * np.pi * radius**3))
    total = kernel.sum(axis=1, keepdims=True)
    if np.any((total < 1e-6) & (total > 0)):
        raise Badly
    return np.where(total > 0, kernel / np.where(total > 0, total, 1), nearest(source, points))


def check(matrix):
    if np.linalg.cond(matrix) > 1e6:
        raise Badly


def consistent(mapping, source, points, by_place):
    """Rows for the points from the vertices of `source`."""
    if mapping.kind.startswith("rbf"):
        return radial(mapping, source, points)
    if mapping.kind == "linear-cell-interpolation":
        return cells(mapping, source, points, by_place)
    if mapping.kind == "coarse-graining":
        return coarse_graining(mapping, source, points)
    if mapping.kind == "nearest-projection":
        return projection(mapping, source, points, by_place)
    kinds = {
        "nearest-neighbor": nearest,
        "just-in-time": nearest,
        "direct": nearest,
        "nearest-neighbor-gradient": nearest,
    }
    return kinds[mapping.kind](source, points)


def matrix(mapping, source, target, by_place=False):
    """`by_place`: several ranks map, for which places alone decide between candidates."""
    if mapping.constraint == "conservative":
        return consistent(mapping, target, source.points, by_place).T
    return consistent(mapping, source, target.points, by_place)


def with_gradients(values, components, source, target, rows):
    """Values with the derivatives of each component beside them: linear from the nearest vertex on."""
    steps = target.points - rows @ source.points
    slopes = (rows @ values[:, components:]).reshape(len(steps), components, source.dim)
    return rows @ values[:, :components] + np.einsum("vcx,vx->vc", slopes, steps)


def measures(mesh):
    """What integrates values at the vertices over the elements."""
    result = np.zeros(len(mesh.points))
    for element in elements(mesh):
        edges = mesh.points[element[1:]] - mesh.points[element[0]]
        volume = np.sqrt(np.linalg.det(edges @ edges.T)) / [1, 1, 2, 6][len(edges)]
        result[element] += volume / len(element)
    return result


def scaled(mapped, values, source, target):
    """Integrals agree, component by component."""
    wanted, there = measures(source) @ values, measures(target) @ mapped
    scale = measures(target).sum() * np.abs(mapped).max(axis=0, initial=0)
    if np.any((np.abs(there) < 1e-2 * scale) & (scale > 0)):
        raise Badly
    return mapped * np.where(scale > 0, wanted / np.where(scale > 0, there, 1), 1)
