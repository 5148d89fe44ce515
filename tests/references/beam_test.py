# SPDX-License-Identifier: BSD-3-Clause
"""An elastic beam in two halves, clamped at both ends: A holds the left half, is given the displacement of
the cut and answers with its force, B is given that and answers with the displacement. The weight grows from
window to window, the left half stiffens. The iteration is that of plain NumPy, in as many steps; its
solution is that of Newton's method, and without stiffening the beam in one piece. beam_test.py PLAY_CASES"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from schemes_test import Case, Side, compare, write

WINDOWS = 10
LENGTH, HEIGHT, YOUNG, POISSON = 3.0, 0.4, 1e6, 0.3
ACROSS = 4  # elements
DENSITY, PULL, STIFFENING = 300.0, 2e3, 30.0


def element(dx, dy):
    """Stiffness of a rectangle in plane stress, bilinear, two Gauss points each way."""
    law = np.array([[1, POISSON, 0], [POISSON, 1, 0], [0, 0, (1 - POISSON) / 2]]) * YOUNG / (1 - POISSON**2)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    stiffness = np.zeros((8, 8))
    for x in (-1, 1):
        for y in (-1, 1):
            point = np.array([x, y]) / np.sqrt(3)
            slopes = corners * (1 + corners[:, ::-1] * point[::-1]) / 4 * 2 / [dx, dy]
            strain = np.zeros((3, 8))
            strain[0, ::2] = strain[2, 1::2] = slopes[:, 0]
            strain[1, 1::2] = strain[2, ::2] = slopes[:, 1]
            stiffness += strain.T @ law @ strain * dx * dy / 4
    return stiffness


def beam(length, along):
    """Stiffness, and the load of its weight, of a beam; nodes by columns from left to right."""
    dofs = 2 * (along + 1) * (ACROSS + 1)
    stiffness, load = np.zeros((dofs, dofs)), np.zeros(dofs)
    part = element(length / along, HEIGHT / ACROSS)
    weight = -DENSITY * length / along * HEIGHT / ACROSS / 4
    for i in range(along):
        for j in range(ACROSS):
            first = i * (ACROSS + 1) + j
            nodes = np.array([first, first + ACROSS + 1, first + ACROSS + 2, first + 1])
            at = np.stack([2 * nodes, 2 * nodes + 1], axis=1).ravel()
            stiffness[np.ix_(at, at)] += part
            load[at[1::2]] += weight
    return stiffness, load


def halves(left, right):
    """How a half answers in its cut, once it is clamped at the other end: force = S u - load."""
    cut = 2 * (ACROSS + 1)
    result = []
    for (stiffness, load), inner, outer in ((left, slice(cut, -cut), slice(-cut, None)),
                                            (right, slice(cut, -cut), slice(0, cut))):
        solved = np.linalg.solve(stiffness[inner, inner], stiffness[inner, outer])
        schur = stiffness[outer, outer] - stiffness[outer, inner] @ solved
        result.append((schur, load[outer] - solved.T @ load[inner]))
    return result


def sides(cubic=STIFFENING):
    """The weight grows with time. A's force is what it does to B."""
    (of_a, load_a), (of_b, load_b) = halves(beam(0.45 * LENGTH, 9), beam(0.55 * LENGTH, 11))
    inverse = np.linalg.inv(of_b)
    pull = np.zeros_like(load_a)
    pull[::2] = PULL
    return Side(pull, load_a, -of_a, cubic), Side(np.zeros_like(pull), inverse @ load_b, inverse)


def in_one_piece(time):
    """The displacement where the halves are cut."""
    stiffness, load = beam(LENGTH, 20)
    cut = 2 * (ACROSS + 1)
    load = load * time
    load[9 * cut : 10 * cut : 2] += PULL
    inner = slice(cut, -cut)
    return np.linalg.solve(stiffness[inner, inner], load[inner])[8 * cut : 9 * cut]


def solution(a, b, time):
    """Newton's method on both halves."""
    times, u = np.array([time]), np.zeros(len(a.constant))
    for _ in range(30):
        answer = b.answer(times, a.answer(times, u[None]))[0]
        slope = b.matrix @ a.matrix @ np.diag(1 + 3 * a.cubic * u**2)
        u = u - np.linalg.solve(np.eye(u.size) - slope, u - answer)
    return u


def cases():
    for kind in ("serial-implicit", "parallel-implicit"):
        for filter_, reused in (("none", 0), ("none", 15), ("QR1:1e-6", 0)):
            yield Case(
                kind,
                "relative",
                f"IQN-ILS filter={filter_} reused={reused} columns=100",
                sides=sides(),
                windows=WINDOWS,
                relaxation=0.1,
                limit=1e-4,
            )


def main():
    wrong = []
    one_piece = in_one_piece(1)
    if not np.allclose(solution(*sides(0.0), 1), one_piece, atol=1e-9 * np.abs(one_piece).max()):
        wrong.append("the halves are not the beam")
    everything = list(cases())
    with tempfile.TemporaryDirectory() as folder:
        folders = [Path(folder) / str(number) for number in range(len(everything))]
        for case, place in zip(everything, folders, strict=True):
            write(case, place)
        subprocess.run([sys.argv[1], *map(str, folders)], check=True, timeout=1500)
        for case, place in zip(everything, folders, strict=True):
            wrong += compare(case, place, 1e-4)[0]
            log = np.loadtxt(place / "precice-B-iterations.log", skiprows=1)
            print(f"{case.kind}, {case.acceleration}: {log[:, 2]} iterations, {log[-1, 1]:.0f} in all")
            if not np.all(log[:, 3] == 1):
                wrong.append(f"{case}: windows without convergence: {log[:, 2:4]}")
            expected = solution(*case.sides, WINDOWS)
            found = np.loadtxt(place / "B.txt")[-1, case.vertices :]
            error = np.abs(found - expected).max() / np.abs(expected).max()
            if error > 1e-2:
                wrong.append(f"{case}: the displacement is wrong by {error}")
    print("\n".join(wrong), f"{len(everything)} cases, {len(wrong)} differences", sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
