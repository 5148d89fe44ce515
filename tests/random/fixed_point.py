# SPDX-License-Identifier: BSD-3-Clause
"""What the leader of an implicit scheme decides and makes of the data."""

import numpy as np
from methods import Aitken, Constant, Weights
from quasi_newton import QuasiNewton
from waveform import Wave


class NotMet(Exception):
    """A strict measure, after as many iterations as there may be."""


class Unsteady(Exception):
    """A decision hangs on rounding, or numbers have left any scale."""


def weights(settings, flows):
    result = Weights(
        settings["preconditioner"],
        len(flows),
        settings.get("freeze_after", -1),
        settings.get("on_threshold", True),
    )
    if result.kind == "constant":
        scaling = settings.get("scaling", {})
        result.values = np.array([scaling.get(f.data, 1.0) for f in flows])
    return result


def bounds_of(flow, columns):
    """Gradients have none."""
    return flow.law.bounds if flow.law.bounds and columns.start == 0 else (-np.inf, np.inf)


def acceleration(scheme, parts):
    """`parts`: flow, and which of its columns."""
    settings = scheme.acceleration
    if not settings:
        return Constant(1)
    if settings["kind"] == "constant":
        return Constant(settings["relaxation"])
    values = {f.data: i for i, (f, at) in enumerate(parts) if at.start == 0}
    primary = [values[data] for data in settings["data"] if data in values]
    if settings["kind"] == "aitken":
        return Aitken(settings["relaxation"], primary)
    return QuasiNewton(
        settings["relaxation"],
        primary,
        settings["filter"],
        weights=weights(settings, [parts[i][0] for i in primary]),
        enforce=settings.get("enforce", False),
        columns=settings["columns"],
        reused=settings["reused"],
        reduced=settings["reduced"],
        bounds=[bounds_of(*part) for part in parts] if any(f.law.bounds for f, _ in parts) else None,
        reaction=settings.get("reaction", "ignore"),
        restart=settings.get("restart", "no-restart") if settings["kind"] == "IQN-IMVJ" else None,
        always_build=settings.get("always_build", False),
        chunk=settings.get("chunk", 8),
        windows_at_restart=settings.get("windows_at_restart", 8),
        truncation=settings.get("truncation", 1e-4),
    )


class FixedPoint:
    """Of the leader: measures, and makes the next iterate."""

    def __init__(self, scheme, flows, start, counted):
        self.scheme, self.flows = scheme, flows
        self.counted = counted  # by data: the vertices that norms and equations are made of
        # what the first of a serial scheme sends is used as it is
        serial = scheme.kind == "serial-implicit"
        accelerated = [f for f in flows if not serial or f.source == scheme.leader]
        self.parts = [(f, slice(0, f.components)) for f in accelerated]
        slopes = [f for f in accelerated if f.takes_gradients and f.direction == "read"]
        self.parts += [(f, slice(f.components, None)) for f in slopes]  # move with the values
        self.method = acceleration(scheme, self.parts)
        self.accepted = dict(start)  # by data: values at the start of the window
        self.given = {}
        self.iteration = 0

    def restart(self, zeros, counted, orders):
        """A mesh is another: nothing is known but Aitken's last factor and weights. `orders`: by data."""
        self.accepted, self.given, self.counted = zeros, {}, counted
        before, self.method = self.method, acceleration(self.scheme, self.parts)
        if isinstance(before, Constant) and not isinstance(before, Aitken):
            return
        orders = [self.row_order(self.parts[i], orders) for i in before.primary]
        if isinstance(before, Aitken):
            self.method = before.renewed(orders)
        else:
            self.method.weights = before.weights.renewed(orders)

    @staticmethod
    def row_order(part, orders):
        vertices, width = orders[part[0].data], part[0].components
        if vertices is None:
            return None
        return (vertices[:, None] * width + np.arange(width)).ravel()

    def judge(self, measure, answered):
        kind, data, limit, other, *_ = measure
        new = answered[data][-1][1]
        given = self.given[data][-1][1] if data in self.given else self.accepted[data]
        at = self.counted[data]
        width = next(f.components for f in self.flows if f.data == data)  # gradients beside them
        residual = np.linalg.norm((new - given)[at, :width])
        size = np.linalg.norm(new[at, :width])
        if self.iteration == 1:
            self.first[data] = residual
        scales = {"absolute": [1.0], "relative": [size], "residual-relative": [self.first[data]]}
        limits = [limit * s for s in scales.get(kind, [size])] + ([other] if "-or-" in kind else [])
        for bound in limits:  # zero is zero for everybody
            if bound > 0 and abs(residual / bound - 1) < 1e-5:
                raise Unsteady(f"{data} is at its limit")
            if residual > 0 and residual < 1e-13 * max(size, 1) and bound < 1e-12 * max(size, 1):
                raise Unsteady(f"{data} differs by rounding only")
        return any(residual <= bound for bound in limits)

    def decide(self, answered, start, openings):
        """`answered`: samples by data; `openings`: what stands at the start. Answers whether the window is
        done; changes what is accelerated."""
        self.iteration += 1
        if self.iteration == 1:
            self.first = {}
        met = [self.judge(m, answered) for m in self.scheme.measures]
        enough = any(m[4] and ok for m, ok in zip(self.scheme.measures, met, strict=True))
        refused = any(m[5] and not ok for m, ok in zip(self.scheme.measures, met, strict=True))
        enough = bool(met) and (all(met) or enough) and not refused
        converged = enough and self.iteration >= self.scheme.min_iterations
        done = converged or self.iteration >= self.scheme.max_iterations
        if done and refused:
            raise NotMet
        h = [self.rows(part, [v for _, v in answered[part[0].data]]) for part in self.parts]
        x = []
        for part in self.parts:
            f = part[0]
            wave = Wave(f.sampling.degree, self.accepted[f.data])
            wave.samples = [(start, self.accepted[f.data]), *self.given.get(f.data, [])]
            x.append(self.rows(part, [wave.at(t) for t, _ in answered[f.data]]))
        self.method.observe(x, h)
        if done:
            self.method.end_window()
            self.accepted = {f.data: answered[f.data][-1][1] for f in self.flows}
            self.given, self.iteration = {}, 0
            return True
        self.check_residuals()
        new = self.method.step(x, h)
        if getattr(self.method, "noisy", False) or getattr(self.method, "few_digits", False):
            raise Unsteady("a step hangs on rounding")
        for part, values in zip(self.parts, new, strict=True):
            samples = answered[part[0].data]
            answered[part[0].data] = [
                (t, self.replaced(part, old, v)) for (t, old), v in zip(samples, values, strict=True)
            ]
        if any(not np.all(np.abs(v) < 1e6) for values in new for v in values):
            raise Unsteady("values grow")
        self.given = {f.data: answered[f.data] for f in self.flows}
        self.accepted |= openings  # x_0 of the first window may have been another
        return False

    def check_residuals(self):
        """Weights by residuals that are rounding are anything."""
        kind = self.scheme.acceleration.get("kind", "constant")
        if kind == "constant":
            return
        sizes = [max(np.linalg.norm(v), 1) for v in self.method.values]
        zero = [np.linalg.norm(r) < 1e-12 * s for r, s in zip(self.method.residuals, sizes, strict=True)]
        by_residual = kind != "aitken" and self.scheme.acceleration["preconditioner"] == "residual"
        if all(zero) or (by_residual and any(zero)):
            raise Unsteady("residuals are rounding")

    def rows(self, part, samples):
        flow, columns = part
        return np.array([v[self.counted[flow.data], columns].ravel() for v in samples])

    def replaced(self, part, values, row):
        flow, columns = part
        values = values.copy()
        at = self.counted[flow.data]
        values[at, columns] = row.reshape(values[at, columns].shape)
        return values
