# SPDX-License-Identifier: BSD-3-Clause
"""What one participant does: a generator that gives way while what it waits for has not been sent."""

import numpy as np
from exported import shown, shown_received
from fixed_point import FixedPoint, Unsteady
from outputs import changed, integral_row, known, point_row
from waveform import Wave
from window import Window

START = 0, False  # as World.mesh counts


class Player:
    def __init__(self, world, name):
        self.world, self.name, self.case = world, name, world.case
        self.windows = [Window(i, s, name) for i, s in enumerate(self.case.schemes) if name in s.members]
        self.outgoing, self.incoming = self.case.writes(name), self.case.reads(name)
        self.waves = {f.data: Wave(f.degree, world.zeros(f)) for f in self.incoming}
        self.sent = {f.data: [] for f in self.outgoing}  # samples of this window
        self.time = 0.0
        self.complete = 0  # windows
        self.repeats = False  # it is not the first iteration of a window
        self.came = {}  # by data: when (World.mesh) it came
        self.log = []
        self.latest, self.settled = {}, {}  # by mesh and data, what was written: in this window, before
        self.tables = {w.name: [] for w in self.case.watches_of(name)}
        self.exports = self.case.exports_of(name)
        self.exported = [[] for _ in self.exports]  # number, time, meshes and tables

    @property
    def now(self):
        return self.complete, self.repeats

    # data

    def of(self, flows, window, partner=None):
        return [f for f in flows if f.scheme == window.number]

    def answer(self, flow, time, read):
        """Of all that one participant writes: the samples that go one way."""
        mesh = self.world.mesh(flow.source_mesh, self.now)
        points = mesh.points
        k = flow.factors
        dim = points.shape[1]
        values = k[:, 0] + points @ k[:, 1 : 1 + dim].T + k[:, dim + 1] * time + k[:, dim + 2] * time**2
        if flow.feedback and read is not None and flow.feedback in read:
            other = read[flow.feedback]
            values = values + flow.gain * other[:, np.arange(flow.components) % other.shape[1]]
        if flow.takes_gradients:
            slopes = np.broadcast_to(k[:, 1 : 1 + dim].ravel(), (len(points), flow.components * dim))
            values = np.hstack([values, slopes])
        return values * mesh.outside(flow.silent)[:, None]

    def acted(self, on, timing, flow, values_of):
        """What actions make of it. `on`: of a flow the mesh, by name and as it is."""
        values = values_of(flow)
        name, mesh = on(flow)
        for action in self.case.actions_on(name, flow.name, timing, self.name):
            flows = self.outgoing if timing.startswith("write") else self.incoming
            values = changed(action, mesh, values, [f for f in flows if on(f)[0] == name], values_of)
        return values

    def written(self, flow, time, read):
        """After mappings of what is written."""

        def on(flow):
            return flow.source_mesh, self.world.mesh(flow.source_mesh, self.now)

        return self.acted(on, "write-mapping-post", flow, lambda f: self.answer(f, time, read))

    def on_exchanged(self, flow, time, read):
        if flow.direction == "read":
            return self.written(flow, time, read)

        def on(flow):
            return flow.target_mesh, self.world.ends(flow, self.now)[1]

        def mapped(flow):
            return self.world.map(flow, self.answer(flow, time, read), self.now)

        return self.acted(on, "write-mapping-post", flow, mapped)

    def read(self, flow, time):
        """After mappings of what is read."""

        def on(flow):
            return flow.target_mesh, self.world.ends(flow, self.came.get(flow.data, START))[1]

        return self.acted(on, "read-mapping-post", flow, lambda f: self.arrived(f, time))

    def on_arrival(self, flow, time):
        """After mappings, but on the received mesh, to which the solver has access."""

        def on(flow):
            return flow.source_mesh, self.world.ends(flow, self.came.get(flow.data, START))[0]

        return self.acted(on, "read-mapping-post", flow, lambda f: self.waves[f.data].at(time))

    def arrived(self, flow, time):
        wave, then = self.waves[flow.data], self.came.get(flow.data, START)
        if self.case.meshes[flow.target_mesh].access:
            return self.world.map(flow, self.on_arrival(flow, time), then)
        scaled = flow.direction == "read" and "scaled" in flow.mapping.constraint
        if scaled and time < wave.samples[-1][0] - 1e-9:  # not linear: samples are mapped
            mapped = Wave(wave.degree, None)
            mapped.samples = [(t, self.world.map(flow, v, then)) for t, v in wave.samples]
            return mapped.at(time)
        values = wave.at(time)
        return self.world.map(flow, values, then) if flow.direction == "read" else values

    def receive(self, flow):
        return (yield from self.world.take(self.world.channels[flow.data]))

    def send(self, flow, samples):
        if any(not np.all(np.abs(v) < 1e6) for _, v in samples):
            raise Unsteady("values grow")
        self.world.channels[flow.data].append(list(samples))

    # the coupling

    def initialize(self):
        for flow in self.outgoing:
            if flow.initialize:
                values = self.written(flow, 0.0, None)
                there = self.on_exchanged(flow, 0.0, None)
                self.settled[flow.exchanged_on, flow.name] = there[:, : flow.components]
                self.settled[flow.source_mesh, flow.name] = values[:, : flow.components]
                self.send(flow, [(0.0, there)])
        for flow in self.incoming:
            if flow.initialize:
                self.waves[flow.data].samples = yield from self.receive(flow)
        for window in self.windows:
            if window.leads:
                flows = self.of(self.outgoing + self.incoming, window)
                start = {f.data: self.world.zeros(f) for f in flows if f in self.incoming}
                for f in flows:
                    if f in self.outgoing:
                        values = self.on_exchanged(f, 0.0, None)
                        start[f.data] = values if f.initialize else self.world.zeros(f)
                self.fixed_point = FixedPoint(
                    window.scheme, flows, start, {f.data: self.world.counted(f, self.name) for f in flows}
                )
        for window in self.windows:
            yield from self.receive_first(window)

    def receive_first(self, window, repeats=False):
        """The second of a serial scheme steps with what the first made of the window."""
        if window.second and window.ongoing:
            if window.scheme.dictated:
                window.size = yield from self.world.take(self.world.sizes)
            yield from self.world.hear(window, self.name)
            for flow in self.of(self.incoming, window):
                samples = yield from self.receive(flow)
                wave = self.waves[flow.data]
                wave.samples = [*wave.samples[-1:], *samples]
                self.came[flow.data] = window.count, repeats

    def advance(self, dt, read):
        self.time += dt
        for window in self.windows:
            if window.dictates:
                window.size = self.time - window.start
                self.world.sizes.append(window.size)
        due = [w for w in self.windows if w.is_due(self.time)]
        if due:
            self.time = due[0].end
        for flow in self.outgoing if self.tables or self.exports else []:
            values = self.written(flow, self.time, read)
            self.latest[flow.source_mesh, flow.name] = values[:, : flow.components]
            if self.exports and flow.direction == "write":
                self.latest[flow.exchanged_on, flow.name] = self.on_exchanged(flow, self.time, read)
        for flow in self.outgoing:
            window = next(w for w in self.windows if w.number == flow.scheme)
            beside = not window.scheme.implicit and any(w.scheme.implicit for w in self.windows)
            last = max([window.start, *(t for t, _ in self.sent[flow.data][-1:])])
            if (flow.substeps or window in due or (beside and due)) and self.time > last + 1e-9:
                values = self.on_exchanged(flow, self.time, read)
                self.sent[flow.data].append((self.time, values))
        explicit = [w for w in due if not w.scheme.implicit]
        for window in due:
            if window.scheme.implicit:
                repeats = yield from self.iterate(window)
                if repeats:
                    self.go_back(window.start)
                    window.size = None if window.dictates else window.size
                    return False, True
        for window in explicit:
            self.world.tell(window, self.name)
            for flow in self.of(self.outgoing, window):
                self.send(flow, self.chosen(flow, window))
                self.sent[flow.data] = self.sent[flow.data][-1:]  # may be sent later
        for window in explicit:
            if not window.second:
                yield from self.world.hear(window, self.name)
                for flow in self.of(self.incoming, window):
                    samples = yield from self.receive(flow)
                    self.waves[flow.data].samples = samples[-1:]
                    self.note_arrival([flow])
            window.open_next()
            if window.second:
                for flow in self.of(self.incoming, window):
                    self.waves[flow.data].keep_last()
        for window in due:  # after all that others wait for has been sent
            yield from self.receive_first(window)
        return bool(due), False

    def note_arrival(self, flows):
        self.came |= {f.data: self.now for f in flows}

    def go_back(self, start):
        """Explicit schemes stay where they are, but for their clocks."""
        self.time = start
        self.latest = {}
        for window in self.windows:
            if window.ongoing and not window.scheme.implicit:
                window.behind = max(0.0, window.start - start)
            for flow in self.of(self.outgoing, window):
                kept = max(window.start, start) + 1e-9
                self.sent[flow.data] = [s for s in self.sent[flow.data] if s[0] < kept]

    def chosen(self, flow, window):
        """Of what was written since the last exchange of an explicit scheme."""
        samples = self.sent[flow.data]
        if flow.substeps:
            return [s for s in samples if s[0] > window.start + 1e-9]
        return [(self.time, next(v for t, v in samples if t > self.time - window.behind - 1e-9))]

    def iterate(self, window):
        incoming, outgoing = self.of(self.incoming, window), self.of(self.outgoing, window)
        self.note_arrival(incoming)
        if window.leads:
            done = yield from self.lead(window, incoming, outgoing)
        else:
            self.world.tell(window, self.name)
            for flow in outgoing:
                self.send(flow, self.sent[flow.data])
            arrived = {}
            yield from self.world.hear(window, self.name)
            for flow in incoming:
                arrived[flow.data] = yield from self.receive(flow)
            done = yield from self.world.take(self.world.verdicts[window.number, self.name])
            for flow in incoming:
                wave = self.waves[flow.data]
                wave.samples = arrived[flow.data][-1:] if done else [wave.samples[0], *arrived[flow.data]]
        for flow in outgoing:
            self.sent[flow.data] = []
        if done:
            window.open_next()
        if window.second:
            for flow in incoming:
                wave = self.waves[flow.data]
                wave.samples = wave.samples[-1:] if done else wave.samples[:1]
            if not done:
                yield from self.receive_first(window, True)
        return not done

    def lead(self, window, incoming, outgoing):
        answered = {f.data: self.sent[f.data] for f in outgoing}
        if not window.second:
            yield from self.world.hear(window, self.name)
        for flow in incoming:
            wave = self.waves[flow.data]
            if window.second:
                answered[flow.data] = wave.samples[1:]
            else:
                answered[flow.data] = yield from self.receive(flow)
        flows = incoming + outgoing
        meshes = {m for f in flows for m in (f.source_mesh, f.target_mesh)}
        if self.fixed_point.iteration == 0 and any(self.is_reset(m) for m in meshes):
            new = self.complete, True  # of all meshes, whoever has reset them
            zeros = {f.data: self.world.zeros(f, new) for f in flows}
            counted = {f.data: self.world.counted(f, self.name, new) for f in flows}
            orders = {f.data: self.world.order(f, self.name, new) for f in flows}
            self.fixed_point.restart(zeros, counted, orders)
        openings = {f.data: self.waves[f.data].samples[0][1] for f in incoming}
        done = self.fixed_point.decide(answered, window.start, openings)
        for member in window.scheme.members:
            if member != self.name:
                self.world.verdicts[window.number, member].append(done)
        self.world.tell(window, self.name)
        for flow in outgoing:
            self.send(flow, answered[flow.data])
        if not window.second:
            for flow in incoming:
                wave, samples = self.waves[flow.data], answered[flow.data]
                wave.samples = samples[-1:] if done else [wave.samples[0], *samples]
        return done

    def watch(self):
        self.settled |= self.latest
        self.latest = {}
        for watch in self.case.watches_of(self.name):
            mesh = self.world.mesh(watch.mesh, (max(self.complete - 1, 0), False))
            fields = []
            for data in self.case.data_on(watch.mesh):
                flow = next(f for f in self.incoming + self.outgoing if f.name == data)
                nothing = np.zeros((len(mesh.points), flow.components))
                if flow in self.incoming:
                    fields.append(self.read(flow, self.time)[:, : flow.components])
                else:
                    fields.append(self.settled.get((watch.mesh, data), nothing))
            kept = known(self.case, watch.mesh, mesh)
            if watch.kind == "integral":
                row = integral_row(watch, kept, self.time, fields)
            else:
                row = point_row(watch, kept, self.time, fields)
            self.tables[watch.name].append(row)

    def show(self, complete, repeats):
        """To files, the latest that there is."""
        number = self.case.window_numbers(self.name)[self.complete - 1] if self.complete else 0
        due = [export.shows(number, complete, repeats) for export in self.exports]
        own = [shown(self, mesh, complete) for mesh in self.case.shown_by(self.name) if any(due)]
        received = [shown_received(self, mesh) for mesh in self.case.received_by(self.name) if any(due)]
        for export, seen, is_due in zip(self.exports, self.exported, due, strict=True):
            if is_due:
                same = seen and seen[-1][0] == number and not export.every_iteration  # files
                seen[len(seen) - bool(same) :] = [(number, self.time, own, received)]

    # the solver

    def run(self):
        yield from self.initialize()
        self.watch()
        self.show(True, False)
        step, starts = 0, True
        save = any(w.scheme.implicit for w in self.windows)
        most_windows = self.case.most_windows or np.inf
        while any(w.ongoing for w in self.windows) and self.complete < most_windows:
            most = min(w.end - self.time for w in self.windows if w.ongoing)
            steps = self.case.steps[self.name]
            mine = [name for name, m in self.case.meshes.items() if m.owner == self.name]
            new = [name for name in mine if starts and self.is_reset(name)]
            dt = most if new else min(most, steps[step % len(steps)])
            step += 0 if self.case.by_window else 1
            read, latest = [], {}
            for flow in self.incoming:
                beside = not self.case.comes_within(flow) and self.is_reset(flow.target_mesh)
                if flow.target_mesh in new or beside:  # nothing has come for its vertices
                    continue
                read += [self.read(flow, self.time + f * most) for f in flow.fractions]
                latest[flow.data] = self.read(flow, self.time + dt)
                read.append(latest[flow.data])
            head = [1, most, dt, float(save)]
            complete, repeats = yield from self.advance(dt, latest)
            ongoing = any(w.ongoing for w in self.windows)
            self.log.append((head, read, [2, float(complete), float(repeats), float(ongoing)]))
            self.complete += complete
            self.repeats = repeats or (self.repeats and not complete)
            starts = complete
            if complete:
                self.watch()
            self.show(complete, repeats)
            iterating = any(w.scheme.implicit and w.ongoing for w in self.windows)
            save = complete and iterating and self.implicit_started()
            if self.case.by_window:
                step += complete
            else:
                step = 0 if complete or repeats else step
        self.log.append(([3], [self.read(flow, self.time) for flow in self.incoming], []))

    def is_reset(self, mesh):
        mesh = self.case.meshes[mesh]
        return not mesh.access and any(reset.windows == self.complete for reset in mesh.resets)

    def implicit_started(self):
        return any(w.scheme.implicit and abs(w.start - self.time) < 1e-9 for w in self.windows)
