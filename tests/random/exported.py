# SPDX-License-Identifier: BSD-3-Clause
"""What exports of a participant show: tables of points and values of all data."""

import numpy as np


def shown(player, first, complete):
    """The mesh as it is now, and a table of points and values of all data."""
    mesh = player.world.mesh(first.name, (max(player.complete - complete, 0), False))
    columns = [mesh.points]
    for data in player.case.data_on(mesh.name):
        flow = next(f for f in player.incoming + player.outgoing if f.name == data)
        if flow in player.incoming:
            columns.append(player.read(flow, np.inf)[:, : flow.components])
        else:
            nothing = np.zeros((len(mesh.points), flow.components))
            columns.append(player.settled.get((mesh.name, data), nothing))
    return mesh, np.hstack(columns)


def shown_received(player, mesh):
    """The same of a mesh of another participant; for one rank and for several, which columns can be told.
    What is written is mapped when it is sent. Several ranks have of each data what its mapping needs."""
    alike = len({(w.scheme.window, w.scheme.windows, w.scheme.max_time) for w in player.windows}) == 1
    flows = [f for f in player.case.flows if f.mapped_by == player.name and f.exchanged_on == mesh.name]
    alone = len({(f.target_mesh, f.direction) for f in flows}) == 1
    columns, one, several = [mesh.points], [True] * mesh.dim, [True] * mesh.dim
    for data in player.case.data_on(mesh.name):
        flow = next((f for f in flows if f.name == data), None)
        if flow is None:
            continue
        if flow in player.incoming:
            accessed = player.case.meshes[flow.target_mesh].access
            at = player.on_arrival(flow, np.inf) if accessed else player.waves[flow.data].at(np.inf)
            columns.append(at[:, : flow.components])
        else:
            nothing = np.zeros((len(mesh.points), flow.components))
            columns.append(player.settled.get((mesh.name, data), nothing))
        one += [alike or flow in player.incoming] * flow.components
        several += [alone and flow in player.incoming] * flow.components
    return mesh, np.hstack(columns), (np.array(one), np.array(several))
