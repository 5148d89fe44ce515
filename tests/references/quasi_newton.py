# SPDX-License-Identifier: BSD-3-Clause
"""Quasi-Newton methods in dense matrices, as `methods` has the others."""

from dataclasses import dataclass

import numpy as np
from methods import Constant, Weights, independent, may_be_within, within


@dataclass
class Options:
    """Of a quasi-Newton method."""

    weights: Weights | None = None  # residual-sum
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


class Observed:
    """What a solver answered to the values of an iteration, and the equations that come of it."""

    def __init__(self, given, answered, primary, used):
        self.answered = answered
        self.residuals = [(answered[f] - given[f])[used] for f in primary]
        self.values = [answered[f][used] for f in primary]
        self.residual = np.concatenate([r.ravel() for r in self.residuals])
        self.output = np.concatenate([h.ravel() for h in answered])

    def sizes_of(self, v):
        """A column beside the values of each field."""
        columns = np.split(v, np.cumsum([r.size for r in self.residuals])[:-1])
        least = [max(np.linalg.norm(x), 1e-300) for x in self.values]
        return [np.linalg.norm(part) / x for part, x in zip(columns, least, strict=True)]


class Columns:
    """Those of V, W and W - J V, newest first, and how many windows ago each was observed."""

    def __init__(self):
        self.pairs, self.ages = [], []
        self.deleted = self.dropped = 0  # in this window
        self.counters = []  # by window: how many there are, deleted, dropped
        self.before = None  # Observed in the last iteration of the window

    def add(self, pair):
        self.pairs.insert(0, pair)
        self.ages.insert(0, 0)

    def truncate(self, count):
        removed = max(len(self.pairs) - count, 0)
        self.pairs, self.ages = self.pairs[:count], self.ages[:count]
        return removed

    def keep(self, kept):
        self.deleted += len(self.pairs) - len(kept)
        self.pairs, self.ages = ([x[j] for j in kept] for x in (self.pairs, self.ages))

    def end_window(self, reused, enforce):
        if any(age == 0 for age in self.ages):  # else the window does not count
            self.ages = [age + 1 for age in self.ages]
        if reused == 0 and enforce:
            self.truncate(0)
        elif reused:
            newest = sorted(set(self.ages))[:reused]
            self.dropped += self.truncate(sum(age in newest for age in self.ages))
        self.counters.append((len(self.pairs), self.deleted, self.dropped))
        self.deleted = self.dropped = 0
        self.before = None


class Jacobian:
    """Of the windows before, and what it was made of since the last restart."""

    def __init__(self):
        self.before = self.built = 0  # the window, and in the last step
        self.updates = []  # by window
        self.past = []  # (windows since, pair)

    def remember(self, columns, windows):
        now = [(0, pair) for pair, age in zip(columns.pairs, columns.ages, strict=True) if age == 0]
        past = now + [(age + 1, pair) for age, pair in self.past]
        self.past = [(age, pair) for age, pair in past if age < windows]

    def begin_with(self, matrix):
        self.before, self.updates = matrix, []


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
        self.initial, self.primary, self.filter = initial, primary, filter_  # which, and its limit
        self.of = Options(**options)
        self.weights = self.of.weights or Weights("residual-sum", len(primary))
        self.columns, self.jacobian = Columns(), Jacobian()
        self.seen = None  # Observed in this iteration
        self.iteration = 0
        self.starts = True
        self.noisy = False  # it was left to rounding whether a column stays, or a bound is kept
        self.few_digits = False  # a column has less than seven that mean anything

    @property
    def counters(self):
        return self.columns.counters

    @property
    def residuals(self):
        return self.seen.residuals

    @property
    def values(self):
        return self.seen.values

    def observe(self, given, answered):
        used = slice(-1, None) if self.of.reduced else slice(None)
        self.seen = Observed(given, answered, self.primary, used)
        self.iteration += 1
        if before := self.columns.before:
            v, w = self.seen.residual - before.residual, self.seen.output - before.output
            if self._is_rounding(v):
                self.columns.deleted += 1
            else:
                jacobian = self.jacobian.before
                self.columns.add((v, w, w - jacobian @ v if np.ndim(jacobian) else w))
        self.columns.before = self.seen
        self.columns.dropped += self.columns.truncate(min(self.of.columns, self.seen.residual.size))

    def _is_rounding(self, v):
        """Whether a column has no digit that means anything."""
        largest = max(self.seen.sizes_of(v))
        is_rounding = largest <= 8 * np.finfo(float).eps
        self.noisy = self.noisy or 1e-17 < largest < 1e-12
        self.few_digits = self.few_digits or (not is_rounding and largest < 1e-9)
        return is_rounding

    def scale(self):
        self.noisy = self.noisy or self.weights.unclear
        return self.weights.by_row(self.seen.residuals)

    def _kept(self, pairs):
        differences = np.array([v for v, _, _ in pairs]).reshape(len(pairs), self.seen.residual.size)
        scaled = differences.T * self.scale()[:, None]
        kind, limit = self.filter
        kept = independent(scaled, kind, limit)
        if limit < 1e-12:
            self.noisy = self.noisy or kept != independent(scaled, kind, 1e-12)
        return scaled[:, kept], kept

    def _filter(self):
        scaled, kept = self._kept(self.columns.pairs)
        self.columns.keep(kept)
        return scaled

    def _update(self, scaled, pairs, jacobian):
        """(W - J V) times the pseudo-inverse of V."""
        if not pairs:
            return np.zeros((self.seen.output.size, self.seen.residual.size))
        as_observed = self.of.restart and self.of.reused == 0 and not self.of.always_build
        w = np.array([rest if as_observed and np.ndim(jacobian) else w for _, w, rest in pairs]).T
        if np.ndim(jacobian) and not as_observed:
            w = w - jacobian @ np.array([v for v, _, _ in pairs]).T
        return w @ (np.linalg.pinv(scaled, rcond=1e-15) * self.scale())

    def step(self, given, answered):
        if self.iteration == 1 and (self.starts or self.of.enforce):
            return Constant(self.initial).step(given, answered)
        self.weights.update(self.seen.residuals, self.seen.values)
        scaled = self._filter()
        before = self.jacobian.before
        self.jacobian.built = before + self._update(scaled, self.columns.pairs, before)
        new = self.seen.output - self.jacobian.built @ self.seen.residual
        if self.iteration == 1 and self.of.reused == 0:
            self.columns.truncate(0)
        ends = np.cumsum([h.size for h in answered])[:-1]
        stepped = [part.reshape(h.shape) for part, h in zip(np.split(new, ends), answered, strict=True)]
        bounds, reaction = self.of.bounds, self.of.reaction
        if not bounds:
            return stepped
        self.noisy = self.noisy or may_be_within(bounds, answered, stepped, reaction)
        return within(bounds, answered, stepped, reaction)

    def _truncated(self, jacobian):
        """To its largest singular values, in the norms of the equations and of the outputs."""
        of_field = [1 / (np.linalg.norm(h[-1]) or 1) for h in self.seen.answered]
        for f, weight in zip(self.primary, self.weights.values, strict=True):
            of_field[f] = weight
        left = np.repeat(of_field, [h.size for h in self.seen.answered])
        right = self.scale()
        self.noisy = self.noisy or self.weights.carried is not None
        u, s, vt = np.linalg.svd(left[:, None] * jacobian / right, full_matrices=False)
        limit = self.of.truncation * s.max(initial=0)
        self.noisy = self.noisy or np.any(np.abs(s - limit) < 1e-5 * limit)
        s[s <= limit] = 0
        return (u * s) @ vt / left[:, None] * right

    def _learn(self):
        scaled = self._filter()
        j, columns, of = self.jacobian, self.columns, self.of
        has_learnt = of.reused == 0 and 0 not in columns.ages
        j.updates.append(self._update(scaled, [] if has_learnt else columns.pairs, j.before))
        j.before = j.before + j.updates[-1]
        j.remember(columns, of.windows_at_restart)
        due = len(j.updates) >= of.chunk
        if of.restart == "RS-SLIDE" and len(j.updates) > of.chunk:
            j.before = j.before - j.updates.pop(0)
        elif of.restart == "RS-0" and due:
            j.begin_with(0 * j.before)
        elif of.restart == "RS-SVD" and due:
            j.begin_with(self._truncated(j.before))
        elif of.restart == "RS-LS" and due:
            pairs = [pair for _, pair in j.past]
            scaled, kept = self._kept(pairs)
            j.begin_with(self._update(scaled, [pairs[k] for k in kept], 0))

    def end_window(self):
        if self.of.always_build:
            self.jacobian.before = self.jacobian.built
        elif self.of.restart:
            self._learn()
        self.columns.end_window(self.of.reused, self.of.enforce)
        self.starts = self.starts and self.iteration == 1
        self.iteration = 0
        self.weights.end_window(self.seen.values)
