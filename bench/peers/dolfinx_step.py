# SPDX-License-Identifier: BSD-3-Clause
"""One implicit step of the flow in a heated box with dolfinx: dolfinx_step.py CELLS STEPS

The equations of solvers/convection: velocity and pressure linear on tetrahedra, SUPG, PSPG and LSIC,
backward Euler, an inexact Newton method with the forcing of Eisenstat and Walker, GMRES(25) of PETSc with
incomplete factors of each rank's rows. The box is 4:1:1 with CELLS cells along the height, each of six
tetrahedra; the temperature, which pushes the flow, is given. Prints a line of comma separated values:
nonlinear and linear iterations, seconds of assembly and of the linear solves, and of the whole steps."""

import sys
import time

import numpy as np
import ufl
from dolfinx import fem, mesh
from dolfinx.fem import petsc
from mpi4py import MPI
from petsc4py import PETSc

CELLS, STEPS = int(sys.argv[1]), int(sys.argv[2])
RAYLEIGH, PRANDTL, STEP = 30000.0, 0.71, 0.01
RELATIVE, MOST_FORCING = 1e-3, 0.1

comm = MPI.COMM_WORLD
box = mesh.create_box(comm, [np.zeros(3), np.array([4.0, 1, 1])], [4 * CELLS, CELLS, CELLS])
cell = box.ufl_cell()
space = fem.FunctionSpace(box, ufl.MixedElement(ufl.VectorElement("CG", cell, 1),
                                                ufl.FiniteElement("CG", cell, 1)))
now, last = fem.Function(space), fem.Function(space)
velocities = space.sub(0).collapse()[0]
heat = fem.Function(fem.FunctionSpace(box, ("CG", 1)))
heat.interpolate(lambda x: 0.5 - x[2] + 0.1 * np.cos(np.pi * x[0]) * np.sin(np.pi * x[2]))

box.topology.create_connectivity(2, 3)
walls = mesh.exterior_facet_indices(box.topology)
none = fem.Function(velocities)
held = fem.dirichletbc(none, fem.locate_dofs_topological((space.sub(0), velocities), 2, walls), space.sub(0))

u, p = ufl.split(now)
before, _ = ufl.split(last)
v, q = ufl.TestFunctions(space)
frozen = fem.Function(space)  # of which times and viscosities of the stabilization are made
w, _ = ufl.split(frozen)
h = (6 * ufl.CellVolume(box) / np.pi) ** (1 / 3)
speed = ufl.sqrt(ufl.dot(w, w) + 1e-30)
tau = 1 / ufl.sqrt((2 * speed / h) ** 2 + 9 * (4 * PRANDTL / h**2) ** 2)
lsic = speed * h / 2 * ufl.min_value(1.0, speed * h / (6 * PRANDTL))
rate = (u - before) / STEP - ufl.as_vector((0, 0, RAYLEIGH * PRANDTL * heat))
strong = rate + ufl.dot(u, ufl.nabla_grad(u)) + ufl.grad(p)
dx = ufl.dx(metadata={"quadrature_degree": 2})
residual = (ufl.dot(v, rate + ufl.dot(u, ufl.nabla_grad(u))) + PRANDTL * ufl.inner(ufl.grad(u), ufl.grad(v))
            - p * ufl.div(v) + q * ufl.div(u)
            + tau * ufl.dot(ufl.dot(w, ufl.nabla_grad(v)) + ufl.grad(q), strong)
            + lsic * ufl.div(u) * ufl.div(v)) * dx
form, slope = fem.form(residual), fem.form(ufl.derivative(residual, now))
matrix, vector = petsc.create_matrix(slope), petsc.create_vector(form)
change = matrix.createVecRight()
level = matrix.createVecRight()  # constant pressures, which nothing decides
level.array[:] = 0
level.array[[dof for dof in space.sub(1).collapse()[1] if dof < len(level.array)]] = 1
level.normalize()
matrix.setNullSpace(PETSc.NullSpace().create(vectors=[level], comm=comm))

solver = PETSc.KSP().create(comm)
solver.setType("gmres")
solver.setGMRESRestart(25)
solver.getPC().setType("bjacobi")  # with ILU(0)
solver.setOperators(matrix)
solver.setNormType(PETSc.KSP.NormType.UNPRECONDITIONED)
solver.setPCSide(PETSc.PC.Side.RIGHT)
solver.max_it = 5000


def assemble(with_matrix):
    frozen.x.array[:] = now.x.array
    with vector.localForm() as local:
        local.set(0)
    petsc.assemble_vector(vector, form)
    petsc.apply_lifting(vector, [slope], bcs=[[held]], x0=[now.vector], scale=-1.0)
    vector.ghostUpdate(addv=PETSc.InsertMode.ADD, mode=PETSc.ScatterMode.REVERSE)
    petsc.set_bc(vector, [held], now.vector, -1.0)
    if with_matrix:
        matrix.zeroEntries()
        petsc.assemble_matrix(matrix, slope, [held])
        matrix.assemble()
    return vector.norm()


def newton():
    """Nonlinear and linear iterations of a step, seconds of assembly and of the linear solves."""
    counts, seconds = [0, 0], [0.0, 0.0]
    forcing, first, old = MOST_FORCING, None, None
    while True:
        start = time.perf_counter()
        size = assemble(True)
        seconds[0] += time.perf_counter() - start
        first = size if first is None else first
        if old is not None:
            ratio, safe = size / old, 0.9 * forcing**2
            forcing = max(1e-4, min(MOST_FORCING, max(0.9 * ratio**2, safe if safe > 0.1 else 0)))
        if size <= max(1e-10, RELATIVE * first):
            return counts, seconds
        assert counts[0] < 20, "Newton's method stalls"
        old = size
        start = time.perf_counter()
        solver.setTolerances(rtol=forcing)
        solver.solve(vector, change)
        assert solver.getConvergedReason() > 0, solver.getConvergedReason()
        seconds[1] += time.perf_counter() - start
        now.vector.axpy(-1.0, change)
        now.x.scatter_forward()
        counts[0] += 1
        counts[1] += solver.getIterationNumber()


assemble(True)  # forms are compiled, patterns are known
counts, seconds = np.zeros(2, int), np.zeros(2)
comm.Barrier()
start = time.perf_counter()
for _ in range(STEPS):
    found = newton()
    counts += found[0]
    seconds += found[1]
    last.x.array[:] = now.x.array
comm.Barrier()
whole = time.perf_counter() - start
most = np.max(np.abs(now.x.array))
if comm.rank == 0:
    print("nonlinear,linear,assembly_s,linear_s,steps_s,largest")
    print(f"{counts[0]},{counts[1]},{seconds[0]:.6f},{seconds[1]:.6f},{whole:.6f},{most:.6g}")
