# SPDX-License-Identifier: BSD-3-Clause
"""Makes a case smaller while what is wrong with it stays."""

import copy

import numpy as np
from case import Mapping
from play import Batch, find_mpirun, judge
from reference import UNSTEADY, Stuck, key_of, play

OTHERS = ("config.xml:", "do not overlap")  # errors that a change brings


def without_flows(case, gone):
    for flow in [f for f in case.flows if f.data in gone]:
        case.flows.remove(flow)
    for flow in case.flows:
        flow.law.feedback = "" if flow.law.feedback in gone else flow.law.feedback
    for scheme in case.schemes:
        scheme.measures = [m for m in scheme.measures if m[1] not in gone]
        if "data" in scheme.acceleration:
            scheme.acceleration["data"] = [d for d in scheme.acceleration["data"] if d not in gone]
    keep = [i for i in range(len(case.schemes)) if any(f.scheme == i for f in case.flows)]
    for flow in case.flows:
        flow.scheme = keep.index(flow.scheme)
    case.schemes = [case.schemes[i] for i in keep]
    case.participants = [p for p in case.participants if any(p in s.members for s in case.schemes)]
    used = {m for f in case.flows for m in (f.source_mesh, f.target_mesh)}
    case.meshes = {name: m for name, m in case.meshes.items() if name in used}
    kept = {(f.name, m) for f in case.flows for m in (f.source_mesh, f.target_mesh)}
    duties = case.duties
    duties.actions = [a for a in duties.actions if {(d, a.mesh) for d in (a.target, *a.sources)} <= kept]
    duties.watches = [w for w in duties.watches if w.mesh in case.meshes]
    duties.exports = [e for e in duties.exports if e.participant in case.participants]
    case.variants = [
        (transport, {p: r for p, r in ranks.items() if p in case.participants})
        for transport, ranks in case.variants
    ]


def drops(case):
    for i in range(len(case.schemes)):
        yield lambda c, i=i: without_flows(c, {f.data for f in c.flows if f.scheme == i})
    for p in case.participants:
        yield lambda c, p=p: drop_member(c, p)
    for flow in case.flows:
        yield lambda c, d=flow.data: without_flows(c, {d})


def drop_member(case, name):
    for scheme in case.schemes:
        if scheme.kind == "multi" and len(scheme.members) > 2 and name != scheme.leader:
            scheme.members = [m for m in scheme.members if m != name]
    without_flows(case, {f.data for f in case.flows if name in (f.source, f.target)})


def part_of(flow, attribute):
    """The flow or the part of it that has the attribute."""
    return next(one for one in (flow, flow.sampling, flow.law) if hasattr(one, attribute))


def simpler_flows(case):
    for i, flow in enumerate(case.flows):
        plain = {
            "feedback": "",
            "initialize": False,
            "substeps": flow.sampling.substeps and flow.sampling.degree > 1,
            "fractions": [],
            "direction": "read",
            "silent": (0, 0),
        }
        has_access = flow.mapping.kind in ("direct", "just-in-time")
        if has_access:
            plain.pop("direction")
        if not flow.sampling.substeps:
            plain["degree"] = 1
        for name, value in plain.items():
            if getattr(part_of(flow, name), name) != value:
                yield lambda c, i=i, n=name, v=value: simplify(c, i, n, v)
        if flow.sampling.substeps and flow.sampling.degree > 1:
            yield lambda c, i=i: simplify(c, i, "degree", 1)
        if has_access:
            continue
        if flow.mapping.kind != "nearest-neighbor":
            yield lambda c, i=i, m=flow.mapping: simplify_mapping(
                c, i, Mapping("nearest-neighbor", m.constraint)
            )
        if flow.mapping.constraint != "consistent":
            yield lambda c, i=i, m=flow.mapping: simplify_mapping(
                c, i, Mapping(m.kind, "consistent", m.options, m.basis, m.parameter)
            )


def simplify(case, i, attribute, value):
    """Of all flows of the same data."""
    name = case.flows[i].name
    for flow in case.flows:
        if flow.name == name:
            setattr(part_of(flow, attribute), attribute, value)


def simplify_mapping(case, i, mapping):
    old = case.flows[i].mapping
    for flow in case.flows:
        flow.mapping = mapping if flow.mapping is old else flow.mapping


def simpler_schemes(case):
    for i, scheme in enumerate(case.schemes):
        if scheme.acceleration:
            yield lambda c, i=i: setattr(c.schemes[i], "acceleration", {})
        if scheme.max_iterations > 1:
            yield lambda c, i=i, n=scheme.max_iterations - 1: setattr(c.schemes[i], "max_iterations", n)
        if scheme.min_iterations > 1:
            yield lambda c, i=i: setattr(c.schemes[i], "min_iterations", 1)
        for m in range(len(scheme.measures)):
            yield lambda c, i=i, m=m: c.schemes[i].measures.pop(m)
        if scheme.kind == "multi" and len(scheme.members) == 2:
            yield lambda c, i=i: as_pair(c.schemes[i])
    if any(s.windows > 1 for s in case.schemes):
        yield fewer_windows


def as_pair(scheme):
    scheme.kind, scheme.members = "parallel-implicit", scheme.members[::-1]


def fewer_windows(case):
    for scheme in case.schemes:
        scheme.windows = max(1, scheme.windows - 1)


def simpler_rest(case):
    for name in case.participants:
        if len(case.steps[name]) > 1:
            yield lambda c, n=name: c.steps.__setitem__(n, c.steps[n][-1:])
            yield lambda c, n=name: c.steps.__setitem__(n, c.steps[n][1:])
    for v, (transport, ranks) in enumerate(case.variants):
        if len(case.variants) > 1:
            yield lambda c, v=v: c.variants.pop(v)
        if transport != "automatic":
            yield lambda c, v=v, r=ranks: c.variants.__setitem__(v, ("automatic", r))
        for name, count in ranks.items():
            if count > 1:
                yield lambda c, v=v, n=name: c.variants[v][1].__setitem__(n, c.variants[v][1][n] - 1)
    if case.refused:
        yield lambda c: setattr(c, "refused", [])
    for i in range(len(case.duties.actions)):
        yield lambda c, i=i: c.duties.actions.pop(i)
    for i in range(len(case.duties.watches)):
        yield lambda c, i=i: c.duties.watches.pop(i)
    for i in range(len(case.duties.exports)):
        yield lambda c, i=i: c.duties.exports.pop(i)
    if case.most_windows:
        yield lambda c: setattr(c, "most_windows", 0)
    for name, mesh in case.meshes.items():
        if mesh.resets:
            yield lambda c, n=name: setattr(c.meshes[n], "resets", [])
            for i in range(len(mesh.resets)):
                yield lambda c, n=name, i=i: c.meshes[n].resets.pop(i)
                if not mesh.resets[i].by_all:
                    yield lambda c, n=name, i=i: setattr(c.meshes[n].resets[i], "by_all", True)
            continue
        if any(m.received == name and m.access == "direct" for m in case.meshes.values()):
            continue
        count = len(mesh.place)
        halves = [range(count // 2), range(count // 2, count)] if count > 3 else []
        for keep in halves + [[i for i in range(count) if i != j] for j in range(count) if count <= 6]:
            if len(keep):
                yield lambda c, n=name, k=keep: c.meshes[n].drop(np.array(k))


def candidates(case):
    for change in (*drops(case), *simpler_schemes(case), *simpler_flows(case), *simpler_rest(case)):
        small = copy.deepcopy(case)
        try:
            change(small)
            if not small.schemes:
                continue
            with np.errstate(all="ignore"):
                yield small, play(small)
        except (Stuck, *UNSTEADY, ArithmeticError, LookupError, ValueError):
            continue


def shrink(program, case, tolerance, say=print):
    """The smallest case found, and what is wrong with it."""
    problem = ""
    while True:
        smaller = list(candidates(case))
        runs, owner = [], []
        for i, (small, expected) in enumerate(smaller):
            for variant in small.variants:
                if key_of(small, variant) in expected:
                    runs.append((small, variant))
                    owner.append(i)
        batch = Batch(program, runs, find_mpirun())
        batch.play()
        for number, (small, variant) in enumerate(runs):
            wrong = batch.problems.get(number) or judge(
                small, smaller[owner[number]][1], variant, batch.reports.get(number, {}), tolerance(small)
            )
            if wrong and not any(text in wrong for text in OTHERS):
                case, problem = small, wrong
                vertices = sum(len(m.points) for m in case.meshes.values())
                say(f"  {len(case.flows)} flows, {vertices} vertices: {wrong[:150]}")
                break
        else:
            return case, problem
