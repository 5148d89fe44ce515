# SPDX-License-Identifier: BSD-3-Clause
"""Random watch points and integrals, and actions."""

from case import Action, Watch
from generate_meshes import Draw


class Outputs(Draw):
    def watches(self, used):
        result = []
        for mesh in (m for m in self.meshes.values() if m.name in used and not m.access):
            for i in range(self.choose(0, 0, 0, 0, 0, 0, 0, 1, 2)):
                name = f"{mesh.name}-{i}"
                if self.chance(0.5):
                    at = self.random.uniform(-0.2, 1.2, self.dim).tolist()
                    result.append(Watch(mesh.owner, name, mesh.name, at))
                else:
                    result.append(Watch(mesh.owner, name, mesh.name, scaled=bool(self.chance(0.6))))
        return result

    def actions(self, schemes):
        """On what is sent from the mesh that the solver writes to, or has come to the mesh that it reads
        from; not on what an implicit scheme goes on with."""
        result = []
        for mesh in (m for m in self.meshes.values() if not m.access):
            for timing in ("write-mapping-post", "read-mapping-post"):
                if timing.startswith("write"):
                    flows = [f for f in self.flows if f.source_mesh == mesh.name]
                    targets = [f for f in flows if f.direction == "read"]
                else:
                    flows = [f for f in self.flows if f.target_mesh == mesh.name]
                    targets = [f for f in flows if f.direction == "read" or not schemes[f.scheme].implicit]
                hard = {f.name for f in flows if f.takes_gradients}
                hard |= {f.name for f in flows if f not in targets}
                targets = [f for f in targets if f.name not in hard]
                if targets and self.chance(0.25):
                    target = self.choose(*targets)
                    sources = self.summed(target, flows)
                    if sources and self.chance(0.7):
                        result.append(
                            Action("summation", mesh.owner, mesh.name, timing, target.name, sources)
                        )
                    elif mesh.corners > 1:
                        kind = self.choose("multiply-by-area", "divide-by-area")
                        result.append(Action(kind, mesh.owner, mesh.name, timing, target.name))
        return result

    def summed(self, target, flows):
        """Data with the same samples."""

        def kind(flow):
            return flow.scheme, flow.source, flow.components, flow.substeps, flow.degree, flow.initialize

        alike = [f.name for f in flows if kind(f) == kind(target) and not f.takes_gradients]
        once = [n for n in dict.fromkeys(alike) if sum(f.name == n for f in flows) == 1]
        return [n for n in once if n != target.name] if target.name in once else []
