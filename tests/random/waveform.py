# SPDX-License-Identifier: BSD-3-Clause
"""Data between the samples of a window."""

import numpy as np


def knots(u, degree):
    inner = [np.mean(u[j : j + degree]) for j in range(1, len(u) - degree)]
    return np.concatenate([[u[0]] * (degree + 1), inner, [u[-1]] * (degree + 1)])


def basis(t, i, p, x, last):
    if p == 0:
        return float(t[i] <= x < t[i + 1] or (x == t[-1] and i == last))
    left, right = t[i + p] - t[i], t[i + p + 1] - t[i + 1]
    value = (x - t[i]) / left * basis(t, i, p - 1, x, last) if left > 0 else 0.0
    return value + ((t[i + p + 1] - x) / right * basis(t, i + 1, p - 1, x, last) if right > 0 else 0.0)


def spline(times, values, degree, time):
    """The B-spline through samples, with averaged knots."""
    u = (np.array(times) - times[0]) / (times[-1] - times[0])
    x = (time - times[0]) / (times[-1] - times[0])
    t, n = knots(u, degree), len(u)
    row = [[basis(t, i, degree, at, n - 1) for i in range(n)] for at in [*u, x]]
    return np.tensordot(row[-1], np.linalg.solve(np.array(row[:-1]), np.array(values).reshape(n, -1)), 1)


class Wave:
    """Samples of a window; the first one opens it."""

    def __init__(self, degree, values):
        self.degree = degree
        self.samples = [(0.0, values)]

    def keep_last(self):
        self.samples = self.samples[-1:]

    def at(self, time):
        times = [t for t, _ in self.samples]
        for t, values in self.samples:
            if abs(t - time) < 1e-10:
                return values
        if time <= times[0] or time >= times[-1]:
            return self.samples[0 if time <= times[0] else -1][1]
        if self.degree == 0:
            return next(values for t, values in self.samples if t > time)
        values = [v for _, v in self.samples]
        degree = min(self.degree, len(times) - 1)
        return spline(times, values, degree, time).reshape(values[0].shape)
