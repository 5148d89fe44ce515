# SPDX-License-Identifier: BSD-3-Clause
"""A valid case from a seed."""

import numpy as np
from case import Case, Flow, Mapping, Mesh, Scheme
from reference import Stuck, Unsteady, play

RANKS = 5  # of the job in which cases are played


class Generator:
    def __init__(self, seed):
        self.seed = seed
        self.random = np.random.default_rng(seed)

    def chance(self, probability):
        return self.random.random() < probability

    def choose(self, *options):
        return options[self.random.integers(len(options))]

    def count(self, *range_):
        return int(self.random.integers(*range_))

    def case(self):
        names = list("ABCD"[: self.choose(2, 2, 2, 3, 3, 4)])
        self.dim = self.choose(2, 3)
        self.meshes = {}
        for name in names:
            for i in range(self.choose(1, 1, 2)):
                self.add_mesh(name, f"{name}{i}")
        self.mappings = {}
        self.flows = []
        schemes = self.schemes(names)
        for i, scheme in enumerate(schemes):
            self.add_flows(i, scheme)
        for scheme in schemes:
            if scheme.implicit:
                self.complete(scheme, [f for f in self.flows if schemes[f.scheme] is scheme])
        for flow in self.flows:
            self.close_loop(flow)
        used = {m for f in self.flows for m in (f.source_mesh, f.target_mesh)}
        return Case(
            self.seed,
            names,
            {name: self.steps(min(s.window for s in schemes if name in s.members)) for name in names},
            {name: mesh for name, mesh in self.meshes.items() if name in used},
            self.flows,
            schemes,
            self.variants(names),
        )

    def add_mesh(self, owner, name):
        elements = self.choose(1, 2, self.count(3, 12), self.count(3, 40))
        corners = 1
        points = self.random.random((elements * corners, self.dim))
        points[0] = self.random.uniform(0.4, 0.6) if elements == 1 else 0.4 * points[0]
        points[-1] = points[-1] if elements == 1 else 1 - 0.4 * points[-1]  # meshes apart are refused
        self.meshes[name] = Mesh(
            name,
            owner,
            self.dim,
            corners,
            points,
            self.random.random(elements) ** self.choose(1, 1, 3, 0.3),
            self.random.random(elements),
        )

    def steps(self, window):
        cuts = np.sort(self.random.uniform(0.05, 0.95, self.choose(0, 0, 1, 2, 4)))
        return [*(np.diff(cuts, prepend=0) * window).tolist(), 2 * window]

    def variants(self, names):
        result = [(self.choose("automatic", "tcp", "shm"), {})]
        for transport in self.random.permutation(["automatic", "tcp", "shm", "mpi"])[:2]:
            ranks = {name: 1 for name in names}
            for _ in range(self.count(1, RANKS - len(names) + 1)):
                ranks[self.choose(*names)] += 1
            result.append((str(transport), ranks))
        return result

    # schemes

    def schemes(self, names):
        order = [str(name) for name in self.random.permutation(names)]
        self.window = self.choose(1.0, 0.1, float(self.random.uniform(0.3, 3)))
        self.windows = self.count(1, 5)
        if len(names) > 2 and self.chance(0.3):
            return [self.scheme("multi", order)]
        schemes, iterating = [], set()
        pairs = [(order[self.count(0, i)], order[i]) for i in range(1, len(order))]
        if len(order) > 2 and self.chance(0.3):
            more = (order[0], order[-1])
            pairs += [more] if more not in pairs else []
        for first, second in pairs:
            kinds = ["serial-explicit", "parallel-explicit"]
            if not iterating & {first, second}:
                kinds += 2 * ["serial-implicit", "parallel-implicit"]
            kind = self.choose(*kinds)
            if kind.endswith("implicit"):
                iterating |= {first, second}
            if self.chance(0.15):
                first, second = second, first
            schemes.append(self.scheme(kind, [first, second]))
        return schemes

    def scheme(self, kind, members):
        return Scheme(kind, members, self.window, self.windows)

    def complete(self, scheme, flows):
        """Measures and acceleration."""
        scheme.max_iterations = self.count(1, 6)
        if scheme.kind == "multi":
            flows = [f for f in flows if scheme.leader in (f.source, f.target)]
        for flow in flows:
            if self.chance(0.6):
                kind = self.choose("absolute", "relative", "residual-relative", "absolute-or-relative")
                limit = 10 ** self.random.uniform(-4, -1)
                scheme.measures.append(
                    (kind, flow.data, float(limit), float(limit * 0.1), bool(self.chance(0.2)))
                )
        accelerated = [f for f in flows if scheme.kind != "serial-implicit" or f.source == scheme.leader]
        if accelerated and self.chance(0.5):  # refused without data to accelerate
            scheme.acceleration = {"kind": "constant", "relaxation": float(self.random.uniform(0.2, 1))}

    # data

    def add_flows(self, number, scheme):
        if scheme.kind == "multi":
            pairs = [(scheme.leader, m) for m in scheme.members[1:]]
        else:
            pairs = [tuple(scheme.members)]
        for one, other in pairs:
            for i in range(self.choose(1, 2, 2, 3)):
                both = (one, other) if i == 0 else (other, one)
                source, target = both if self.chance(0.8) else both[::-1]
                self.add_flow(number, scheme, source, target)

    def mesh_of(self, owner):
        return self.choose(*[m for m in self.meshes.values() if m.owner == owner])

    def add_flow(self, number, scheme, source, target):
        a, b = self.mesh_of(source), self.mesh_of(target)
        key = a.name, b.name
        if key not in self.mappings:
            self.mappings[key] = self.choose("read", "write"), self.mapping(a, b)
        direction, mapping = self.mappings[key]
        components = self.choose(1, self.dim)
        factors = self.random.uniform(-1, 1, (components, self.dim + 3))
        flow = Flow(
            f"D{len(self.flows)}", source, target, a.name, b.name, direction, mapping, components, number
        )
        flow.factors = factors
        flow.substeps = bool(self.chance(0.6))
        flow.degree = self.choose(1, 1, 2, 3) if flow.substeps else self.choose(0, 1, 1)
        flow.initialize = bool(self.chance(0.4))
        flow.fractions = self.choose([0.0], [0.0, 1.0], [float(self.random.random()), 1.0], [])
        self.flows.append(flow)

    def mapping(self, a, b):
        return Mapping("nearest-neighbor", self.choose("consistent", "consistent", "conservative"))

    def close_loop(self, flow):
        """What a participant writes depends on what it read."""
        known = [f for f in self.flows if f.target == flow.source and f.target_mesh == flow.source_mesh]
        if known and self.chance(0.85):
            other = self.choose(*known)
            flow.feedback = other.data
            flow.gain = float(self.random.uniform(-0.9, 0.9))


def generate(seed):
    """The case, and what its participants see. Draws again what no participant could run."""
    for attempt in range(100):
        case = Generator([seed, attempt]).case()
        case.seed = seed
        try:
            with np.errstate(all="ignore"):
                return case, play(case)
        except (Stuck, Unsteady):
            continue
    raise RuntimeError(f"seed {seed} makes no valid case")
