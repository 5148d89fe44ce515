# SPDX-License-Identifier: BSD-3-Clause
"""Random watch points and integrals, and actions."""

from itertools import combinations

from case import Action, Export, Watch
from generate_meshes import Draw


class Outputs(Draw):
    def watches(self, used, schemes):
        """Not of what has come for the next window to a mesh that is another then."""
        late = {s.members[1] for s in schemes if s.kind.startswith("serial")}
        late = late if any(m.resets for m in self.meshes.values()) else []
        result = []
        for mesh in (m for m in self.meshes.values() if m.name in used and not m.access):
            if mesh.owner in late or not len(mesh.points):
                continue
            for i in range(self.choose(0, 0, 0, 0, 0, 0, 0, 1, 2)):
                name = f"{mesh.name}-{i}"
                if self.chance(0.5):
                    at = self.random.uniform(-0.2, 1.2, self.dim).tolist()
                    result.append(Watch(mesh.owner, name, mesh.name, at))
                else:
                    result.append(Watch(mesh.owner, name, mesh.name, scaled=bool(self.chance(0.6))))
        return result

    def exports(self, names, variants, schemes):
        """Where a mesh is reset, at ends of windows: within one the new vertices have what their rank had
        nearest. Not of what has come for the next window to a mesh that is another then."""
        result = []
        resets = [reset for mesh in self.meshes.values() for reset in mesh.resets]
        late = {s.members[1] for s in schemes if s.kind.startswith("serial")} if resets else set()
        if any(len(reset.mesh.points) == 0 for reset in resets):
            return result
        for name in (n for n in names if n not in late):
            alone = all(ranks.get(name, 1) == 1 for _, ranks in variants)
            kinds = ["csv", "csv", "vtu", "vtp"] + (["vtk"] if alone else [])
            for i in range(self.choose(0, 0, 0, 0, 0, 0, 1, 2)):
                often = (
                    self.choose(1, 1, 2, 3, -1),
                    bool(self.chance(0.4)) and not resets,
                    bool(self.chance(0.5)),
                )
                result.append(Export(name, self.choose(*kinds), f"{name}-{i}", *often))
        return result

    def links(self, names):
        """How participants meet, and who calls whom. In two levels where each mesh has one receiver; not by
        MPI, which cannot join threads of one process."""
        received = {(f.exchanged_on, f.mapped_by) for f in self.flows}
        may_be_two_level = len({mesh for mesh, _ in received}) == len(received)
        result = {}
        for pair in combinations(names, 2):
            if self.chance(0.5):
                settings = {"exchange_directory": self.choose(".", "meet")}
                if self.chance(0.3):
                    settings |= {"network": "lo", "port": 0}
                way = self.choose("rendezvous", "one-level", "two-level" if may_be_two_level else "one-level")
                if way == "two-level" and self.chance(0.5):
                    settings["use_two_level_initialization"] = True
                else:
                    settings["initialization"] = way
                    settings["enforce_gather_scatter"] = way != "two-level" and bool(self.chance(0.2))
                result[" ".join(self.random.permutation(pair))] = settings
        return result

    def unused(self, names, used):
        """Of received meshes, what does not matter where there are vertices; how ranks of participants would
        talk without MPI."""
        filters = "no-filter", "on-primary-rank", "on-secondary-ranks"
        ways = {"kind": "sockets", "network": "lo", "port": 0}, {"kind": "mpi"}
        talk = {n: self.choose(*ways) | {"exchange_directory": "."} for n in names if self.chance(0.1)}
        return talk | {
            name: {"safety_factor": self.choose(0.1, 0.5, 2.0), "geometric_filter": self.choose(*filters)}
            for name in sorted(used)
            if self.chance(0.2)
        }

    def actions(self, schemes):
        """On what is sent from the mesh that the solver writes to, or mapped to the one that is exchanged; on
        what has come to the mesh that it reads from, or has access to. Not on what an implicit scheme goes on
        with."""
        result = []
        for mesh in (m for m in self.meshes.values() if not m.access):
            for name in sorted({f.source for f in self.flows} | {f.target for f in self.flows}):
                for timing in ("write-mapping-post", "read-mapping-post"):
                    flows, targets = self.acted_on(mesh, name, timing, schemes)
                    hard = {f.name for f in flows if f.takes_gradients}
                    hard |= {f.name for f in flows if f not in targets}
                    targets = [f for f in targets if f.name not in hard]
                    if targets and self.chance(0.25):
                        target = self.choose(*targets)
                        result += self.action(mesh, name, timing, target, flows)
        return result

    def acted_on(self, mesh, name, timing, schemes):
        """Flows that this participant has on a mesh then; those that an action may change."""
        if timing.startswith("write"):
            sent = [f for f in self.flows if f.source == name]
            if mesh.owner == name:
                flows = [f for f in sent if f.source_mesh == mesh.name]
                return flows, [f for f in flows if f.direction == "read"]
            flows = [f for f in sent if f.exchanged_on == f.target_mesh == mesh.name]
            accessed = any(m.received == mesh.name and m.owner == name for m in self.meshes.values())
            return flows, [] if accessed else flows
        come = [f for f in self.flows if f.target == name]
        if mesh.owner == name:
            flows = [f for f in come if f.target_mesh == mesh.name]
            return flows, [f for f in flows if f.direction == "read" or not schemes[f.scheme].implicit]
        flows = [f for f in come if f.exchanged_on == f.source_mesh == mesh.name]
        accessed = [f for f in flows if self.meshes[f.target_mesh].access == "direct"]
        return flows, [f for f in accessed if not schemes[f.scheme].implicit]

    def action(self, mesh, name, timing, target, flows):
        sources = self.summed(target, flows)
        kinds = ["recorder", "python", "python"] + (2 * ["summation"] if sources else [])
        kinds += ["multiply-by-area", "divide-by-area"] if mesh.corners > 1 else []
        kind = self.choose(*kinds)
        made = Action(kind, name, mesh.name, timing)
        if kind != "recorder":
            made.target = target.name
        if kind == "summation":
            made.sources = sources
        elif kind == "python":
            from_others = [f.name for f in flows if f.source_mesh != target.source_mesh]
            sources = sorted(sources, key=lambda n: n not in from_others)
            made.sources, made.module = sources[: self.choose(0, 1, 1)], "half"
        return [made]

    def summed(self, target, flows):
        """Data with the same samples."""

        def kind(flow):
            times = flow.sampling
            return flow.scheme, flow.source, flow.components, times.substeps, times.degree, times.initialize

        alike = [f.name for f in flows if kind(f) == kind(target) and not f.takes_gradients]
        once = [n for n in dict.fromkeys(alike) if sum(f.name == n for f in flows) == 1]
        return [n for n in once if n != target.name] if target.name in once else []
