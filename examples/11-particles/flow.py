# SPDX-License-Identifier: BSD-3-Clause
"""A fluid that feels particles: flow.py CONFIGURATION SPEED_OF_THE_VORTICES

Incompressible flow in a periodic square of side 2 pi by Fourier series and Runge-Kutta steps. It starts as
an array of vortices; the drag of the particles moves it. Its mean velocity is free: momentum is conserved."""

import sys

import numpy as np

import isthmus

NODES, VISCOSITY = 24, 0.01
SPACING = 2 * np.pi / NODES

waves = np.fft.fftfreq(NODES, 1 / NODES)
k = np.stack(np.meshgrid(waves, waves, indexing="ij"))
k[:, np.abs(k).max(axis=0) == NODES / 2] = 0  # the highest wave has no derivative
k2 = (k**2).sum(axis=0)
resolved = np.abs(k).max(axis=0) < NODES / 3


def projected(f: np.ndarray) -> np.ndarray:
    """Without divergence, Fourier coefficients in and out; the mean stays."""
    return f - k * (k * f).sum(axis=0) / np.where(k2 > 0, k2, 1)


def slope(u: np.ndarray, force: np.ndarray) -> np.ndarray:
    velocity = np.fft.ifft2(u).real
    gradient = np.fft.ifft2(1j * k[:, None] * u).real  # [along, component]
    convection = np.fft.fft2((velocity[:, None] * gradient).sum(axis=0)) * resolved
    return projected(force - convection) - VISCOSITY * k2 * u


def step(u: np.ndarray, force: np.ndarray, dt: float) -> np.ndarray:
    first = slope(u, force)
    second = slope(u + dt / 2 * first, force)
    third = slope(u + dt / 2 * second, force)
    return u + dt / 6 * (first + 2 * second + 2 * third + slope(u + dt * third, force))


# The coupling mesh repeats the first row and column at the far ends.
line = np.arange(NODES + 1)
periodic = np.ix_(line % NODES, line % NODES)
places = SPACING * np.stack(np.meshgrid(line, line, indexing="ij"), axis=-1).reshape(-1, 2)


def at_mesh(u: np.ndarray) -> np.ndarray:
    return np.stack([part[periodic].ravel() for part in np.fft.ifft2(u).real], axis=-1)


def from_mesh(values: np.ndarray) -> np.ndarray:
    """Fourier coefficients of a force per area, of forces on the vertices; what repeats adds up."""
    force = np.zeros((2, NODES, NODES))
    for part, given in zip(force, values.reshape(NODES + 1, NODES + 1, 2).transpose(2, 0, 1), strict=True):
        np.add.at(part, periodic, given)
    return np.fft.fft2(force / SPACING**2)


x, y = np.meshgrid(line[:-1] * SPACING, line[:-1] * SPACING, indexing="ij")
u = float(sys.argv[2]) * np.fft.fft2(np.stack((np.sin(x) * np.cos(y), -np.cos(x) * np.sin(y))))

with isthmus.Participant("Flow", sys.argv[1]) as participant:
    ids = participant.set_mesh_vertices("Flow-Mesh", places)
    if participant.requires_initial_data():
        participant.write_data("Flow-Mesh", "Velocity", ids, at_mesh(u))
    participant.initialize()
    while participant.is_coupling_ongoing():
        if participant.requires_writing_checkpoint():
            start = u
        dt = participant.get_max_time_step_size()
        u = step(start, from_mesh(participant.read_data("Flow-Mesh", "Force", ids, dt)), dt)
        participant.write_data("Flow-Mesh", "Velocity", ids, at_mesh(u))
        participant.advance(dt)
        participant.requires_reading_checkpoint()  # every iteration begins at `start`

momentum = (2 * np.pi) ** 2 * u[:, 0, 0].real / NODES**2
print(f"Flow: momentum {momentum[0]:.12f} {momentum[1]:.12f}")
