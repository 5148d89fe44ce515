# SPDX-License-Identifier: BSD-3-Clause
"""A cylinder on a spring, free to move across the flow: cylinder.py CONFIGURATION STIFFNESS [CSV]

    m y'' + k y = F        without damping; m = 2.5, in lengths of D, speeds of U, densities of the fluid

One vertex is the whole cylinder. Steps are those of the trapezoidal rule. Writes time, y, F, and drag."""

import sys

import numpy as np

import isthmus

MASS, STIFFNESS = 2.5, float(sys.argv[2])
START = 0.4  # it is held there and let go

with isthmus.Participant("Cylinder", sys.argv[1]) as participant:
    ids = participant.set_mesh_vertices("Cylinder-Mesh", [[0.0, 0.0]])
    if participant.requires_initial_data():
        participant.write_data("Cylinder-Mesh", "Displacement", ids, [[0.0, START]])
    participant.initialize()
    y0, v0, a0 = START, 0.0, -STIFFNESS * START / MASS
    time, rows = 0.0, []
    while participant.is_coupling_ongoing():
        participant.requires_writing_checkpoint()
        dt = participant.get_max_time_step_size()
        drag, force = participant.read_data("Cylinder-Mesh", "Force", ids, dt)[0]
        known = y0 + dt * v0 + dt**2 / 4 * a0
        a = (force - STIFFNESS * known) / (MASS + dt**2 / 4 * STIFFNESS)
        y = known + dt**2 / 4 * a
        participant.write_data("Cylinder-Mesh", "Displacement", ids, [[0.0, y]])
        participant.advance(dt)
        if not participant.requires_reading_checkpoint():
            time += dt
            y0, v0, a0 = y, v0 + dt / 2 * (a0 + a), a
            rows.append((time, y, force, drag))

times, places, forces, drags = np.array(rows).T
if len(sys.argv) > 3:
    np.savetxt(sys.argv[3], rows, delimiter=",", header="time,y,force,drag", comments="")
late = times > 0.6 * times[-1]
peaks = [n for n in np.flatnonzero(late)[1:-1] if places[n - 1] < places[n] >= places[n + 1]]
if len(peaks) > 2:
    cycles = slice(peaks[0], peaks[-1])
    print(f"Cylinder: amplitude {np.ptp(places[cycles]) / 2:.4f} frequency "
          f"{(len(peaks) - 1) / (times[peaks[-1]] - times[peaks[0]]):.4f} lift {np.ptp(forces[cycles]):.4f} "
          f"mean drag {2 * drags[cycles].mean():.4f}")
print(f"Cylinder: last place {places[-1]:.15e} last force {forces[-1]:.15e} {drags[-1]:.15e}")
