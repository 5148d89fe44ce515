# SPDX-License-Identifier: BSD-3-Clause
"""The scenario of couple.cpp in Python: couple.py isthmus|precice CONFIGURATION A|B"""

import importlib
import sys

import numpy as np

coupler = importlib.import_module(sys.argv[1])
config, name = sys.argv[2:]
is_a = name == "A"
mesh = name + "-Mesh"
written, read = ("A-Heat", "B-Force") if is_a else ("B-Force", "A-Heat")
participant = coupler.Participant(name, config, 0, 1)
positions = [(i, 0.0) if is_a else (i + 0.25, 0.5) for i in range(3)]
ids = participant.set_mesh_vertices(mesh, positions)
if participant.requires_mesh_connectivity_for(mesh):
    participant.set_mesh_edge(mesh, ids[0], ids[1])
    participant.set_mesh_edges(mesh, [[ids[1], ids[2]]])
width = participant.get_data_dimensions(mesh, written)
shape = 3 if width == 1 else (3, width)
if participant.requires_initial_data():
    participant.write_data(mesh, written, ids, np.full(shape, 7.0))
participant.initialize()
time = start = 0.0
while participant.is_coupling_ongoing():
    if participant.requires_writing_checkpoint():
        start = time
    dt = participant.get_max_time_step_size()
    values = np.asarray(participant.read_data(mesh, read, ids, dt)).ravel()
    print(f"{time:.17g}:", *(f"{value:.17g}" for value in values))
    time += dt
    out = np.resize(values, 3 * width) / 3 + time + np.arange(3 * width)
    participant.write_data(mesh, written, ids, out.reshape(shape))
    participant.advance(dt)
    if participant.requires_reading_checkpoint():
        time = start
participant.finalize()
