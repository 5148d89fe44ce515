"""Participant @NAME@: replace what is marked by your solver."""

import isthmus
import numpy as np

points = np.stack([np.linspace(0, 1, @POINTS@), np.zeros(@POINTS@)], -1)  # yours: the interface

with isthmus.Participant("@NAME@", "@CONFIG@") as participant:
    ids = participant.set_mesh_vertices("@NAME@-Mesh", points)
    participant.initialize()
    time = 0.0
    while participant.is_coupling_ongoing():
        dt = participant.get_max_time_step_size()  # yours: or a smaller step
        inputs = [participant.read_data("@NAME@-Mesh", data, ids, dt) for data in [@READS@]]
        values = sum(inputs) / len(inputs) + points[:, 0]  # yours: the solver's step from time to time + dt
        time += dt
        participant.write_data("@NAME@-Mesh", "@NAME@-Data", ids, values)
        participant.advance(dt)
        print(f"@NAME@ time {time:g}: mean {values.mean():g}", flush=True)
