# SPDX-License-Identifier: BSD-3-Clause
"""Random watch points and integrals."""

from case import Watch
from generate_meshes import Draw


class Outputs(Draw):
    def watches(self, used):
        result = []
        for mesh in (m for m in self.meshes.values() if m.name in used and not m.access):
            for i in range(self.choose(0, 0, 0, 1, 2)):
                name = f"{mesh.name}-{i}"
                if self.chance(0.5):
                    at = self.random.uniform(-0.2, 1.2, self.dim).tolist()
                    result.append(Watch(mesh.owner, name, mesh.name, at))
                else:
                    result.append(Watch(mesh.owner, name, mesh.name, scaled=bool(self.chance(0.6))))
        return result
