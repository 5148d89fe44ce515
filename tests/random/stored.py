# SPDX-License-Identifier: BSD-3-Clause
"""Cases as JSON, in which those are kept that failed once."""

import json
from dataclasses import asdict, fields

import numpy as np
from case import (
    Action,
    Case,
    Duties,
    Export,
    Flow,
    Law,
    Mapping,
    Mesh,
    Reset,
    Sampling,
    Scheme,
    Setup,
    Watch,
)

# whose fields stand beside those of what they are parts of
PARTS = {Flow: {"sampling": Sampling, "law": Law}, Case: {"duties": Duties, "setup": Setup}}


def flat(kind, values):
    for name in PARTS[kind]:
        values |= values.pop(name)
    return values


def made(kind, values):
    for name, part in PARTS[kind].items():
        values[name] = part(**{f.name: values.pop(f.name) for f in fields(part) if f.name in values})
    return kind(**values)


def to_json(case, found):
    """`found`: what was wrong when the case was kept."""

    def plain(value):
        return value.tolist() if hasattr(value, "tolist") else str(value)

    values = flat(Case, asdict(case))
    values["flows"] = [flat(Flow, flow) for flow in values["flows"]]
    return json.dumps({"found": found} | values, default=plain, indent=1) + "\n"


def mesh_from(values):
    for name in ("points", "place", "order"):
        values[name] = np.array(values[name])
    resets = [Reset(**reset) for reset in values.pop("resets", [])]
    for reset in resets:
        reset.mesh = mesh_from(reset.mesh)
    return Mesh(**values, resets=resets)


def from_json(text):
    values = json.loads(text)
    values.pop("found")
    for flow in values["flows"]:
        flow["factors"] = np.array(flow["factors"])
        flow["mapping"] = Mapping(**flow["mapping"])
    values["meshes"] = {name: mesh_from(mesh) for name, mesh in values["meshes"].items()}
    values["flows"] = [made(Flow, flow) for flow in values["flows"]]
    values["schemes"] = [Scheme(**scheme) for scheme in values["schemes"]]
    values["watches"] = [Watch(**watch) for watch in values.get("watches", [])]
    values["actions"] = [Action(**action) for action in values.get("actions", [])]
    values["exports"] = [Export(**export) for export in values.get("exports", [])]
    values["variants"] = [tuple(variant) for variant in values["variants"]]
    return made(Case, values)
