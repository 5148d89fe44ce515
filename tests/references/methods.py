# SPDX-License-Identifier: BSD-3-Clause
"""Accelerations as their papers have them, in plain NumPy: dense matrices, nothing kept between windows
but columns. Every method is told what it works on in each iteration and answers with the next values.

A field is an array (samples, values); `primary` are the positions of those with equations."""

import numpy as np


def norms(fields):
    return np.array([np.linalg.norm(field) for field in fields])


class Weights:
    """What the equations of each field are multiplied with (the preconditioner). They change before a step
    that uses them, never in one that is only relaxed or not made."""

    def __init__(self, kind, count, freeze_after=-1, on_threshold=True):
        self.kind, self.freeze_after, self.on_threshold = kind, freeze_after, on_threshold
        self.values = np.ones(count)
        self.sums = np.zeros(count)
        self.windows = 0
        self.has_values = False
        self.sizes = None  # of the fields when their rows got these weights
        self.carried = None  # by row, of a mesh before, until weights are updated
        self.orders = []  # by field: its rows as its vertices were defined

    @property
    def frozen(self):
        return 0 < self.freeze_after <= self.windows

    def renewed(self, orders):
        """Of a mesh that was reset: a row has the weight of the one that was in its place, else 1. An order
        is None where nobody knows it."""
        if self.kind != "constant" and self.carried is None and self.sizes is not None:
            self.carried = np.repeat(self.values, self.sizes)
        self.orders = orders
        return self

    @property
    def unclear(self):
        unknown = any(order is None for order in self.orders)
        return self.carried is not None and unknown and np.any(self.carried != 1)

    def by_row(self, fields):
        sizes = [f.size for f in fields]
        self.sizes = self.sizes or sizes
        if self.carried is None or self.unclear:
            return np.repeat(self.values, sizes)
        weights = np.ones(max(sum(sizes), len(self.carried)))
        weights[: len(self.carried)] = self.carried
        parts = np.split(weights[: sum(sizes)], np.cumsum(sizes)[:-1])
        for part, order in zip(parts, self.orders, strict=True):
            part[order if order is not None else slice(None)] = part.copy()
        return np.concatenate(parts)

    def _spread(self, fields):
        self.sizes, self.carried = [f.size for f in fields], None

    def update(self, residuals, values):
        residual = norms(residuals)
        if self.frozen:
            return
        if self.kind == "residual":
            self._take(residual, values)
        elif self.kind == "value" and not self.has_values:
            self._take(norms(values), values)
            self.has_values = True
        elif self.kind == "residual-sum":
            total = np.linalg.norm(residual)
            if total > 0:
                self.sums += residual / total
            change = self.sums * self.values
            always = self.windows == 0 or not self.on_threshold
            if always or np.any((self.sums > 1e-14) & ((change > 10) | (change < 0.1))):
                self._take(self.sums, values)

    def _take(self, divisors, fields):
        known = divisors > (1e-14 if self.kind == "residual-sum" else 0)
        self.values[known] = 1 / divisors[known]
        self._spread(fields)

    def end_window(self, values):
        if self.kind == "value" and not self.frozen:
            self._take(norms(values), values)
            self.has_values = True
        self.windows += 1
        self.sums = np.zeros_like(self.sums)


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
    """Küttler and Wall 2008. An iteration that is accepted changes neither factor nor weights."""

    def __init__(self, initial, primary):
        super().__init__(initial)
        self.initial = initial
        self.primary = primary
        self.weights = Weights("residual-sum", len(primary))
        self.before = None
        self.noisy = False

    def renewed(self, orders):
        """Of a mesh that was reset: it goes on with its last factor."""
        self.weights.renewed(orders)
        return self

    def observe(self, given, answered):
        self.residuals = [(answered[f] - given[f])[-1] for f in self.primary]
        self.values = [answered[f][-1] for f in self.primary]

    def step(self, given, answered):
        residuals = self.residuals
        self.weights.update(residuals, self.values)
        if self.before is None:
            self.relaxation = np.copysign(min(abs(self.relaxation), self.initial), self.relaxation)
        else:
            squares = self.weights.by_row(residuals) ** 2
            self.noisy = self.noisy or self.weights.unclear
            before = np.concatenate([b.ravel() for b in self.before])
            change = np.concatenate([r.ravel() for r in residuals]) - before
            self.relaxation *= -np.sum(squares * before * change) / np.sum(squares * change**2)
        self.before = residuals
        return super().step(given, answered)

    def end_window(self):
        self.before = None
        self.weights.end_window(self.values)


def independent(columns, kind, limit):
    """Positions of the columns, newest first, that the filter leaves. QR1-absolute leaves a single one."""
    kept, basis = [], []
    square = np.sum(columns**2)
    for j, column in enumerate(columns.T):
        rest = column
        for _ in range(2):
            for direction in basis:
                rest = rest - direction * (direction @ rest)
        diagonal = np.linalg.norm(rest)
        absolute = 1 if columns.shape[1] > 1 else 0
        scale = {"QR1": np.sqrt(square), "QR1-absolute": absolute}.get(kind, np.linalg.norm(column))
        if diagonal > 1e-15 * np.linalg.norm(column) and diagonal >= limit * scale:
            kept.append(j)
            basis.append(rest / diagonal)
        else:
            square -= np.sum(column**2)
    return kept


def within(bounds, answered, stepped, reaction):
    """A quasi-Newton step of fields of which some have a lower and an upper bound."""
    if reaction == "clamp":
        return [np.clip(x, *b) for x, b in zip(stepped, bounds, strict=True)]
    part = 1
    for h, x, (lower, upper) in zip(answered, stepped, bounds, strict=True):
        outside = (x < lower) | (x > upper)
        corrected = outside & (x != h)
        bound = np.where(x > upper, upper, lower)
        if np.any(outside) and reaction == "discard":
            part = 0
        elif np.any(corrected) and reaction == "scale":
            beyond = (x - bound)[corrected] / (x - h)[corrected]
            part = min(part, 1 - np.abs(beyond).max())
    return [h + part * (x - h) for h, x in zip(answered, stepped, strict=True)]


def may_be_within(bounds, answered, stepped, reaction):
    """Whether rounding decides what happens at a bound: a step to it, or one that is none."""
    for h, x, (lower, upper) in zip(answered, stepped, bounds, strict=True):
        away = np.minimum(np.abs(x - lower), np.abs(x - upper))
        is_none = ((x < lower) | (x > upper)) & (np.abs(x - h) < 1e-8 * np.maximum(np.abs(h), 1))
        if (reaction == "discard" and np.any(away < 1e-8)) or (reaction == "scale" and np.any(is_none)):
            return True
    return False
