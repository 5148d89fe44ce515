# SPDX-License-Identifier: BSD-3-Clause
"""A valid case from a seed."""

import copy
from dataclasses import replace
from itertools import combinations

import numpy as np
from case import RANKS, Case, Duties, Flow, Mapping, Scheme, Setup
from generate_mappings import Mappings
from generate_meshes import Meshes
from generate_outputs import Outputs
from reference import UNSTEADY, Stuck, play


class Generator(Meshes, Mappings, Outputs):
    def __init__(self, seed, attempt):
        self.seed = seed
        self.random = np.random.default_rng([seed, attempt])

    def case(self):
        names = list("ABCD"[: self.choose(2, 2, 2, 3, 3, 4)])
        self.dim = self.choose(2, 3)
        self.meshes, self.mappings, self.flows = {}, {}, []
        for name in names:
            for i in range(self.choose(1, 1, 2)):
                self.add_mesh(name, f"{name}{i}")
        schemes = self.schemes(names)
        self.leaders = {s.leader for s in schemes if s.implicit}
        for i, scheme in enumerate(schemes):
            self.add_flows(i, scheme)
        steady = not any(s.dictated or s.max_time for s in schemes) and len({s.window for s in schemes}) == 1
        for flow in self.flows:
            self.close_loop(flow)
            shared = {f.scheme for f in self.flows if f.name == flow.name}
            if len(shared) > 1 and len({s.window for s in schemes}) > 1:
                # which single sample an explicit scheme sends hangs on the other one
                flow.sampling.substeps = True
                flow.sampling.degree = max(flow.sampling.degree, 1)
        for i, scheme in enumerate(schemes):
            if scheme.implicit:
                self.complete(scheme, [f for f in self.flows if f.scheme == i], steady)
        if self.is_ambiguous():
            raise Stuck
        used = {m for f in self.flows for m in (f.source_mesh, f.target_mesh)}
        self.empty_meshes()
        self.single_steps = False
        self.add_resets(schemes, used)
        variants = self.variants(names)
        smallest = {name: min(s.window for s in schemes if name in s.members) for name in names}
        return Case(
            self.seed,
            names,
            {name: self.steps(smallest[name], schemes[0].dictated) for name in names},
            {name: mesh for name, mesh in self.meshes.items() if name in used},
            self.flows,
            schemes,
            variants,
            schemes[0].dictated,
            [name for name in names if self.chance(0.1)],
            self.early_end(schemes),
            Duties(
                self.watches(used, schemes), self.actions(schemes), self.exports(names, variants, schemes)
            ),
            Setup(self.links(names), bool(self.chance(0.15)), self.unused(names, used)),
        )

    def early_end(self, schemes):
        """Where nobody waits in the last advance() for what the others do not send any more."""
        alike = len({s.window for s in schemes}) == 1
        if alike and not any(s.kind.startswith("serial") for s in schemes) and self.chance(0.2):
            return self.count(1, 4)
        return 0

    def steps(self, window, by_window=False):
        if self.single_steps:
            return [2 * window]
        if by_window:
            return (window * self.random.uniform(0.4, 1.5, 3)).tolist()
        cuts = np.sort(self.random.uniform(0.05, 0.95, self.choose(0, 0, 1, 2, 4)))
        return [*(np.diff(cuts, prepend=0) * window).tolist(), 2 * window]

    def variants(self, names):
        result = [(self.choose("automatic", "tcp", "shm"), {})]
        for transport in self.random.permutation(["automatic", "tcp", "shm", "mpi"])[:2]:
            ranks = dict.fromkeys(names, 1)
            for _ in range(self.count(1, min(RANKS - len(names), 5) + 1) if self.chance(0.8) else RANKS):
                name = self.choose(*names)
                ranks[name] += ranks[name] < 4 and sum(ranks.values()) < RANKS
            result.append((str(transport), ranks))
        return result

    # schemes

    def schemes(self, names):
        order = [str(name) for name in self.random.permutation(names)]
        self.window = self.choose(1.0, 0.1, float(self.random.uniform(0.3, 3)))
        self.windows = self.count(1, 5)
        if len(names) > 2 and self.chance(0.3):
            scheme = self.scheme("multi", order)
            if self.chance(0.2):  # the last window is shorter
                scheme.max_time, scheme.windows = self.window * (scheme.windows - 0.3), 0
            return [scheme]
        if len(names) == 2 and self.chance(0.15):
            scheme = self.scheme(self.choose("serial-explicit", "serial-implicit"), order)
            scheme.dictated = True
            scheme.max_time = self.window * self.windows if self.chance(0.7) else 0
            return [scheme]
        schemes, iterating = [], set()
        part = float(self.random.uniform(0.1, 0.9)) if self.chance(0.15) else 0
        pairs = [(order[self.count(0, i)], order[i]) for i in range(1, len(order))]
        if len(order) > 2 and self.chance(0.3):
            more = (order[0], order[-1])
            pairs += [more] if more not in pairs else []
        if self.chance(0.1):
            pairs.append(self.choose(*pairs))  # a second scheme of the same two
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
        if len(schemes) > 1 and self.chance(0.6):
            for scheme in schemes:
                scheme.window *= self.choose(1, 2, 3, 0.5)
        if part:  # the last window is shorter
            for scheme in schemes:
                scheme.max_time, scheme.windows = self.window * (self.windows - 1 + part), 0
        return schemes

    def scheme(self, kind, members):
        windows = self.windows if self.chance(0.85) else self.count(1, 5)
        return Scheme(kind, members, self.window, windows)

    def complete(self, scheme, flows, steady):
        """Measures and acceleration."""
        scheme.max_iterations = self.count(1, 7)
        scheme.min_iterations = self.count(1, scheme.max_iterations + 1) if self.chance(0.2) else 1
        if scheme.kind == "multi":
            flows = [f for f in flows if scheme.leader in (f.source, f.target)]
        names = [f.name for f in flows]
        for flow in flows:
            if self.chance(0.6) and names.count(flow.name) == 1:
                kind = self.choose("absolute", "relative", "residual-relative", "absolute-or-relative")
                limit = 10 ** self.random.uniform(-4, -1)
                marks = bool(self.chance(0.2)), bool(self.chance(0.06))
                scheme.measures.append((kind, flow.data, float(limit), float(limit * 0.1), *marks))
        accelerated = [f for f in flows if scheme.kind != "serial-implicit" or f.source == scheme.leader]
        alone = len(set(names)) == len(names)
        if accelerated and alone and self.chance(0.7):  # refused without data to accelerate
            self.accelerate(scheme, accelerated, steady)

    def accelerate(self, scheme, flows, steady):
        fixed = steady or not any(f.sampling.substeps for f in flows)  # the number of samples
        kind = self.choose("constant", "aitken", "IQN-ILS", "IQN-IMVJ") if fixed else "constant"
        chosen = [f.data for f in flows if self.chance(0.7)] or [flows[0].data]
        scheme.acceleration = {
            "kind": kind,
            "relaxation": float(self.random.uniform(0.2, 1)),
            "columns": self.choose(2, 20),
            "reused": 0 if kind == "IQN-IMVJ" else self.choose(0, 1, 3),
            "filter": self.choose(("QR1", 1e-3), ("QR1-absolute", 1e-6), ("QR2", 1e-2), ("QR3", 1e-2)),
            "preconditioner": self.choose("constant", "value", "residual", "residual-sum"),
            "reduced": bool(self.chance(0.6)),
        }
        if kind.startswith("IQN"):
            self.refine(scheme.acceleration, flows)
        if kind != "constant":
            scheme.acceleration["data"] = [str(data) for data in self.random.permutation(chosen)]

    def refine(self, settings, flows):
        """What is mostly left as it is."""
        settings["enforce"] = bool(self.chance(0.2))
        settings["freeze_after"] = self.choose(-1, -1, 0, 1, 2)
        settings["on_threshold"] = bool(self.chance(0.7))
        if self.chance(0.3):
            settings["scaling"] = {f.data: float(self.random.uniform(0.2, 5)) for f in flows}
        settings["reaction"] = self.choose("ignore", "clamp", "discard", "scale")
        if settings["kind"] == "IQN-IMVJ":
            settings["reused"] = self.choose(0, 0, 1, 2)
            settings["restart"] = self.choose("no-restart", "RS-0", "RS-LS", "RS-SVD", "RS-SLIDE")
            settings["always_build"] = settings["restart"] == "no-restart" and bool(self.chance(0.5))
            settings["chunk"] = self.count(1, 4)
            settings["windows_at_restart"] = self.count(0, 4)
            settings["truncation"] = self.choose(1e-4, 1e-2)

    # data

    def add_flows(self, number, scheme):
        if scheme.kind == "multi":
            pairs = [(scheme.leader, m) for m in scheme.members[1:]]
            pairs += [pair for pair in combinations(scheme.members[1:], 2) if self.chance(0.4)]
        else:
            pairs = [tuple(scheme.members)]
        for one, other in pairs:
            for i in range(self.choose(1, 2, 2, 3)):
                both = (one, other) if i == 0 else (other, one)
                source, target = both if self.chance(0.8) else both[::-1]
                self.add_flow(number, scheme, source, target)
                if self.chance(0.2):
                    self.add_companion(self.flows[-1])

    def mesh_of(self, owner):
        return self.choose(*[m for m in self.meshes.values() if m.owner == owner and not m.access])

    def add_flow(self, number, scheme, source, target):
        if self.chance(0.12) and not scheme.dictated:
            self.add_access(number, source, target)
            return
        a, b = self.mesh_of(source), self.mesh_of(target)
        known = {f.name for f in self.flows if f.target == target}
        originals = [f for f in self.flows if f.source == source and f.name not in known]
        originals = [f for f in originals if not self.meshes[f.source_mesh].access]
        original = self.choose(*originals) if originals and self.chance(0.3) else None
        a = self.meshes[original.source_mesh] if original else a
        key = a.name, b.name
        if key not in self.mappings:
            self.mappings[key] = self.choose("read", "write"), self.mapping(a, b)
        direction, mapping = self.mappings[key]
        components = original.components if original else self.choose(1, self.dim)
        data = f"D{len(self.flows)}"
        flow = Flow(data, source, target, a.name, b.name, direction, mapping, components, number)
        self.fill(flow, original)
        if scheme.dictated:
            flow.sampling.fractions = []  # of what may be an enormous step
        self.flows.append(flow)

    def add_companion(self, flow):
        """Data with the same samples, from another mesh to the same one: a script may join both."""
        own = [m for m in self.meshes.values() if m.owner == flow.source and not m.access]
        others = [m for m in own if m.name != flow.source_mesh]
        if flow.direction != "write" or self.meshes[flow.source_mesh] not in own or not others:
            return
        mesh = self.choose(*others)
        key = mesh.name, flow.target_mesh
        if key not in self.mappings:
            self.mappings[key] = "write", self.mapping(mesh, self.meshes[flow.target_mesh])
        direction, mapping = self.mappings[key]
        ends = flow.source, flow.target, *key
        companion = Flow(f"D{len(self.flows)}", *ends, direction, mapping, flow.components, flow.scheme)
        self.fill(companion, None)
        companion.sampling = replace(flow.sampling)
        self.flows.append(companion)

    def add_access(self, number, source, target):
        """The solver itself reads from a received mesh, or writes to it."""
        direction = self.choose("read", "write")
        own, partner = (target, source) if direction == "read" else (source, target)
        real = self.mesh_of(partner)
        name = f"{own}-{real.name}"
        if name not in self.meshes:
            self.meshes[name] = self.places(name, own, real)
        places = self.meshes[name]
        constraint = "consistent" if direction == "read" else "conservative"
        a, b = (real, places) if direction == "read" else (places, real)
        flow = Flow(
            f"D{len(self.flows)}",
            source,
            target,
            a.name,
            b.name,
            direction,
            self.mappings.setdefault((a.name, b.name), (direction, Mapping(places.access, constraint)))[1],
            self.choose(1, self.dim),
            number,
        )
        self.fill(flow, None)
        if direction == "write":
            flow.sampling.initialize = False  # vertices are not known before
        self.flows.append(flow)

    def fill(self, flow, original):
        """What does not hang on its meshes."""
        components, sampling, law = flow.components, flow.sampling, flow.law
        flow.name = original.name if original else flow.data
        shape = components, self.dim + 3
        law.factors = original.law.factors if original else self.random.uniform(-1, 1, shape)
        sampling.substeps = bool(self.chance(0.6))
        sampling.degree = self.choose(1, 1, 2, 3) if sampling.substeps else self.choose(0, 1, 1)
        if original:
            sampling.substeps, sampling.degree = original.sampling.substeps, original.sampling.degree
            law.silent = original.law.silent
        elif self.chance(0.15):
            law.silent = (float(self.random.uniform(-0.5, 0.8)), float(self.random.uniform(0.2, 1.5)))
        sampling.initialize = original.sampling.initialize if original else bool(self.chance(0.4))
        law.bounds = original.law.bounds if original else [-1.5, float(self.random.uniform(-0.5, 2))]
        if not original and self.chance(0.8):
            law.bounds = []
        if flow.direction == "write" and law.bounds:
            law.bounds[1] = abs(law.bounds[1])  # vertices that no mapping reaches keep zero
        sampling.fractions = self.choose([0.0], [0.0, 1.0], [float(self.random.random()), 1.0], [])

    def is_ambiguous(self):
        """A mapping takes all data that both meshes have: none may have come there in another way."""
        has = {(f.name, m) for f in self.flows for m in (f.source_mesh, f.target_mesh)}
        meant = {(f.name, f.source_mesh, f.target_mesh) for f in self.flows}
        return any(
            (f.name, g.source_mesh) in has
            and (f.name, g.target_mesh) in has
            and (f.name, g.source_mesh, g.target_mesh) not in meant
            for f in self.flows
            for g in self.flows
        )

    def close_loop(self, flow):
        """What a participant writes depends on what it read."""
        original = next(f for f in self.flows if f.name == flow.name)
        flow.law.feedback, flow.law.gain = original.law.feedback, original.law.gain
        known = [f for f in self.flows if f.target == flow.source and f.target_mesh == flow.source_mesh]
        if original is flow and known and self.chance(0.85):
            other = self.choose(*known)
            flow.law.feedback = other.data
            flow.law.gain = float(self.random.uniform(-0.9, 0.9))


def lenient(case):
    """A configuration whose participants would wait for each other is refused, also where one of them would
    fail before."""
    result = copy.deepcopy(case)
    for scheme in result.schemes:
        scheme.measures = [(*measure[:5], False) for measure in scheme.measures]
    return result


def generate(seed):
    """The case, and what its participants see. Draws again what no participant could run."""
    for attempt in range(100):
        try:
            case = Generator(seed, attempt).case()
            with np.errstate(all="ignore"):
                seen = play(case)
                if any(one.failed for one in seen.values()):
                    play(lenient(case))
                return case, seen
        except (Stuck, *UNSTEADY, ZeroDivisionError):
            continue
    raise RuntimeError(f"seed {seed} makes no valid case")
