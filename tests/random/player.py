# SPDX-License-Identifier: BSD-3-Clause
"""What one participant does: a generator that gives way while what it waits for has not been sent."""

from dataclasses import dataclass

import numpy as np
from exported import Outputs
from fixed_point import FixedPoint, Unsteady
from outputs import changed
from waveform import Wave
from window import Window

START = 0, False  # as World.mesh counts


@dataclass
class Clock:
    time: float = 0.0
    complete: int = 0  # windows
    repeats: bool = False  # it is not the first iteration of a window


class Player:
    def __init__(self, world, name):
        self.world, self.name = world, name
        self.windows = [Window(i, s, name) for i, s in enumerate(self.case.schemes) if name in s.members]
        self.outgoing, self.incoming = self.case.writes(name), self.case.reads(name)
        self.waves = {f.data: Wave(f.sampling.degree, world.zeros(f)) for f in self.incoming}
        self.sent = {f.data: [] for f in self.outgoing}  # samples of this window
        self.clock = Clock()
        self.came = {}  # by data: when (World.mesh) it came
        self.log = []
        self.fixed_point = None  # where it leads
        self.outputs = Outputs(self.case, name)

    @property
    def case(self):
        return self.world.case

    @property
    def now(self):
        return self.clock.complete, self.clock.repeats

    # data

    def of(self, flows, window, partner=None):
        return [f for f in flows if f.scheme == window.number]

    def answer(self, flow, time, read):
        """Of all that one participant writes: the samples that go one way."""
        mesh = self.world.mesh(flow.source_mesh, self.now)
        points = mesh.points
        k = flow.law.factors
        dim = points.shape[1]
        values = k[:, 0] + points @ k[:, 1 : 1 + dim].T + k[:, dim + 1] * time + k[:, dim + 2] * time**2
        if flow.law.feedback and read is not None and flow.law.feedback in read:
            other = read[flow.law.feedback]
            values = values + flow.law.gain * other[:, np.arange(flow.components) % other.shape[1]]
        if flow.takes_gradients:
            slopes = np.broadcast_to(k[:, 1 : 1 + dim].ravel(), (len(points), flow.components * dim))
            values = np.hstack([values, slopes])
        return values * mesh.outside(flow.law.silent)[:, None]

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
            if flow.sampling.initialize:
                values = self.written(flow, 0.0, None)
                there = self.on_exchanged(flow, 0.0, None)
                self.outputs.earlier[flow.exchanged_on, flow.name] = there[:, : flow.components]
                self.outputs.earlier[flow.source_mesh, flow.name] = values[:, : flow.components]
                self.send(flow, [(0.0, there)])
        for flow in self.incoming:
            if flow.sampling.initialize:
                self.waves[flow.data].samples = yield from self.receive(flow)
        for window in self.windows:
            if window.leads:
                flows = self.of(self.outgoing + self.incoming, window)
                start = {f.data: self.world.zeros(f) for f in flows if f in self.incoming}
                for f in flows:
                    if f in self.outgoing:
                        values = self.on_exchanged(f, 0.0, None)
                        start[f.data] = values if f.sampling.initialize else self.world.zeros(f)
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
            yield from self.world.learn(window, self.name)
            for flow in self.of(self.incoming, window):
                samples = yield from self.receive(flow)
                wave = self.waves[flow.data]
                wave.samples = [*wave.samples[-1:], *samples]
                self.came[flow.data] = window.count, repeats

    def advance(self, dt, read):
        self.clock.time += dt
        for window in self.windows:
            if window.dictates:
                window.size = self.clock.time - window.start
                self.world.sizes.append(window.size)
        due = [w for w in self.windows if w.is_due(self.clock.time)]
        if due:
            self.clock.time = due[0].end
        for flow in self.outgoing if self.outputs.are_wanted else []:
            values = self.written(flow, self.clock.time, read)
            self.outputs.latest[flow.source_mesh, flow.name] = values[:, : flow.components]
            if self.outputs.exports and flow.direction == "write":
                there = self.on_exchanged(flow, self.clock.time, read)
                self.outputs.latest[flow.exchanged_on, flow.name] = there
        for flow in self.outgoing:
            window = next(w for w in self.windows if w.number == flow.scheme)
            beside = not window.scheme.implicit and any(w.scheme.implicit for w in self.windows)
            last = max([window.start, *(t for t, _ in self.sent[flow.data][-1:])])
            is_wanted = flow.sampling.substeps or window in due or (beside and due)
            if is_wanted and self.clock.time > last + 1e-9:
                values = self.on_exchanged(flow, self.clock.time, read)
                self.sent[flow.data].append((self.clock.time, values))
        explicit = [w for w in due if not w.scheme.implicit]
        for window in due:
            if window.scheme.implicit:
                repeats = yield from self.iterate(window)
                if repeats:
                    self.go_back(window.start)
                    window.size = None if window.dictates else window.size
                    return False, True
        for window in explicit:
            self.world.notify(window, self.name)
            for flow in self.of(self.outgoing, window):
                self.send(flow, self.chosen(flow, window))
                self.sent[flow.data] = self.sent[flow.data][-1:]  # may be sent later
        for window in explicit:
            if not window.second:
                yield from self.world.learn(window, self.name)
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
        self.clock.time = start
        self.outputs.latest = {}
        for window in self.windows:
            if window.ongoing and not window.scheme.implicit:
                window.behind = max(0.0, window.start - start)
            for flow in self.of(self.outgoing, window):
                kept = max(window.start, start) + 1e-9
                self.sent[flow.data] = [s for s in self.sent[flow.data] if s[0] < kept]

    def chosen(self, flow, window):
        """Of what was written since the last exchange of an explicit scheme."""
        samples = self.sent[flow.data]
        if flow.sampling.substeps:
            return [s for s in samples if s[0] > window.start + 1e-9]
        return [(self.clock.time, next(v for t, v in samples if t > self.clock.time - window.behind - 1e-9))]

    def iterate(self, window):
        incoming, outgoing = self.of(self.incoming, window), self.of(self.outgoing, window)
        self.note_arrival(incoming)
        if window.leads:
            done = yield from self.lead(window, incoming, outgoing)
        else:
            self.world.notify(window, self.name)
            for flow in outgoing:
                self.send(flow, self.sent[flow.data])
            arrived = {}
            yield from self.world.learn(window, self.name)
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
            yield from self.world.learn(window, self.name)
        for flow in incoming:
            wave = self.waves[flow.data]
            if window.second:
                answered[flow.data] = wave.samples[1:]
            else:
                answered[flow.data] = yield from self.receive(flow)
        flows = incoming + outgoing
        meshes = {m for f in flows for m in (f.source_mesh, f.target_mesh)}
        if self.fixed_point.iteration == 0 and any(self.is_reset(m) for m in meshes):
            new = self.clock.complete, True  # of all meshes, whoever has reset them
            zeros = {f.data: self.world.zeros(f, new) for f in flows}
            counted = {f.data: self.world.counted(f, self.name, new) for f in flows}
            orders = {f.data: self.world.order(f, self.name, new) for f in flows}
            self.fixed_point.restart(zeros, counted, orders)
        openings = {f.data: self.waves[f.data].samples[0][1] for f in incoming}
        done = self.fixed_point.decide(answered, window.start, openings)
        for member in window.scheme.members:
            if member != self.name:
                self.world.verdicts[window.number, member].append(done)
        self.world.notify(window, self.name)
        for flow in outgoing:
            self.send(flow, answered[flow.data])
        if not window.second:
            for flow in incoming:
                wave, samples = self.waves[flow.data], answered[flow.data]
                wave.samples = samples[-1:] if done else [wave.samples[0], *samples]
        return done

    # the solver

    def run(self):
        yield from self.initialize()
        self.outputs.watch(self)
        self.outputs.show(self, True, False)
        step, starts = 0, True
        save = any(w.scheme.implicit for w in self.windows)
        most_windows = self.case.most_windows or np.inf
        while any(w.ongoing for w in self.windows) and self.clock.complete < most_windows:
            most = min(w.end - self.clock.time for w in self.windows if w.ongoing)
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
                read += [self.read(flow, self.clock.time + f * most) for f in flow.sampling.fractions]
                latest[flow.data] = self.read(flow, self.clock.time + dt)
                read.append(latest[flow.data])
            head = [1, most, dt, float(save)]
            complete, repeats = yield from self.advance(dt, latest)
            ongoing = any(w.ongoing for w in self.windows)
            self.log.append((head, read, [2, float(complete), float(repeats), float(ongoing)]))
            self.clock.complete += complete
            self.clock.repeats = repeats or (self.clock.repeats and not complete)
            starts = complete
            if complete:
                self.outputs.watch(self)
            self.outputs.show(self, complete, repeats)
            iterating = any(w.scheme.implicit and w.ongoing for w in self.windows)
            save = complete and iterating and self.implicit_started()
            if self.case.by_window:
                step += complete
            else:
                step = 0 if complete or repeats else step
        self.log.append(([3], [self.read(flow, self.clock.time) for flow in self.incoming], []))

    def is_reset(self, mesh):
        mesh = self.case.meshes[mesh]
        return not mesh.access and any(reset.windows == self.clock.complete for reset in mesh.resets)

    def implicit_started(self):
        return any(w.scheme.implicit and abs(w.start - self.clock.time) < 1e-9 for w in self.windows)
