# SPDX-License-Identifier: BSD-3-Clause
"""The configuration of a replay: written for two participants, or taken from a file that is given."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import quoteattr

from isthmus.check import describe
from isthmus.errors import IsthmusError
from isthmus.replay.settings import Mapping, Settings


def write_config(path: Path, settings: Settings) -> None:
    """B writes scalar and vector data, A reads them through a mapping; A may write back."""
    (a, b), how = settings.sides, settings.coupling
    data = [name for name, wanted in (("S", how.scalar), ("V", how.vector)) if wanted]
    back = ["F"] if how.back else []
    if not data:
        raise IsthmusError("a replay needs scalar data, vector data or both")
    a.reads, b.writes, a.writes, b.reads = data, data, back, back
    lines = ['<?xml version="1.0"?>', "<precice-configuration>"]
    lines += [f'  <data:{"scalar" if name == "S" else "vector"} name="{name}"/>' for name in data + back]
    for side in (a, b):
        lines += [f'  <mesh name={quoteattr(side.mesh)} dimensions="{settings.dimensions}">',
                  *(f'    <use-data name="{name}"/>' for name in data + back), "  </mesh>"]
    found = "" if how.initialization is None else f' initialization="{how.initialization}"'
    if how.initialization == "two-level":
        found = ' use-two-level-initialization="true"'  # the only way that preCICE knows a word for
    lines += [f'  <m2n:{how.transport} acceptor="{b.name}" connector="{a.name}" '
              f'exchange-directory="."{found}/>',
              f'  <participant name="{b.name}">', f'    <provide-mesh name="{b.mesh}"/>',
              *(f'    <write-data name="{name}" mesh="{b.mesh}"/>' for name in data),
              *(f'    <read-data name="{name}" mesh="{b.mesh}"/>' for name in back), "  </participant>",
              f'  <participant name="{a.name}">', f'    <provide-mesh name="{a.mesh}"/>',
              f'    <receive-mesh name="{b.mesh}" from="{b.name}"/>',
              *(f'    <read-data name="{name}" mesh="{a.mesh}"/>' for name in data),
              *(f'    <write-data name="{name}" mesh="{a.mesh}"/>' for name in back),
              *_mappings(settings), "  </participant>",
              f"  <coupling-scheme:{how.scheme}>",
              f'    <participants first="{b.name}" second="{a.name}"/>',
              f'    <max-time-windows value="{how.windows}"/>', '    <time-window-size value="1.0"/>',
              *(f'    <exchange data="{name}" mesh="{b.mesh}" from="{b.name}" to="{a.name}"/>'
                for name in data),
              *(f'    <exchange data="{name}" mesh="{b.mesh}" from="{a.name}" to="{b.name}"/>'
                for name in back),
              f"  </coupling-scheme:{how.scheme}>", "</precice-configuration>", ""]
    path.write_text("\n".join(lines))


def _mappings(settings: Settings) -> list[str]:
    a, b = settings.sides
    mapping = settings.mapping
    lines = _mapping(mapping, "read", mapping.constraint, (b.mesh, a.mesh))
    back = _mapping(mapping, "write", "conservative", (a.mesh, b.mesh)) if settings.coupling.back else []
    return lines + back


def _mapping(mapping: Mapping, direction: str, constraint: str, meshes: tuple[str, str]) -> list[str]:
    source, target = meshes
    kind = f"mapping:{mapping.kind}"
    head = f'    <{kind} direction="{direction}" constraint="{constraint}" from="{source}" to="{target}"'
    head += f" {mapping.options}" if mapping.options else ""
    is_ours = mapping.kind in ("auto", "intersection")
    if direction == "read" and constraint != "consistent" and not is_ours:
        head += ' parallel="true"'  # preCICE does not let several ranks do this
    if not mapping.kind.startswith("rbf"):
        return [head + "/>"]
    no_radius = mapping.basis in ("thin-plate-splines", "volume-splines")
    radius = "" if no_radius else f' support-radius="{mapping.support_radius:g}"'
    return [head + ">", f"      <basis-function:{mapping.basis}{radius}/>", f"    </{kind}>"]


def adopt_config(path: Path, settings: Settings) -> None:
    """Takes the names of meshes and data from a given configuration; its participants must be the sides."""
    described = describe(path)
    participants = {entry["name"]: entry for entry in described["participants"]}
    names = [side.name for side in settings.sides]
    if set(participants) != set(names):
        raise IsthmusError(f"{path} has the participants {', '.join(participants)}; the replay needs "
                           f"{' and '.join(names)}, see --participants")
    for side in settings.sides:
        entry = participants[side.name]
        if len(entry["provides"]) != 1:
            count = len(entry["provides"])
            raise IsthmusError(f"{path}: {side.name} provides {count} meshes; a replay needs 1")
        side.mesh = entry["provides"][0]
        side.writes = [use["data"] for use in entry["writes"] if use["mesh"] == side.mesh]
        side.reads = [use["data"] for use in entry["reads"] if use["mesh"] == side.mesh]
