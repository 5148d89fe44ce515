# SPDX-License-Identifier: BSD-3-Clause
"""Exact solutions that the flow solver is compared with: a plate, thin sections that pitch."""

from __future__ import annotations

import numpy as np

EULER = 0.5772156649015329


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


def bessel(k: float) -> tuple[float, float, float, float]:
    """J0, J1, Y0, Y1 of an argument below 5, by their series."""
    j0 = j1 = y0 = y1 = 0.0
    term, harmonic = 1.0, 0.0  # (-k²/4)^m / m!², 1 + 1/2 + … + 1/m
    for m in range(40):
        j0 += term
        j1 += term * (k / 2) / (m + 1)
        y0 -= term * harmonic
        y1 += term * (k / 2) / (m + 1) * (2 * harmonic + 1 / (m + 1))
        harmonic += 1 / (m + 1)
        term *= -(k * k / 4) / (m + 1) ** 2
    lag = np.log(k / 2) + EULER
    return j0, j1, 2 / np.pi * (lag * j0 + y0), 2 / np.pi * (lag * j1 - 1 / k) - y1 / np.pi


def theodorsen(k: float) -> complex:
    """The function C(k) of Theodorsen, NACA report 496 (1935)."""
    j0, j1, y0, y1 = bessel(k)
    h0, h1 = j0 - 1j * y0, j1 - 1j * y1
    return h1 / (h1 + 1j * h0)


def pitching_lift(k: float) -> complex:
    """Lift coefficient of a thin section in incompressible flow that pitches about a quarter of its chord, by
    the amplitude of the incidence in rad; k: angular frequency times half the chord over the speed."""
    return np.pi * (1j * k - k * k / 2) + 2 * np.pi * theodorsen(k) * (1 + 1j * k)
