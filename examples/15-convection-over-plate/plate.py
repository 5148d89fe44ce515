# SPDX-License-Identifier: BSD-3-Clause
"""A plate that is warm below and heats a fluid above: plate.py CONFIGURATION [NPZ]

    dT/dt = k lap T, T = 1 at the lower side, what the fluid takes leaves through the upper one

Lengths, times and heat in units of the fluid's height, diffusion and conduction. Steps of Euler's
implicit rule on rectangles. Writes time, heat and mean temperature of the upper side, and the last field."""

import sys

import numpy as np

import isthmus

LENGTH, DEPTH, THICKNESS, CONDUCTIVITY = 2.0157, 0.125, 0.25, 2.0
COLUMNS, ROWS = 24, 3


def half_ends(count: int) -> np.ndarray:
    """The parts of cells that belong to count + 1 nodes."""
    return np.r_[0.5, np.ones(count - 1), 0.5]


def conduction() -> tuple[np.ndarray, np.ndarray]:
    """Volumes of the nodes, rows from below, and what leaves them by their temperatures."""
    dx, dz = LENGTH / COLUMNS, THICKNESS / ROWS
    number = np.arange((ROWS + 1) * (COLUMNS + 1)).reshape(ROWS + 1, COLUMNS + 1)
    matrix = np.zeros((number.size, number.size))
    across = CONDUCTIVITY * DEPTH * dz / dx * half_ends(ROWS)[:, None] * np.ones(COLUMNS)
    upward = CONDUCTIVITY * DEPTH * dx / dz * np.ones((ROWS, 1)) * half_ends(COLUMNS)
    for a, b, factor in ((number[:, :-1], number[:, 1:], across), (number[:-1], number[1:], upward)):
        np.add.at(matrix, (a.ravel(), a.ravel()), factor.ravel())
        np.add.at(matrix, (b.ravel(), b.ravel()), factor.ravel())
        np.add.at(matrix, (a.ravel(), b.ravel()), -factor.ravel())
        np.add.at(matrix, (b.ravel(), a.ravel()), -factor.ravel())
    volumes = DEPTH * dx * dz * np.outer(half_ends(ROWS), half_ends(COLUMNS)).ravel()
    return volumes, matrix


volumes, matrix = conduction()
top = slice(ROWS * (COLUMNS + 1), None)
with isthmus.Participant("Plate", sys.argv[1]) as participant:
    x = np.linspace(0, LENGTH, COLUMNS + 1)
    ids = participant.set_mesh_vertices(
        "Plate-Mesh", np.column_stack((x, np.full_like(x, DEPTH / 2), np.zeros_like(x))))
    temperature = np.ones_like(volumes)
    if participant.requires_initial_data():
        participant.write_data("Plate-Mesh", "Temperature", ids, temperature[top])
    participant.initialize()
    step = participant.get_max_time_step_size()
    system = matrix + np.diag(volumes / step)
    system[: COLUMNS + 1] = np.eye(COLUMNS + 1, len(system))  # the lower side
    inverse = np.linalg.inv(system)
    time, iterations, rows = 0.0, 0, []
    while participant.is_coupling_ongoing():
        participant.requires_writing_checkpoint()
        heat = participant.read_data("Plate-Mesh", "Heat", ids, step)
        right = volumes / step * temperature
        right[top] -= heat
        right[: COLUMNS + 1] = 1
        new = inverse @ right
        participant.write_data("Plate-Mesh", "Temperature", ids, new[top])
        participant.advance(step)
        iterations += 1
        if not participant.requires_reading_checkpoint():
            time += step
            temperature = new
            mean = float(np.average(new[top], weights=half_ends(COLUMNS)))
            rows.append((time, float(np.sum(heat)) / (LENGTH * DEPTH), mean))

if len(sys.argv) > 2:
    np.savez(sys.argv[2], history=rows, temperature=temperature.reshape(ROWS + 1, -1),
             size=(LENGTH, THICKNESS))
time, heat, mean = rows[-1]
print(f"Plate: heat {heat:.9f} temperature of the upper side {mean:.9f} by the plate alone "
      f"{1 - heat * THICKNESS / CONDUCTIVITY:.9f} iterations {iterations / len(rows):.2f}")
