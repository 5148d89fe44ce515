# SPDX-License-Identifier: BSD-3-Clause
"""A column of water that collapses, by PySPH: pysph_column.py ACROSS STEPS SOUND

Weakly compressible SPH as in PySPH's own dam break (Wendland's kernel, predictor and corrector with one
evaluation, steps as long as it allows), one thread; a column 0.146 m wide and twice as high in a tank four
times as wide, two layers of walls, ACROSS particles across the column, SOUND m/s. The first step, before
which the code is compiled, does not count. Prints a line of comma separated values: particles of the fluid
and of walls, steps, seconds of the processor that they took, seconds of the flow."""

import sys
import tempfile
import time

import numpy as np
from pysph.base.kernels import WendlandQuintic
from pysph.base.utils import get_particle_array
from pysph.solver.application import Application
from pysph.sph.integrator import PECIntegrator
from pysph.sph.scheme import WCSPHScheme

ACROSS, STEPS, SOUND = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
WIDTH, DENSITY, RATIO = 0.146, 1000.0, 1.3
SPACING = WIDTH / ACROSS
LAYERS = 2


def lattice(columns, rows):
    x, y = np.meshgrid(np.arange(*columns) + 0.5, np.arange(*rows) + 0.5)
    return SPACING * x.ravel(), SPACING * y.ravel()


class Column(Application):
    """What PySPH asks of a case."""

    def create_particles(self):
        x, y = lattice((-LAYERS, 4 * ACROSS + LAYERS), (-LAYERS, 4 * ACROSS))
        is_wall = (x < 0) | (x > 4 * WIDTH) | (y < 0)
        places = {"fluid": lattice((0, ACROSS), (0, 2 * ACROSS)), "walls": (x[is_wall], y[is_wall])}
        of_each = {"m": DENSITY * SPACING**2, "rho": DENSITY, "h": RATIO * SPACING}
        arrays = [get_particle_array(name=name, x=x, y=y, **of_each) for name, (x, y) in places.items()]
        self.scheme.setup_properties(arrays)
        self.sizes = [array.get_number_of_particles() for array in arrays]
        return arrays

    def create_scheme(self):
        return WCSPHScheme(["fluid"], ["walls"], dim=2, rho0=DENSITY, c0=SOUND, h0=RATIO * SPACING, hdx=RATIO,
                           gy=-9.81, alpha=0.1, beta=0.0, gamma=7.0, hg_correction=True)

    def configure_scheme(self):
        self.scheme.configure_solver(kernel=WendlandQuintic(dim=2), integrator_cls=PECIntegrator,
                                     adaptive_timestep=True, tf=10.0, dt=0.125 * RATIO * SPACING / SOUND)

    def post_step(self, solver):
        if solver.count == 1:
            self.began = time.process_time(), solver.t
        elif solver.count == STEPS + 1:
            seconds, flow = time.process_time() - self.began[0], solver.t - self.began[1]
            print(*self.sizes, STEPS, seconds, flow, sep=",")


with tempfile.TemporaryDirectory() as folder:
    Column().run(["--no-openmp", "--max-steps", str(STEPS + 2), "--disable-output", "--directory", folder,
                  "--quiet"])
