# SPDX-License-Identifier: BSD-3-Clause
"""Mappings as dense matrices, by definition and by brute force."""

import numpy as np


def nearest(source, points):
    distances = np.linalg.norm(points[:, None] - source.points[None], axis=2)
    result = np.zeros(distances.shape)
    result[np.arange(len(points)), distances.argmin(axis=1)] = 1
    return result


def consistent(mapping, source, points):
    """Rows for the points from the vertices of `source`."""
    if mapping.kind == "nearest-neighbor":
        return nearest(source, points)
    raise NotImplementedError(mapping.kind)


def matrix(mapping, source, target):
    if mapping.constraint == "conservative":
        return consistent(mapping, target, source.points).T
    return consistent(mapping, source, target.points)
