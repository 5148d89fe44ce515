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
        kinds += ["coarse-graining"]
        kind = self.choose(*kinds)
        mapping = self.radial() if kind == "rbf" else Mapping(kind, "")
        wherever = {"nearest-projection": "search", "linear-cell-interpolation": "outside"}.get(kind)
        if wherever and self.chance(0.3):
            mapping.options[wherever] = self.choose("closest", "closest", "candidates")
        if kind == "coarse-graining":
            mapping.options["radius"] = float(self.random.uniform(0.1, 0.8))
        mapping.constraint = "conservative" if conservative else "consistent"
        scale = {2: "surface", self.dim + 1: "volume", self.dim: "surface"}
        same = a.corners == b.corners and a.corners >= self.dim
        same = same and not kind.endswith("graining")
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
            if basis == "gaussian" and self.chance(0.5):
                name, parameter = ":support_radius", float(self.random.uniform(0.6, 1.5))
            polynomial = self.choose("off", "separate", "on")
        else:
            basis, name = self.choose(*definite), ":support_radius"
            parameter = float(self.random.uniform(0.2, 1.5))
            if self.chance(0.1):  # some points, or all, are out of reach
                parameter *= 0.1
            polynomial = self.choose("off", "separate", "on")
        globally = "rbf-global-direct", "rbf-global-direct", "rbf-global-iterative"
        kind = self.choose(*globally, "rbf-pum-direct", "rbf-pum-direct", "rbf")
        if polynomial == "on":
            kind = self.choose(*globally) if basis in others else "rbf-global-iterative"
        mapping = Mapping(kind, "", {"polynomial": polynomial}, basis + name, parameter)
        self.refine_radial(mapping)
        return mapping

    def refine_radial(self, mapping):
        options = mapping.options
        if mapping.kind == "rbf":
            options.pop("polynomial")
        elif mapping.kind == "rbf-global-iterative":
            options["solver-rtol"] = 1e-10
        elif mapping.kind == "rbf-pum-direct":  # one cluster, however it is shaped
            options["vertices-per-cluster"] = self.choose(100, 200)
            options["relative-overlap"] = float(self.random.uniform(0.1, 0.9))
            options["project-to-input"] = bool(self.chance(0.5))
        if mapping.kind != "rbf-pum-direct" and self.chance(0.25):
            options[self.choose("x-dead", "y-dead", "z-dead")] = self.choose(True, True, False)
        threads = ["", "cpu"] if mapping.kind == "rbf-global-direct" else ["", "cpu", "openmp"]
        mapping.executor = "" if mapping.kind == "rbf" else self.choose(*threads)
