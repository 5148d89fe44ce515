# SPDX-License-Identifier: BSD-3-Clause
"""The configuration file of a case."""

import numpy as np


def attributes(options):
    return "".join(f' {key}="{text(value)}"' for key, value in options.items())


def text(value):
    if isinstance(value, bool):
        return str(value).lower()
    return repr(float(value)) if isinstance(value, float | np.floating) else str(value)


def tag(element, content="", /, **options):
    start = element + attributes({key.rstrip("_").replace("_", "-"): v for key, v in options.items()})
    return f"<{start}>{content}</{element}>" if content else f"<{start}/>"


def written(case, name):
    """The flows of each data that a participant writes."""
    result = {}
    for flow in case.writes(name):
        result.setdefault((flow.source_mesh, flow.name), []).append(flow)
    return result


def mapping_tag(flow):
    mapping = flow.mapping
    basis = ""
    if mapping.basis:
        kind, _, name = mapping.basis.partition(":")
        basis = tag(f"basis-function:{kind}", **({name: mapping.parameter} if name else {}))
    if mapping.executor:
        basis += tag(
            f"executor:{mapping.executor}", **({"n_threads": 2} if mapping.executor == "openmp" else {})
        )
    ends = {"from_": flow.source_mesh, "to": flow.target_mesh}
    if mapping.kind == "just-in-time":
        ends.pop("to" if flow.direction == "read" else "from_")
    return tag(
        f"mapping:{'nearest-neighbor' if mapping.kind == 'just-in-time' else mapping.kind}",
        basis,
        direction=flow.direction,
        **ends,
        constraint=mapping.constraint,
        **({} if mapping.kind in ("auto", "intersection") else {"parallel": "true"}),
        **mapping.options,
    )


def action_tag(action):
    data = [tag("path", name="."), tag("module", name=action.module)] if action.module else []
    data += [tag("source-data", name=source) for source in action.sources]
    data += [tag("target-data", name=action.target)] if action.target else []
    return tag(f"action:{action.kind}", "".join(data), timing=action.timing, mesh=action.mesh)


def export_tag(export):
    return tag(
        f"export:{export.kind}",
        directory=export.directory,
        every_n_time_windows=export.every_windows,
        every_iteration=export.every_iteration,
        update_series=export.updates_series,
    )


def watch_tag(watch):
    if watch.kind == "integral":
        return tag("watch-integral", name=watch.name, mesh=watch.mesh, scale_with_connectivity=watch.scaled)
    return tag(
        "watch-point", name=watch.name, mesh=watch.mesh, coordinate="; ".join(map(text, watch.coordinate))
    )


def participant_tag(case, name):
    own = [m for m in case.meshes.values() if m.owner == name and not m.access]
    parts = [tag("provide-mesh", name=m.name) for m in own]
    received, mappings = {}, {}
    accessed = {m.received for m in case.meshes.values() if m.owner == name and m.access}

    for flow in case.flows:
        if name == flow.mapped_by:
            other = flow.exchanged_on
            more = {"api_access": True} if other in accessed else {}
            more |= case.setup.unused.get(other, {})
            received[other] = tag("receive-mesh", name=other, from_=case.meshes[other].owner, **more)
            if flow.mapping.kind != "direct":
                mappings[flow.source_mesh, flow.target_mesh] = mapping_tag(flow)
    parts += received.values()
    parts += [tag("write-data", name=data, mesh=case.known(mesh)) for mesh, data in written(case, name)]
    parts += [tag("read-data", name=f.name, mesh=case.known(f.target_mesh)) for f in case.reads(name)]
    parts += mappings.values()
    if name in case.setup.unused:
        settings = dict(case.setup.unused[name])
        parts.append(tag(f"intra-comm:{settings.pop('kind')}", **settings))
    parts += [watch_tag(w) for w in case.watches_of(name)]
    parts += [export_tag(e) for e in case.exports_of(name)]
    parts += [action_tag(a) for a in case.duties.actions if a.participant == name]
    return tag("participant", "".join(parts), name=name)


def measure_tag(case, measure):
    kind, data, limit, other, suffices, strict = measure
    flow = next(f for f in case.flows if f.data == data)
    limits = {"abs-limit": other, "rel-limit": limit} if kind == "absolute-or-relative" else {"limit": limit}
    options = limits | {"suffices": suffices, "strict": strict}
    return tag(f"{kind}-convergence-measure", data=flow.name, mesh=flow.exchanged_on, **options)


def acceleration_tag(case, scheme):
    settings = scheme.acceleration
    kind = settings["kind"]
    if kind == "constant":
        return tag("acceleration:constant", tag("relaxation", value=settings["relaxation"]))
    flows = [next(f for f in case.flows if f.data == data) for data in settings["data"]]
    if kind == "aitken":
        parts = [tag("data", name=f.name, mesh=f.exchanged_on) for f in flows]
        return tag(
            "acceleration:aitken", "".join([*parts, tag("initial-relaxation", value=settings["relaxation"])])
        )
    scaling = settings.get("scaling", {})
    parts = [tag("data", name=f.name, mesh=f.exchanged_on, scaling=scaling.get(f.data, 1.0)) for f in flows]
    parts += [
        tag("initial-relaxation", value=settings["relaxation"], enforce=settings.get("enforce", False)),
        tag("max-used-iterations", value=settings["columns"]),
        tag("time-windows-reused", value=settings["reused"]),
        tag("filter", type=settings["filter"][0], limit=settings["filter"][1]),
        tag(
            "preconditioner",
            type=settings["preconditioner"],
            freeze_after=settings.get("freeze_after", -1),
            update_on_threshold=settings.get("on_threshold", True),
        ),
    ]
    more = {
        "reduced_time_grid": settings["reduced"],
        "on_bound_violation": settings.get("reaction", "ignore"),
    }
    if kind == "IQN-IMVJ":
        more["always_build_jacobian"] = settings.get("always_build", False)
        parts.append(
            tag(
                "imvj-restart-mode",
                type=settings.get("restart", "no-restart"),
                chunk_size=settings.get("chunk", 8),
                reused_time_windows_at_restart=settings.get("windows_at_restart", 8),
                truncation_threshold=settings.get("truncation", 1e-4),
            )
        )
    return tag(f"acceleration:{kind}", "".join(parts), **more)


def scheme_tag(case, number, scheme):
    parts = []
    if scheme.kind == "multi":
        for member in scheme.members:
            parts.append(tag("participant", name=member, control=member == scheme.leader))
    else:
        parts.append(tag("participants", first=scheme.members[0], second=scheme.members[1]))
    if scheme.max_time:
        parts.append(tag("max-time", value=scheme.max_time))
    if scheme.windows:
        parts.append(tag("max-time-windows", value=scheme.windows))
    if scheme.dictated:
        parts.append(tag("time-window-size", method="first-participant"))
    else:
        more = {"method": "fixed"} if scheme.kind.startswith("serial") and number % 2 else {}
        parts.append(tag("time-window-size", value=scheme.window, **more))
    for flow in case.flows:
        if flow.scheme == number:
            parts.append(
                tag(
                    "exchange",
                    data=flow.name,
                    mesh=flow.exchanged_on,
                    from_=flow.source,
                    to=flow.target,
                    initialize=flow.sampling.initialize,
                    substeps=flow.sampling.substeps,
                )
            )
    if scheme.implicit:
        parts.append(tag("min-iterations", value=scheme.min_iterations))
        parts.append(tag("max-iterations", value=scheme.max_iterations))
        parts += [measure_tag(case, measure) for measure in scheme.measures]
        if scheme.acceleration:
            parts.append(acceleration_tag(case, scheme))
    return tag(f"coupling-scheme:{scheme.kind}", "\n    ".join(["", *parts]))


def link_tag(case, one, other):
    acceptor, connector = (other, one) if f"{other} {one}" in case.setup.links else (one, other)
    settings = dict(case.setup.links.get(f"{acceptor} {connector}", {}))
    kind = settings.pop("kind", "sockets")
    return tag(f"m2n:{kind}", acceptor=acceptor, connector=connector, **settings)


def xml(case, may_reset=False):
    """`may_reset`: meshes may change, though no participant resets one."""
    parts = ['<log enabled="false"/>', '<profiling mode="off"/>']
    for flow in {f.name: f for f in case.flows}.values():
        kind = "scalar" if flow.components == 1 else "vector"
        ends = ["lower-bound", "upper-bound"] if flow.law.bounds else []
        axes = [""] if flow.components == 1 else ["-x", "-y", "-z"][: flow.components]
        bounds = {e + axis: value for e, value in zip(ends, flow.law.bounds, strict=True) for axis in axes}
        parts.append(tag(f"data:{kind}", name=flow.name, waveform_degree=flow.sampling.degree, **bounds))
    for mesh in (m for m in case.meshes.values() if not m.access):
        uses = "".join(tag("use-data", name=data) for data in case.data_on(mesh.name))
        parts.append(tag("mesh", uses, name=mesh.name, dimensions=mesh.dim))
    parts += [participant_tag(case, name) for name in case.participants]
    pairs = {tuple(sorted((f.source, f.target))) for f in case.flows}
    for scheme in case.schemes:  # they speak of verdicts even where no data goes
        pairs |= {tuple(sorted((m, scheme.leader))) for m in scheme.members if m != scheme.leader}
    parts += [link_tag(case, *pair) for pair in sorted(pairs)]
    parts += [scheme_tag(case, i, s) for i, s in enumerate(case.schemes)]
    head = {"experimental": True, "wait_in_finalize": case.setup.waits}
    if may_reset or any(m.resets for m in case.meshes.values()):
        head["allow_remeshing"] = True
    return tag("precice-configuration", "\n  ".join(["", *parts]), **head) + "\n"
