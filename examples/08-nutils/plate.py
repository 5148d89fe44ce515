# SPDX-License-Identifier: BSD-3-Clause
"""The left plate of 04-heat by finite elements of Nutils: plate.py CONFIGURATION ELEMENTS [PICTURE]

It is given the temperature of the interface x = 0 and answers with the flux through it."""

import sys

import numpy as np
import treelog
from nutils import function, mesh
from nutils.expression_v2 import Namespace
from nutils.solver import System

import isthmus

config, elements = sys.argv[1], int(sys.argv[2])
treelog.current = treelog.FilterLog(treelog.StdoutLog(), minlevel=treelog.proto.Level.warning)

domain, geometry = mesh.rectilinear([np.linspace(-1, 0, elements + 1), np.linspace(0, 1, elements + 1)])
ns = Namespace()
ns.x = geometry
ns.define_for("x", gradient="∇", normal="n", jacobians=("dV", "dS"))
for field in ("u", "v", "old"):  # temperature, test function, temperature at the start of the step
    setattr(ns, field, domain.field(field, btype="std", degree=2))
ns.t, ns.dt = function.field("t"), function.field("dt")
ns.k, ns.c = 1.0, 20.0
ns.f = 1.2 * 20 - 8
ns.exact = "1 + x_0 (1 + 2 x_1) / k + x_0^2 + 3 x_1^2 + 1.2 t"

points = domain.boundary["right"].sample("gauss", 2)  # where the coupling reads and writes
ns.given = points.asfunction(function.field("given", shape=(points.npoints,)))
step = domain.integral("(c v (u - old) / dt + k ∇_i(v) ∇_i(u) - v f) dV" @ ns, degree=4)
heat = System(step, trial="u", test="v")
outer = System(domain.boundary["left,bottom,top"].integral("(u - exact)^2 dS" @ ns, degree=4), trial="u")
inner = System(points.integral("(u - given)^2 dS" @ ns), trial="u")
everywhere = System(domain.integral("(u - exact)^2 dV" @ ns, degree=4), trial="u")
flux = points.bind("-k ∇_i(u) n_i" @ ns)

with isthmus.Participant("Dirichlet", config) as participant:
    ids = participant.set_mesh_vertices("Dirichlet-Mesh", points.eval(geometry))
    participant.initialize()
    t = 0.0
    u = saved = everywhere.solve(arguments={"t": t})["u"]
    while participant.is_coupling_ongoing():
        if participant.requires_writing_checkpoint():
            saved = u
        dt = participant.get_max_time_step_size()
        arguments = {"old": saved, "t": t + dt, "dt": dt,
                     "given": participant.read_data("Dirichlet-Mesh", "Temperature", ids, dt)}
        edges = outer.solve_constraints(arguments=arguments, droptol=1e-12)
        edges = inner.solve_constraints(arguments=arguments, constrain=edges, droptol=1e-12)
        u = heat.solve(arguments=arguments, constrain=edges)["u"]
        participant.write_data("Dirichlet-Mesh", "Flux", ids, function.eval(flux, {"u": u}))
        participant.advance(dt)
        if not participant.requires_reading_checkpoint():
            t += dt

fine = domain.sample("bezier", 5)
places, values, errors = fine.eval([geometry, ns.u, ns.u - ns.exact], {"u": u, "t": t})
error = np.abs(errors).max()
print(f"Dirichlet at t = {t:g}: largest error {error:.2e}")
if len(sys.argv) > 3:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(9, 4), constrained_layout=True)
    for axis, shown, title in zip(axes, (values, errors), ("temperature", "error"), strict=True):
        figure.colorbar(axis.tripcolor(*places.T, fine.tri, shown, shading="gouraud"), ax=axis)
        axis.set(title=f"{title} at t = {t:g}", xlabel="x", ylabel="y", aspect="equal")
    figure.savefig(sys.argv[3], dpi=120)
sys.exit(int(error > 1e-2))
