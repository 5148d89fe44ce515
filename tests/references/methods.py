# SPDX-License-Identifier: BSD-3-Clause
"""Accelerations as their papers have them, in plain NumPy: dense matrices, nothing kept between windows
but columns. Every method is told what it works on in each iteration and answers with the next values.

A field is an array (samples, values); `primary` are the positions of those with equations."""

from dataclasses import dataclass

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


@dataclass
class Options:
    """Of a quasi-Newton method."""

    weights: "Weights | None" = None  # residual-sum
    enforce: bool = False  # relaxation in the first iteration of each window
    columns: int = 100
    reused: int = 0  # windows
    reduced: bool = True  # equations of the last sample only
    bounds: list | None = None
    reaction: str = "ignore"
    restart: str | None = None  # of IQN-IMVJ; None: IQN-ILS
    always_build: bool = False
    chunk: int = 8
    windows_at_restart: int = 8
    truncation: float = 1e-4


class QuasiNewton:
    """x = H - J r + (W - J V) c with c = argmin |V c + r|; J is 0 for IQN-ILS (Degroote et al. 2009) and that
    of the windows before for IQN-IMVJ (Bogaers et al. 2014, restarts: Scheufele and Mehl 2017), where it is
    learnt again from columns of some windows (RS-LS), truncated (RS-SVD), or forgotten (RS-0, RS-SLIDE).
    Relaxation until a window has had a second iteration, and where it is enforced. Without windows to reuse
    the first step of a window uses the columns of the last one, with W - J V as it was then; but not if J is
    always built: then it is that of the last step of the window before. Columns of V, W and W - J V are
    newest first."""

    def __init__(self, initial, primary, filter_, **options):
        """Options: the fields of `Options`."""
        of = Options(**options)
        self.initial, self.primary = initial, primary
        self.filter, self.limit = filter_
        self.weights = of.weights or Weights("residual-sum", len(primary))
        self.enforce, self.columns, self.reused, self.reduced = of.enforce, of.columns, of.reused, of.reduced
        self.bounds, self.reaction = of.bounds, of.reaction
        self.restart, self.chunk = of.restart, of.chunk
        self.always_build = of.always_build
        self.windows_at_restart, self.truncation = of.windows_at_restart, of.truncation
        self.pairs, self.ages = [], []
        self.before = None
        self.iteration = 0
        self.starts = True
        self.jacobian = self.built = 0  # before the window, and in the last step
        self.updates = []  # of J by window, since the last restart
        self.past = []  # (windows since, pair)
        self.counters, self.deleted, self.dropped = [], 0, 0
        self.noisy = False  # it was left to rounding whether a column stays, or a bound is kept
        self.few_digits = False  # a column has less than seven that mean anything

    def observe(self, given, answered):
        used = slice(-1, None) if self.reduced else slice(None)
        self.residuals = [(answered[f] - given[f])[used] for f in self.primary]
        self.values = [answered[f][used] for f in self.primary]
        self.ends = [answered[f][-1] for f in self.primary]
        self.residual = np.concatenate([r.ravel() for r in self.residuals])
        self.output = np.concatenate([h.ravel() for h in answered])
        self.sizes = [h.shape for h in answered]
        self.answered = answered
        self.iteration += 1
        if self.before is not None:
            v, w = self.residual - self.before[0], self.output - self.before[1]
            if self._is_rounding(v):
                self.deleted += 1
            else:
                self.pairs.insert(0, (v, w, w - self.jacobian @ v if np.ndim(self.jacobian) else w))
                self.ages.insert(0, 0)
        self.before = self.residual, self.output
        self.dropped += self._truncate(min(self.columns, self.residual.size))

    def _is_rounding(self, v):
        """Whether a column has no digit that means anything."""
        columns = np.split(v, np.cumsum([r.size for r in self.residuals])[:-1])
        least = [max(np.linalg.norm(x), 1e-300) for x in self.values]
        sizes = [np.linalg.norm(v) / x for v, x in zip(columns, least, strict=True)]
        is_rounding = max(sizes) <= 8 * np.finfo(float).eps
        self.noisy = self.noisy or 1e-17 < max(sizes) < 1e-12
        self.few_digits = self.few_digits or (not is_rounding and max(sizes) < 1e-9)
        return is_rounding

    def _truncate(self, count):
        removed = max(len(self.pairs) - count, 0)
        self.pairs, self.ages = self.pairs[:count], self.ages[:count]
        return removed

    def scale(self):
        self.noisy = self.noisy or self.weights.unclear
        return self.weights.by_row(self.residuals)

    def _kept(self, pairs):
        differences = np.array([v for v, _, _ in pairs]).reshape(len(pairs), self.residual.size)
        scaled = differences.T * self.scale()[:, None]
        kept = independent(scaled, self.filter, self.limit)
        if self.limit < 1e-12:
            self.noisy = self.noisy or kept != independent(scaled, self.filter, 1e-12)
        return scaled[:, kept], kept

    def _filter(self):
        scaled, kept = self._kept(self.pairs)
        self.deleted += len(self.pairs) - len(kept)
        self.pairs, self.ages = ([x[j] for j in kept] for x in (self.pairs, self.ages))
        return scaled

    def _update(self, scaled, pairs, jacobian):
        """(W - J V) times the pseudo-inverse of V."""
        if not pairs:
            return np.zeros((self.output.size, self.residual.size))
        as_observed = self.restart and self.reused == 0 and not self.always_build
        w = np.array([rest if as_observed and np.ndim(jacobian) else w for _, w, rest in pairs]).T
        if np.ndim(jacobian) and not as_observed:
            w = w - jacobian @ np.array([v for v, _, _ in pairs]).T
        return w @ (np.linalg.pinv(scaled, rcond=1e-15) * self.scale())

    def step(self, given, answered):
        if self.iteration == 1 and (self.starts or self.enforce):
            return Constant(self.initial).step(given, answered)
        self.weights.update(self.residuals, self.values)
        scaled = self._filter()
        self.built = self.jacobian + self._update(scaled, self.pairs, self.jacobian)
        new = self.output - self.built @ self.residual
        if self.iteration == 1 and self.reused == 0:
            self._truncate(0)
        ends = np.cumsum([h.size for h in answered])[:-1]
        stepped = [part.reshape(h.shape) for part, h in zip(np.split(new, ends), answered, strict=True)]
        if not self.bounds:
            return stepped
        self.noisy = self.noisy or may_be_within(self.bounds, answered, stepped, self.reaction)
        return within(self.bounds, answered, stepped, self.reaction)

    def _truncated(self, jacobian):
        """To its largest singular values, in the norms of the equations and of the outputs."""
        of_field = [1 / (np.linalg.norm(h[-1]) or 1) for h in self.answered]
        for f, weight in zip(self.primary, self.weights.values, strict=True):
            of_field[f] = weight
        left = np.repeat(of_field, [h.size for h in self.answered])
        right = self.scale()
        self.noisy = self.noisy or self.weights.carried is not None
        u, s, vt = np.linalg.svd(left[:, None] * jacobian / right, full_matrices=False)
        limit = self.truncation * s.max(initial=0)
        self.noisy = self.noisy or np.any(np.abs(s - limit) < 1e-5 * limit)
        s[s <= limit] = 0
        return (u * s) @ vt / left[:, None] * right

    def _learn(self):
        scaled = self._filter()
        has_learnt = self.reused == 0 and 0 not in self.ages
        self.updates.append(self._update(scaled, [] if has_learnt else self.pairs, self.jacobian))
        self.jacobian = self.jacobian + self.updates[-1]
        now = [(0, pair) for pair, age in zip(self.pairs, self.ages, strict=True) if age == 0]
        past = now + [(age + 1, pair) for age, pair in self.past]
        self.past = [(age, pair) for age, pair in past if age < self.windows_at_restart]
        due = len(self.updates) >= self.chunk
        if self.restart == "RS-SLIDE" and len(self.updates) > self.chunk:
            self.jacobian = self.jacobian - self.updates.pop(0)
        elif self.restart == "RS-0" and due:
            self.jacobian, self.updates = 0 * self.jacobian, []
        elif self.restart == "RS-SVD" and due:
            self.jacobian, self.updates = self._truncated(self.jacobian), []
        elif self.restart == "RS-LS" and due:
            pairs = [pair for _, pair in self.past]
            scaled, kept = self._kept(pairs)
            self.jacobian, self.updates = self._update(scaled, [pairs[j] for j in kept], 0), []

    def end_window(self):
        if self.always_build:
            self.jacobian = self.built
        elif self.restart:
            self._learn()
        if any(age == 0 for age in self.ages):  # else the window does not count
            self.ages = [age + 1 for age in self.ages]
        if self.reused == 0 and self.enforce:
            self._truncate(0)
        elif self.reused:
            reused = sorted(set(self.ages))[: self.reused]
            self.dropped += self._truncate(sum(age in reused for age in self.ages))
        self.counters.append((len(self.pairs), self.deleted, self.dropped))
        self.deleted = self.dropped = 0
        self.before = None
        self.starts = self.starts and self.iteration == 1
        self.iteration = 0
        self.weights.end_window(self.values)
