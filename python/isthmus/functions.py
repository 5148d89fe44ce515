# SPDX-License-Identifier: BSD-3-Clause
"""Analytic functions that stand in for a solver, the same as in the program isthmus-replay.

The scalar of a function f at x is f(x), its vector is f(x) (x_1, x_3, 1) in space and f(x) (x_1, 1) in the
plane.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from isthmus.errors import IsthmusError


def cosine(x: np.ndarray) -> np.ndarray:
    return 0.78 + np.cos(10 * x.sum(1))


def franke(x: np.ndarray) -> np.ndarray:
    """Franke's function in the plane, its usual extension in space (Franke, NPS-53-79-003, 1979)."""
    z = x[:, 2] if x.shape[1] == 3 else None

    def bump(amount: float, centre: tuple[float, float, float], width: tuple[float, float, float],
             y_squared: bool = True) -> np.ndarray:
        a = 9 * x[:, 0] - centre[0]
        b = 9 * x[:, 1] - centre[1]
        power = a * a / width[0] + (b * b if y_squared else b) / width[1]
        if z is not None:
            c = 9 * z - centre[2]
            power = power + (c * c if y_squared else c) / width[2]
        return amount * np.exp(-power)

    return (bump(0.75, (2, 2, 2), (4, 4, 4)) + bump(0.75, (-1, -1, -1), (49, 10, 10), y_squared=False)
            + bump(0.5, (7, 3, 5), (4, 4, 4)) - bump(0.2, (4, 7, 5), (1, 1, 1)))


def linear(x: np.ndarray) -> np.ndarray:
    return 1 + x @ np.array([1.0, 2.0, 3.0])[: x.shape[1]]


def constant(x: np.ndarray) -> np.ndarray:
    return np.ones(len(x))


FUNCTIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "cosine": cosine, "franke": franke, "linear": linear, "constant": constant}


def evaluate(name: str, points: np.ndarray, components: int) -> np.ndarray:
    """Values (n, components) at points (n, dimensions): the scalar for one component, else the vector."""
    if name not in FUNCTIONS:
        raise IsthmusError(f"there is no function {name!r}; choose {', '.join(FUNCTIONS)}")
    value = FUNCTIONS[name](points)
    if components == 1:
        return value[:, None]
    if components != points.shape[1]:
        raise IsthmusError(f"vector data at {points.shape[1]}D points cannot have {components} components")
    factors = [points[:, 0], points[:, 2]] if components == 3 else [points[:, 0]]
    return np.column_stack([*(value * factor for factor in factors), value])
