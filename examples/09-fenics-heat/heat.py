# SPDX-License-Identifier: BSD-3-Clause
"""One of two plates by finite elements of FEniCS: heat.py Dirichlet|Neumann CELLS [FILE]

Dirichlet (0 < x < 1) is given the temperature of the interface x = 1 and answers with the flux through it,
Neumann (1 < x < 2) is given the flux and answers with the temperature. FILE gets the field and its error."""

import sys
from pathlib import Path

import fenics
import numpy as np
from fenics import dx, grad, near
from fenicsprecice import Adapter

name, cells = sys.argv[1], int(sys.argv[2])
dirichlet = name == "Dirichlet"
begin = 0.0 if dirichlet else 1.0
fenics.set_log_level(fenics.LogLevel.ERROR)


class Interface(fenics.SubDomain):
    def inside(self, x, on_boundary):
        return on_boundary and near(x[0], 1)


class Outside(fenics.SubDomain):
    def inside(self, x, on_boundary):
        return on_boundary and (near(x[0], 2 * begin) or near(x[1], 0) or near(x[1], 1))


plate = fenics.RectangleMesh(fenics.Point(begin, 0), fenics.Point(begin + 1, 1), cells, cells)
space = fenics.FunctionSpace(plate, "P", 2)
exact = fenics.Expression("1 + x[0] * x[0] + 3 * x[1] * x[1] + 1.2 * t", degree=2, t=0.0)
old = fenics.interpolate(exact, space)  # at the start of the step
new = old.copy(deepcopy=True)


def answer():
    """What the other plate is given; the flux is that in direction of x."""
    return fenics.project(-grad(new)[0], space) if dirichlet else new


adapter = Adapter(Path(__file__).with_name(f"{name}.json"))
adapter.initialize(Interface(), space, answer())
given = adapter.create_coupling_expression()

u, v, dt = fenics.TrialFunction(space), fenics.TestFunction(space), fenics.Constant(1.0)
heat = (u - old) / dt * v * dx + fenics.inner(grad(u), grad(v)) * dx - fenics.Constant(1.2 - 8) * v * dx
fixed = [fenics.DirichletBC(space, exact, Outside())]
if dirichlet:
    fixed.insert(0, fenics.DirichletBC(space, given, Interface()))
else:
    heat -= given * v * fenics.ds

t = 0.0
while adapter.is_coupling_ongoing():
    if adapter.requires_writing_checkpoint():
        adapter.store_checkpoint(old, t)
    step = adapter.get_max_time_step_size()
    adapter.update_coupling_expression(given, adapter.read_data(step))
    dt.assign(step)
    exact.t = t + step
    fenics.solve(fenics.lhs(heat) == fenics.rhs(heat), new, fixed)
    adapter.write_data(answer())
    adapter.advance(step)
    if adapter.requires_reading_checkpoint():
        state, t, _ = adapter.retrieve_checkpoint()
        old.assign(state)
    else:
        old.assign(new)
        t += step
adapter.finalize()

field = new.compute_vertex_values()
errors = field - fenics.interpolate(exact, space).compute_vertex_values()
print(f"{name} at t = {t:g}: largest error {np.abs(errors).max():.2e}")
if len(sys.argv) > 3:
    np.savetxt(sys.argv[3], np.column_stack([plate.coordinates(), field, errors]))
sys.exit(int(np.abs(errors).max() > 1e-6))
