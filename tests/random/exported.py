# SPDX-License-Identifier: BSD-3-Clause
"""What a participant leaves: tables of its watches, and of points and values of all data where it exports."""

import numpy as np
from outputs import integral_row, known, point_row


class Outputs:
    def __init__(self, case, name):
        self.latest, self.earlier = {}, {}  # by mesh and data, what was written: in this window, before
        self.tables = {w.name: [] for w in case.watches_of(name)}
        self.exports = case.exports_of(name)
        self.exported = [[] for _ in self.exports]  # number, time, meshes and tables

    @property
    def are_wanted(self):
        return bool(self.tables or self.exports)

    def watch(self, player):
        self.earlier |= self.latest
        self.latest = {}
        case, clock = player.case, player.clock
        for watch in case.watches_of(player.name):
            mesh = player.world.mesh(watch.mesh, (max(clock.complete - 1, 0), False))
            fields = []
            for data in case.data_on(watch.mesh):
                flow = next(f for f in player.incoming + player.outgoing if f.name == data)
                nothing = np.zeros((len(mesh.points), flow.components))
                if flow in player.incoming:
                    fields.append(player.read(flow, clock.time)[:, : flow.components])
                else:
                    fields.append(self.earlier.get((watch.mesh, data), nothing))
            kept = known(case, watch.mesh, mesh)
            row = integral_row if watch.kind == "integral" else point_row
            self.tables[watch.name].append(row(watch, kept, clock.time, fields))

    def show(self, player, complete, repeats):
        """To files, the latest that there is."""
        case, clock = player.case, player.clock
        number = case.window_numbers(player.name)[clock.complete - 1] if clock.complete else 0
        due = [export.shows(number, complete, repeats) for export in self.exports]
        own = [shown(player, mesh, complete) for mesh in case.shown_by(player.name) if any(due)]
        received = [shown_received(player, mesh) for mesh in case.received_by(player.name) if any(due)]
        for export, seen, is_due in zip(self.exports, self.exported, due, strict=True):
            if is_due:
                same = seen and seen[-1][0] == number and not export.every_iteration  # files
                seen[len(seen) - bool(same) :] = [(number, clock.time, own, received)]


def shown(player, first, complete):
    """The mesh as it is now, and a table of points and values of all data."""
    mesh = player.world.mesh(first.name, (max(player.clock.complete - complete, 0), False))
    columns = [mesh.points]
    for data in player.case.data_on(mesh.name):
        flow = next(f for f in player.incoming + player.outgoing if f.name == data)
        if flow in player.incoming:
            columns.append(player.read(flow, np.inf)[:, : flow.components])
        else:
            nothing = np.zeros((len(mesh.points), flow.components))
            columns.append(player.outputs.earlier.get((mesh.name, data), nothing))
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
            columns.append(player.outputs.earlier.get((mesh.name, data), nothing))
        one += [alike or flow in player.incoming] * flow.components
        several += [alone and flow in player.incoming] * flow.components
    return mesh, np.hstack(columns), (np.array(one), np.array(several))
