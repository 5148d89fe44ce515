# SPDX-License-Identifier: BSD-3-Clause
"""Accelerations as their papers have them, in plain NumPy: dense matrices, nothing kept between windows
but columns. Every method is told what it works on in each iteration and answers with the next values.

A field is an array (samples, values); `primary` are the positions of those with equations."""

import numpy as np


def norms(fields):
    return np.array([np.linalg.norm(field) for field in fields])


class Weights:
    """What the equations of each field are multiplied with (the preconditioner)."""

    def __init__(self, kind, count):
        self.kind = kind
        self.values = np.ones(count)
        self.divisors = np.zeros(count)
        self.latest = np.zeros(count)
        self.windows = 0

    def update(self, residuals, values):
        self.latest = norms(values)
        residual = norms(residuals)
        if self.kind == "residual":
            self._take(residual)
        elif self.kind == "value":
            self._take(self.divisors if self.windows else self.latest)
        elif self.kind == "residual-sum":
            total = np.linalg.norm(residual)
            if total > 0:
                self.divisors += residual / total
            change = self.divisors * self.values
            if self.windows == 0 or np.any((change > 0) & ((change > 10) | (change < 0.1))):
                self._take(self.divisors)

    def _take(self, divisors):
        known = divisors > 0
        self.values[known] = 1 / divisors[known]

    def end_window(self):
        self.windows += 1
        self.divisors = np.zeros_like(self.divisors) if self.kind == "residual-sum" else self.latest


class Constant:
    counters = None  # of windows that are over: columns, deleted, dropped

    def __init__(self, relaxation):
        self.relaxation = relaxation

    def step(self, given, answered):
        return [x + self.relaxation * (h - x) for x, h in zip(given, answered, strict=True)]

    def observe(self, given, answered):
        pass

    def end_window(self):
        pass


class Aitken(Constant):
    """Küttler and Wall 2008."""

    def __init__(self, initial, primary):
        super().__init__(initial)
        self.initial = initial
        self.primary = primary
        self.weights = Weights("residual-sum", len(primary))
        self.before = None

    def observe(self, given, answered):
        residuals = [(answered[f] - given[f])[-1] for f in self.primary]
        self.weights.update(residuals, [answered[f][-1] for f in self.primary])
        if self.before is None:
            self.relaxation = np.copysign(min(abs(self.relaxation), self.initial), self.relaxation)
        else:
            squares = self.weights.values**2
            change = [r - b for r, b in zip(residuals, self.before, strict=True)]
            product = sum(w * np.sum(b * c) for w, b, c in zip(squares, self.before, change, strict=True))
            self.relaxation *= -product / sum(w * np.sum(c * c) for w, c in zip(squares, change, strict=True))
        self.before = residuals

    def end_window(self):
        self.before = None
        self.weights.end_window()


def independent(columns, kind, limit):
    """Positions of the columns, newest first, that the filter leaves."""
    kept, basis = [], []
    square = np.sum(columns**2)
    for j, column in enumerate(columns.T):
        rest = column
        for _ in range(2):
            for direction in basis:
                rest = rest - direction * (direction @ rest)
        diagonal = np.linalg.norm(rest)
        scale = {"QR1": np.sqrt(square), "QR1-absolute": 1}.get(kind, np.linalg.norm(column))
        if diagonal > 1e-15 * np.linalg.norm(column) and diagonal >= limit * scale:
            kept.append(j)
            basis.append(rest / diagonal)
        else:
            square -= np.sum(column**2)
    return kept


class QuasiNewton:
    """x = H - J r + (W - J V) c with c = argmin |V c + r|; J is 0 for IQN-ILS (Degroote et al. 2009) and that
    of the windows before for IQN-IMVJ (Bogaers et al. 2014)."""

    def __init__(
        self,
        initial,
        primary,
        filter_,
        *,
        preconditioner="residual-sum",
        columns=100,
        reused=0,
        reduced=True,
        jacobian=False,
        forget_after=None,
    ):
        self.initial, self.primary = initial, primary
        self.filter, self.limit = filter_
        self.weights = Weights(preconditioner, len(primary))
        self.columns, self.reused, self.reduced = columns, reused, reduced
        self.v, self.w, self.ages = [], [], []  # newest first
        self.before = None
        self.jacobian = 0 if jacobian else None
        self.forget_after = forget_after
        self.windows = 0
        self.counters, self.deleted, self.dropped = [], 0, 0

    def observe(self, given, answered):
        used = slice(-1, None) if self.reduced else slice(None)
        residuals = [(answered[f] - given[f])[used] for f in self.primary]
        self.residual = np.concatenate([r.ravel() for r in residuals])
        self.output = np.concatenate([h.ravel() for h in answered])
        self.weights.update(residuals, [answered[f][-1] for f in self.primary])
        self.scale = np.repeat(self.weights.values, [r.size for r in residuals])
        if self.before is not None and self._is_rounding(residuals, answered):
            self.deleted += 1
        elif self.before is not None:
            v = self.residual - self.before[0]
            w = self.output - self.before[1]
            self.v.insert(0, v)
            self.w.insert(0, w - self.old(v))
            self.ages.insert(0, 0)
        self.before = self.residual, self.output
        self._truncate(self.columns)

    def _is_rounding(self, residuals, answered):
        """Whether the newest column has no digit that means anything."""
        columns = np.split(self.residual - self.before[0], np.cumsum([r.size for r in residuals])[:-1])
        least = [8 * np.finfo(float).eps * np.linalg.norm(answered[f][-1]) for f in self.primary]
        return all(np.linalg.norm(v) <= limit for v, limit in zip(columns, least, strict=True))

    def old(self, vector):
        """J times a vector."""
        return 0 if self.jacobian is None or np.ndim(self.jacobian) == 0 else self.jacobian @ vector

    def _truncate(self, count):
        self.dropped += max(len(self.v) - count, 0)
        self.v, self.w, self.ages = self.v[:count], self.w[:count], self.ages[:count]

    def _keep(self):
        scaled = np.array(self.v).reshape(-1, self.residual.size).T * self.scale[:, None]
        return scaled, independent(scaled, self.filter, self.limit)

    def step(self, given, answered):
        scaled, kept = self._keep()
        self.deleted += len(self.v) - len(kept)
        self.v, self.w, self.ages = ([x[j] for j in kept] for x in (self.v, self.w, self.ages))
        if not kept and np.ndim(self.old(self.residual)) == 0:
            return Constant(self.initial).step(given, answered)
        new = self.output - self.old(self.residual)
        if kept:
            factors, *_ = np.linalg.lstsq(scaled[:, kept], -self.scale * self.residual, rcond=None)
            new = new + np.array(self.w).T @ factors
        ends = np.cumsum([h.size for h in answered])[:-1]
        return [part.reshape(h.shape) for part, h in zip(np.split(new, ends), answered, strict=True)]

    def end_window(self):
        self.windows += 1
        columns = len(self.v)
        if self.jacobian is not None and self.v:
            scaled, kept = self._keep()
            inverse = np.linalg.pinv(scaled[:, kept]) * self.scale
            self.jacobian = self.jacobian + np.array([self.w[j] for j in kept]).T @ inverse
        if self.forget_after and self.windows % self.forget_after == 0:
            self.jacobian = 0
        self.ages = [age + 1 for age in self.ages]
        self._truncate(sum(age <= self.reused for age in self.ages))
        self.counters.append((columns, self.deleted, self.dropped))
        self.deleted = self.dropped = 0
        self.before = None
        self.weights.end_window()
