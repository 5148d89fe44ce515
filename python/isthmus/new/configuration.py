# SPDX-License-Identifier: BSD-3-Clause
"""The configuration of a new case."""

from __future__ import annotations

from collections.abc import Sequence


def configuration(names: Sequence[str]) -> str:
    """The first participant with each of the others, explicitly and in parallel, over nearest neighbours."""
    hub, others = names[0], names[1:]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<precice-configuration>"]
    lines += [f'  <data:scalar name="{name}-Data" />' for name in names]
    for name in names:
        lines += ["", f'  <mesh name="{name}-Mesh" dimensions="2">',
                  *(f'    <use-data name="{data}-Data" />' for data in names if _uses(hub, name, data)),
                  "  </mesh>"]
    for name in names:
        partners = others if name == hub else [hub]
        lines += ["", f'  <participant name="{name}">', f'    <provide-mesh name="{name}-Mesh" />',
                  *(f'    <receive-mesh name="{other}-Mesh" from="{other}" />' for other in partners),
                  f'    <write-data name="{name}-Data" mesh="{name}-Mesh" />',
                  *(f'    <read-data name="{other}-Data" mesh="{name}-Mesh" />' for other in partners),
                  *(f'    <mapping:nearest-neighbor direction="read" from="{other}-Mesh" to="{name}-Mesh" '
                    'constraint="consistent" />' for other in partners), "  </participant>"]
    for other in others:
        lines += ["", f'  <m2n:sockets acceptor="{hub}" connector="{other}" />',
                  "  <coupling-scheme:parallel-explicit>",
                  f'    <participants first="{hub}" second="{other}" />',
                  '    <time-window-size value="0.1" />', '    <max-time value="1" />',
                  f'    <exchange data="{hub}-Data" mesh="{hub}-Mesh" from="{hub}" to="{other}" />',
                  f'    <exchange data="{other}-Data" mesh="{other}-Mesh" from="{other}" to="{hub}" />',
                  "  </coupling-scheme:parallel-explicit>"]
    return "\n".join([*lines, "</precice-configuration>", ""])


def _uses(hub: str, mesh: str, data: str) -> bool:
    return hub in (mesh, data) or mesh == data
