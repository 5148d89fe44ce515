# SPDX-License-Identifier: BSD-3-Clause
"""Random mappings between two meshes."""

from case import Mapping
from generate_meshes import Draw


class Mappings(Draw):
    def mapping(self, a, b):
        conservative = self.chance(0.3)
        searched = b if conservative else a
        kinds = 3 * ["nearest-neighbor"] + 2 * ["nearest-projection", "linear-cell-interpolation"]
        kinds += [] if conservative else 2 * ["nearest-neighbor-gradient"]
        kinds += 2 * ["rbf"] if len(searched.points) >= self.dim + 2 else []
        kind = self.choose(*kinds)
        mapping = self.radial() if kind == "rbf" else Mapping(kind, "")
        if kind == "nearest-projection" and self.chance(0.3):
            mapping.options["search"] = "closest"
        mapping.constraint = "conservative" if conservative else "consistent"
        scale = {2: "surface", self.dim + 1: "volume", self.dim: "surface"}
        same = a.corners == b.corners and a.corners >= self.dim and not kind.endswith("gradient")
        if same and not conservative and self.chance(0.5):
            mapping.constraint = f"scaled-consistent-{scale[a.corners]}"
        return mapping

    def radial(self):
        definite = ["compact-polynomial-c0", "compact-polynomial-c2", "compact-polynomial-c4"]
        definite += ["compact-polynomial-c6", "compact-polynomial-c8", "compact-tps-c2"]
        others = ["multiquadrics", "thin-plate-splines", "volume-splines"]
        if self.chance(0.3):
            basis, name = self.choose(*others), ""
            parameter = float(self.random.uniform(0.05, 0.5))
            name = ":shape_parameter" if basis == "multiquadrics" else ""
            polynomial = self.choose("on", "separate")
        elif self.chance(0.3):
            basis, name = self.choose("gaussian", "inverse-multiquadrics"), ":shape_parameter"
            range_ = (3, 8) if basis == "gaussian" else (0.05, 0.3)
            parameter = float(self.random.uniform(*range_))
            polynomial = self.choose("off", "separate")
        else:
            basis, name = self.choose(*definite), ":support_radius"
            parameter = float(self.random.uniform(0.2, 1.5))
            if self.chance(0.1):  # some points, or all, are out of reach
                parameter *= 0.1
            polynomial = self.choose("off", "separate")
        kind = self.choose("rbf-global-direct", "rbf-global-direct", "rbf-pum-direct")
        if polynomial == "on":
            kind = "rbf-global-direct"
        return Mapping(kind, "", {"polynomial": polynomial}, basis + name, parameter)
