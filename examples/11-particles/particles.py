# SPDX-License-Identifier: BSD-3-Clause
"""Particles in a flow: particles.py CONFIGURATION [PICTURE]

Each is dragged by the fluid around it, v' = (u - v) / RESPONSE, and drags the fluid. They are in no mesh:
velocity is read where each is, and the momentum that it lost is given to the fluid there."""

import sys

import numpy as np

import isthmus

ROWS, RESPONSE, LOADING = 24, 0.5, 0.5  # loading: mass of all particles by that of the fluid
SIDE = 2 * np.pi
picture = sys.argv[2] if len(sys.argv) > 2 else None
MASS = LOADING * SIDE**2 / ROWS**2

row = (np.arange(ROWS) + 0.3) * SIDE / ROWS
x = np.stack(np.meshgrid(row, row, indexing="ij"), axis=-1).reshape(-1, 2)
v = np.full_like(x, [1.0, 0.5])
first = v.mean(axis=0)
times, means = [0.0], [first]  # of their velocity
line = np.linspace(0, SIDE, 25)[:-1]
grid = np.stack(np.meshgrid(line, line, indexing="ij"), axis=-1).reshape(-1, 2)  # for the picture

with isthmus.Participant("Particles", sys.argv[1]) as participant:
    participant.set_mesh_access_region("Flow-Mesh", [0, SIDE, 0, SIDE])
    participant.initialize()

    def fluid(at: np.ndarray, time: float) -> np.ndarray:
        return participant.map_and_read_data("Flow-Mesh", "Velocity", at % SIDE, time)

    while participant.is_coupling_ongoing():
        if participant.requires_writing_checkpoint():
            x0, v0, u0 = x, v, fluid(x, 0)
        dt = participant.get_max_time_step_size()
        # trapezoidal rule; the places at the end are those of the iteration before
        x = x0 + dt / 2 * (v0 + v)
        change = dt / RESPONSE / 2
        v = ((1 - change) * v0 + change * (u0 + fluid(x, dt))) / (1 + change)
        participant.write_and_map_data("Flow-Mesh", "Force", (x0 + x) / 2 % SIDE, MASS * (v0 - v) / dt)
        if picture:
            arrows = fluid(grid, dt)
        participant.advance(dt)
        if not participant.requires_reading_checkpoint():
            times.append(times[-1] + dt)
            means.append(v.mean(axis=0))


def in_still_fluid(t: np.ndarray) -> np.ndarray:
    """By what factor particles spread evenly slow down where nothing else moves the fluid."""
    return (LOADING + np.exp(-(1 + LOADING) * t / RESPONSE)) / (1 + LOADING)


momentum = MASS * v.sum(axis=0)
law = np.outer(in_still_fluid(np.array(times)), first)
print(f"Particles: momentum {momentum[0]:.12f} {momentum[1]:.12f}, at first {MASS * len(x) * first[0]:.12f} "
      f"{MASS * len(x) * first[1]:.12f}; beside the law for still fluid {np.abs(means - law).max():.3e}")
if picture:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(10, 4.6), constrained_layout=True)
    axes[0].quiver(*grid.T, *arrows.T, color="0.7")
    axes[0].plot(*(x % SIDE).T, ".", markersize=3)
    axes[0].set(xlabel="x", ylabel="y", aspect="equal", title=f"flow and particles at t = {times[-1]:g}")
    fine = np.linspace(0, times[-1], 200)
    axes[1].plot(times, np.array(means)[:, 0], "k.", label="particles")
    axes[1].plot(times, LOADING * (first - means)[:, 0], "k+", label="fluid, from what they lost")
    axes[1].plot(fine, first[0] * in_still_fluid(fine), label="law for still fluid")
    axes[1].set(xlabel="time", ylabel="mean velocity along x")
    axes[1].legend()
    figure.savefig(picture, dpi=120)
