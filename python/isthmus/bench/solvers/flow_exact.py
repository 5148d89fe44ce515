# SPDX-License-Identifier: BSD-3-Clause
"""Exact solutions that the flow solver is compared with."""

from __future__ import annotations

import numpy as np


def blasius(points: int = 4001, end: float = 10.0) -> tuple[np.ndarray, np.ndarray]:
    """η = y sqrt(U / (ν x)) and u / U of 2 f''' + f f'' = 0, by Runge-Kutta steps; f''(0) = 0.332057."""
    eta = np.linspace(0, end, points)
    step = eta[1]

    def slope(f: np.ndarray) -> np.ndarray:
        return np.array([f[1], f[2], -0.5 * f[0] * f[2]])

    f = np.array([0.0, 0.0, 0.332057336215196])
    u = [0.0]
    for _ in eta[1:]:
        a = slope(f)
        b = slope(f + step / 2 * a)
        c = slope(f + step / 2 * b)
        f = f + step / 6 * (a + 2 * b + 2 * c + slope(f + step * c))
        u.append(f[1])
    return eta, np.array(u)


def theodorsen(k: float) -> complex:
    """C(k) of the wake of an oscillating section, from Bessel functions by their integrals."""
    t, s = np.linspace(0, np.pi, 20001), np.linspace(0, 12, 400001)

    def integral(values: np.ndarray, at: np.ndarray) -> float:
        return float(((values[1:] + values[:-1]) * np.diff(at)).sum() / (2 * np.pi))

    j0, j1 = integral(np.cos(k * np.sin(t)), t), integral(np.cos(t - k * np.sin(t)), t)
    y0 = integral(np.sin(k * np.sin(t)), t) - 2 * integral(np.exp(-k * np.sinh(s)), s)
    y1 = integral(np.sin(k * np.sin(t) - t), t) - integral(2 * np.sinh(s) * np.exp(-k * np.sinh(s)), s)
    return (j1 - 1j * y1) / (j1 - 1j * y1 + 1j * (j0 - 1j * y0))
