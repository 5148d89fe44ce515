# SPDX-License-Identifier: BSD-3-Clause
"""Configurations of coupled runs for tests in Python, as couple::Scenario makes those of the tests in C++:
participants, meshes and connections follow from the flows and schemes."""

from dataclasses import dataclass, field


@dataclass
class Flow:
    """Data that one participant writes on its mesh and another reads on its own, NAME-Mesh each."""

    source: str
    target: str
    data: str
    direction: str = "read"  # who maps: the reader or the writer
    constraint: str = "consistent"
    vector: bool = False
    initialize: bool = False
    substeps: bool = True
    of_data: str = ""  # further attributes of <data>

    @property
    def meshes(self) -> tuple[str, str]:
        return f"{self.source}-Mesh", f"{self.target}-Mesh"

    @property
    def shared_mesh(self) -> str:
        """That of who does not map, which travels."""
        return self.meshes[0 if self.direction == "read" else 1]


@dataclass
class Scheme:
    first: str
    second: str
    kind: str = "parallel-explicit"
    window: float = 1
    max_time: float = 0
    max_windows: int = 0
    control: str = ""  # further children: iterations, measures, acceleration
    network: str = ""  # by which the two are joined


@dataclass
class Scenario:
    schemes: list[Scheme]
    flows: list[Flow]
    dimensions: int = 2
    head: str = '<log enabled="false"/>'  # children before all others
    inside: dict[str, str] = field(default_factory=dict)  # further children, by participant

    def participants(self) -> list[str]:
        return list(dict.fromkeys(name for scheme in self.schemes for name in (scheme.first, scheme.second)))

    def xml(self) -> str:
        data = {flow.data: f'<data:{"vector" if flow.vector else "scalar"} name="{flow.data}"{flow.of_data}/>'
                for flow in self.flows}
        parts = [self.head, *data.values()]
        parts += [self._mesh(name) for name in self.participants()]
        parts += [self._participant(name) for name in self.participants()]
        for scheme in self.schemes:
            network = f' network="{scheme.network}"' if scheme.network else ""
            parts.append(f'<m2n:sockets acceptor="{scheme.first}" connector="{scheme.second}"{network}/>')
        parts += [self._scheme(scheme) for scheme in self.schemes]
        return "\n".join(["<precice-configuration>", *parts, "</precice-configuration>"])

    def _mesh(self, name: str) -> str:
        mesh = f"{name}-Mesh"
        used = dict.fromkeys(flow.data for flow in self.flows if mesh in flow.meshes)
        uses = "".join(f'<use-data name="{data}"/>' for data in used)
        return f'<mesh name="{mesh}" dimensions="{self.dimensions}">{uses}</mesh>'

    def _participant(self, name: str) -> str:
        received, uses, mappings = {}, {}, {}
        for flow in self.flows:
            if name not in (flow.source, flow.target):
                continue
            writes = flow.source == name
            uses[f'<{"write" if writes else "read"}-data name="{flow.data}" mesh="{name}-Mesh"/>'] = None
            if writes == (flow.direction == "write"):
                other = flow.target if writes else flow.source
                received[f'<receive-mesh name="{flow.shared_mesh}" from="{other}"/>'] = None
                source, target = flow.meshes
                mappings[f'<mapping:nearest-neighbor direction="{flow.direction}" from="{source}" '
                         f'to="{target}" constraint="{flow.constraint}"/>'] = None
        return "".join([f'<participant name="{name}"><provide-mesh name="{name}-Mesh"/>', *received, *uses,
                        *mappings, self.inside.get(name, ""), "</participant>"])

    def _scheme(self, scheme: Scheme) -> str:
        text = (f'<coupling-scheme:{scheme.kind}><participants first="{scheme.first}" '
                f'second="{scheme.second}"/><time-window-size value="{scheme.window}"/>')
        text += f'<max-time value="{scheme.max_time:g}"/>' if scheme.max_time else ""
        text += f'<max-time-windows value="{scheme.max_windows}"/>' if scheme.max_windows else ""
        for flow in self.flows:
            if {flow.source, flow.target} == {scheme.first, scheme.second}:
                text += (f'<exchange data="{flow.data}" mesh="{flow.shared_mesh}" from="{flow.source}" '
                         f'to="{flow.target}" initialize="{str(flow.initialize).lower()}" '
                         f'substeps="{str(flow.substeps).lower()}"/>')
        return f"{text}{scheme.control}</coupling-scheme:{scheme.kind}>"
