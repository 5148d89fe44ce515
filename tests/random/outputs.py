# SPDX-License-Identifier: BSD-3-Clause
"""What participants do beside their coupling: actions, rows of watch points and integrals."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import rows

SCRIPT = """def performAction(time, *data):
    data[-1][:] = 0.5 * data[-1] + sum(data[:-1])
"""

BY_PLACE = ("nearest-projection", "linear-cell-interpolation")


def needs_elements(case, name):
    """Elements that nothing asks for are dropped."""
    asking = [f for f in case.flows if name in (f.source_mesh, f.target_mesh)]
    by_area = any(a.mesh == name and a.kind.endswith("by-area") for a in case.duties.actions)
    return by_area or any(
        "scaled" in f.mapping.constraint or (f.mapping.kind in BY_PLACE and f.searched_mesh == name)
        for f in asking
    )


def known(case, name, mesh):
    """The mesh with the elements that it keeps."""
    return mesh if needs_elements(case, name) else replace(mesh, corners=1)


def areas(mesh):
    """Of each vertex the share of the edges in 2D, triangles in 3D, if there are none edges; None without."""
    for size in [2] if mesh.dim == 2 else [3, 2]:
        if mesh.corners >= size:
            result = np.zeros(len(mesh.points))
            for element in rows.elements(mesh):
                for side in map(list, combinations(element, size)):
                    edges = mesh.points[side[1:]] - mesh.points[side[0]]
                    result[side] += np.sqrt(np.linalg.det(edges @ edges.T)) / [1, 1, 2][size - 1] / size
            return result
    return None


def changed(action, mesh, values, flows, values_of):
    """By an action with this target. `flows`: what is on the mesh, with `values_of` them."""
    if action.kind == "python":  # SCRIPT
        addend = [values_of(next(f for f in flows if f.name == source)) for source in action.sources]
        return 0.5 * values + sum(addend)
    if action.sources:
        return sum(values_of(next(f for f in flows if f.name == source)) for source in action.sources)
    factor = areas(mesh)[:, None]
    return values * factor if action.kind == "multiply-by-area" else values / factor


def point_row(watch, mesh, time, fields):
    at = np.array([watch.coordinate])
    weights = rows.on_surface(mesh, at)[0]
    inside = rows.around(mesh, at, by_place=True)[0] or {}
    if inside:
        weights[:] = 0
        weights[list(inside)] = list(inside.values())
    return np.concatenate([[time], weights @ mesh.points, *(weights @ values for values in fields)])


def integral_row(watch, mesh, time, fields):
    shares = areas(mesh)
    weights = shares if watch.scaled and shares is not None else np.ones(len(mesh.points))
    end = [] if shares is None else [shares.sum()]
    return np.concatenate([[time], *(weights @ values for values in fields), end])
