# SPDX-License-Identifier: BSD-3-Clause
"""The program of calls.c in Python: calls.py isthmus|precice CONFIGURATION A|B"""

import importlib
import sys

import numpy as np

coupler = importlib.import_module(sys.argv[1])
config, name = sys.argv[2:]
SHAPE = [(0, 0), (1, 0), (1, 1), (0, 1)]


def say(line: int, *values: object) -> None:
    numbers = np.concatenate([np.asarray(value, dtype=float).ravel() for value in values])
    print(f"{line}:", *(f"{number:.17g}" for number in numbers))


def heat(places: np.ndarray, window: int) -> np.ndarray:
    return places @ [1.0, 2.0, 4.0] + 100 * window


def define_skin(participant: object, height: float) -> tuple[np.ndarray, np.ndarray]:
    places = np.array([(10 * e + x, y, height) for e in range(6) for x, y in SHAPE[:2 + e // 2]], dtype=float)
    first = participant.set_mesh_vertex("Skin", places[0])
    ids = np.array([first, *participant.set_mesh_vertices("Skin", places[1:])])
    participant.set_mesh_edge("Skin", ids[0], ids[1])
    participant.set_mesh_edges("Skin", [ids[2:4]])
    participant.set_mesh_triangle("Skin", *ids[4:7])
    participant.set_mesh_triangles("Skin", [ids[7:10]])
    participant.set_mesh_quad("Skin", *ids[10:14])
    participant.set_mesh_quads("Skin", [ids[14:18]])
    return places, ids


def define_solid(participant: object) -> tuple[np.ndarray, np.ndarray]:
    places = np.array([(10 * e, 0, 0) + np.eye(4, 3, -1)[v] for e in range(2) for v in range(4)])
    ids = participant.set_mesh_vertices("Solid", places)
    participant.set_mesh_tetrahedron("Solid", *ids[:4])
    participant.set_mesh_tetrahedra("Solid", [ids[4:]])
    return places, ids


def play_a() -> None:
    a = coupler.Participant("A", config, 0, 1)
    a.start_profiling_section("outer part")
    a.start_profiling_section("inner part")
    cloud = np.array([(0.0, 0), (1, 0), (2, 0)])
    cloud_ids = a.set_mesh_vertices("Cloud", cloud)
    skin, skin_ids = define_skin(a, 0)
    a.stop_last_profiling_section()
    solid, solid_ids = define_solid(a)
    a.stop_last_profiling_section()
    say(0, a.get_mesh_dimensions("Skin"), a.get_mesh_dimensions("Cloud"),
        a.get_data_dimensions("Cloud", "Flow"), a.get_data_dimensions("Cloud", "Warmth"),
        a.get_mesh_vertex_size("Skin"),
        a.requires_mesh_connectivity_for("Skin"), a.requires_mesh_connectivity_for("Cloud"),
        a.requires_gradient_data_for("Cloud", "Flow"), a.requires_gradient_data_for("Skin", "Heat"),
        a.requires_initial_data(), 3)
    a.write_data("Skin", "Heat", skin_ids, heat(skin, 0))
    a.initialize()
    window = 0
    while a.is_coupling_ongoing():
        window += 1
        seen = []
        while not seen or not a.is_time_window_complete():
            a.write_data("Skin", "Heat", skin_ids, heat(skin, window))
            a.write_data("Solid", "Inside", solid_ids, heat(solid, window))
            x, y = cloud.T
            a.write_data("Cloud", "Flow", cloud_ids, np.stack([x + 2 * y, 3 * x - y], axis=1) + window)
            a.write_gradient_data("Cloud", "Flow", cloud_ids, np.array([[1.0, 2, 3, -1]] * 3))
            a.write_data("Cloud", "Warmth", cloud_ids, np.array([10.0, 20, 30]) + window)
            a.advance(a.get_max_time_step_size() if window == 2 else 0.25)  # whole after a reset
            seen += [a.is_time_window_complete(), a.get_max_time_step_size()]
        say(window, seen[:2], a.is_time_window_complete(), a.read_data("Cloud", "Load", cloud_ids, 0),
            a.read_data("Cloud", "Push", cloud_ids[1:], 0))
        if window == 1:
            a.reset_mesh("Skin")
            skin, skin_ids = define_skin(a, 1)
    a.finalize()


def play_b() -> None:
    b = coupler.Participant("B", config, 0, 1)
    probes = [(0.2, 0.3, 0.4), (10.2, 0.3, 0.4), *((10 * e + 0.75, 0.25, 0.5) for e in range(6))]
    ids = b.set_mesh_vertices("Probes", np.array(probes))
    target = [b.set_mesh_vertex("Target", (0.25, 0.125))]
    b.set_mesh_access_region("Cloud", np.array([-1, 1.5, -1, 1]))
    b.initialize()
    cloud_ids, places = b.get_mesh_vertex_ids_and_coordinates("Cloud")
    say(0, b.get_mesh_vertex_size("Cloud"), places, b.read_data("Probes", "Heat", ids[2:], 0))
    at = np.array([(0.9, 0.25), (-0.25, 0)])
    window = 0
    while b.is_coupling_ongoing():
        window += 1
        b.write_and_map_data("Cloud", "Load", at, np.array([5.0 + window, 1]))
        b.write_data("Cloud", "Push", cloud_ids[1:], np.array([7.0 * window]))
        b.advance(b.get_max_time_step_size())
        say(window, b.read_data("Probes", "Heat", ids[2:], 0), b.read_data("Probes", "Inside", ids[:2], 0),
            b.read_data("Target", "Flow", target, 0), b.read_data("Cloud", "Warmth", cloud_ids, 0),
            b.map_and_read_data("Cloud", "Warmth", at, 0),
            b.requires_writing_checkpoint() + b.requires_reading_checkpoint())
    b.finalize()


if name == "A":
    play_a()
else:
    play_b()
