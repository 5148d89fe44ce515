# SPDX-License-Identifier: BSD-3-Clause
"""Implicit schemes on a small linear problem: every iterate that the participants see, and every residual
and column in the logs, against the same iteration in plain NumPy. schemes_test.py PLAY_CASES"""

import itertools
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from methods import Aitken, Constant, Weights
from quasi_newton import QuasiNewton
from scenario import Flow, Scenario, Scheme

WINDOWS = 5
VERTICES = 8
FIELDS = {"T": "A", "F": "B"}  # and who writes them


@dataclass
class Side:
    """What a participant answers: constant + slope t + matrix · (x + cubic x³) of what it read."""

    constant: np.ndarray
    slope: np.ndarray
    matrix: np.ndarray
    cubic: float = 0.0

    def answer(self, times, read):
        return self.constant + np.outer(times, self.slope) + (read + self.cubic * read**3) @ self.matrix.T

    def text(self):
        numbers = (*self.constant, *self.slope, *self.matrix.ravel(), self.cubic)
        return " ".join(repr(float(x)) for x in numbers)


def problem():
    random = np.random.default_rng(11)
    sides = []
    for scale in (1.0, 0.01):  # data of different size
        matrix = random.uniform(-1, 1, (VERTICES, VERTICES))
        sides.append(
            Side(scale * random.uniform(0.5, 1.5, VERTICES), scale * random.uniform(0, 1, VERTICES), matrix)
        )
    a, b = sides
    a.matrix *= 100 / np.linalg.norm(a.matrix, 2)
    b.matrix *= 0.0065 / np.linalg.norm(b.matrix, 2)
    return a, b


A, B = problem()


@dataclass
class Case:
    kind: str
    measure: str
    acceleration: str
    steps: int = 1
    sides: tuple = field(default=None, repr=False)  # A and B, where they are not those of problem()
    windows: int = WINDOWS
    relaxation: float = 0.4
    limit: float = 1e-3

    def __post_init__(self):
        self.sides = self.sides or (A, B)

    @property
    def vertices(self):
        return len(self.sides[0].constant)

    @property
    def primary(self):
        return [0] if self.kind == "serial-implicit" else [0, 1]

    @property
    def accelerated(self):
        """In the order of the exchanges."""
        return ["F"] if self.kind == "serial-implicit" else ["T", "F"]

    @property
    def most_iterations(self):
        """Few where steps are cut at bounds: then the iteration may never end."""
        return 4 if "bounds" in self.acceleration else 30 if self.sides[0] is A else 100

    def data(self):
        return "".join(f'<data name="{d}" mesh="{FIELDS[d]}-Mesh"/>' for d in self.accelerated)

    def setup(self):
        """The element of the configuration, and the same in NumPy."""
        name, _, rest = self.acceleration.partition(" ")
        reduced = self.steps == 1 or "full" not in rest
        if name == "none":
            return "", Constant(1)
        if name == "constant":
            return "<acceleration:constant><relaxation value='0.7'/></acceleration:constant>", Constant(0.7)
        if name == "aitken":
            text = (
                f"<acceleration:aitken>{self.data()}<initial-relaxation value='0.4'/></acceleration:aitken>"
            )
            return text, Aitken(0.4, self.primary)
        options = dict(option.split("=") for option in rest.split() if "=" in option)
        filter_, filter_text = self.filter(options.get("filter", "QR2:1e-2"))
        preconditioner = options.get("preconditioner", "residual-sum")
        freeze = int(options.get("freeze", -1))
        threshold = "always" not in rest
        reused = int(options.get("reused", 0))
        columns = int(options.get("columns", 20))
        enforce = "enforce" in rest
        reaction = options.get("bounds", "ignore")
        build = " always-build-jacobian='true'" if "build" in rest else ""
        text = (
            f"<acceleration:{name} reduced-time-grid='{str(reduced).lower()}'"
            f" on-bound-violation='{reaction}'{build}>"
            f"{self.data()}<initial-relaxation value='{self.relaxation}' enforce='{str(enforce).lower()}'/>"
            f"<max-used-iterations value='{columns}'/><time-windows-reused value='{reused}'/>{filter_text}"
            f"<preconditioner type='{preconditioner}' freeze-after='{freeze}' "
            f"update-on-threshold='{str(threshold).lower()}'/>"
        )
        restart = options.get("restart", "no-restart") if name == "IQN-IMVJ" else None
        if restart and "absent" not in rest:
            text += (
                f"<imvj-restart-mode type='{restart}' chunk-size='2' reused-time-windows-at-restart='2' "
                "truncation-threshold='1e-2'/>"
            )
        method = QuasiNewton(
            self.relaxation,
            self.primary,
            filter_,
            weights=Weights(preconditioner, len(self.primary), freeze, threshold),
            enforce=enforce,
            columns=columns,
            reused=reused,
            reduced=reduced,
            bounds=[self.bounds()[d] for d in self.accelerated] if "bounds" in options else None,
            reaction=reaction,
            restart=restart,
            always_build="build" in rest,
            chunk=2,
            windows_at_restart=2,
            truncation=1e-2,
        )
        return text + f"</acceleration:{name}>", method

    @staticmethod
    def filter(option):
        """What the method is told, and the element; its limit differs where one is left out."""
        if option == "none":
            return ("QR3", 1e-2), ""
        kind, _, limit = option.partition(":")
        if not limit:
            return (kind, 1e-16), f"<filter type='{kind}'/>"
        return (kind, float(limit)), f"<filter type='{kind}' limit='{limit}'/>"

    def bounds(self):
        """Of F alone, which some steps exceed."""
        bounded = "bounds" in self.acceleration
        return {"T": (-np.inf, np.inf), "F": (0.0, 0.014) if bounded else (-np.inf, np.inf)}

    def measures(self):
        """The same kind for all data; elements, and limits."""
        limit = {
            "absolute": self.limit,
            "relative": self.limit,
            "residual-relative": self.limit,
            "absolute-or-relative": (1e-5, 1e-3),
        }
        what = limit[self.measure]
        attributes = (
            f"abs-limit='{what[0]}' rel-limit='{what[1]}'" if isinstance(what, tuple) else f"limit='{what}'"
        )
        return "".join(
            f"<{self.measure}-convergence-measure data='{d}' mesh='{FIELDS[d]}-Mesh' {attributes}/>"
            for d in "TF"
        ), what

    def xml(self):
        lower, upper = self.bounds()["F"]
        limits = f" lower-bound='{lower}' upper-bound='{upper}'" if np.isfinite(lower) else ""
        control = f"<max-iterations value='{self.most_iterations}'/>{self.measures()[0]}{self.setup()[0]}"
        several = self.steps > 1
        return Scenario(
            [Scheme("A", "B", self.kind, max_windows=self.windows, control=control)],
            [
                Flow("A", "B", "T", substeps=several),
                Flow("B", "A", "F", substeps=several, of_data=limits),
            ],
        ).xml()


def judge(measure, limit, residual, value, first):
    """What the log says, and whether it is enough."""
    if measure == "absolute":
        return residual, residual <= limit
    if measure == "residual-relative":
        return residual / first, residual <= limit * first
    if measure == "relative":
        return residual / value, residual <= limit * value
    return 0, residual <= limit[0] or residual <= limit[1] * value


def reference(case):
    """Rows as the participants write them, rows of the convergence log, quasi-Newton columns by window."""
    method = case.setup()[1]
    limit = case.measures()[1]
    rows = {"A": [], "B": []}
    log = []
    given = {d: np.zeros((case.steps, case.vertices)) for d in FIELDS}
    a, b = case.sides
    for window in range(case.windows):
        times = window + (np.arange(case.steps) + 1) / case.steps
        for iteration in range(1, case.most_iterations + 1):
            answered = {"T": a.answer(times, given["F"])}
            seen = answered["T"] if case.kind == "serial-implicit" else given["T"]
            answered["F"] = b.answer(times, seen)
            rows["A"] += [np.concatenate(pair) for pair in zip(given["F"], answered["T"], strict=True)]
            rows["B"] += [np.concatenate(pair) for pair in zip(seen, answered["F"], strict=True)]
            residuals = [np.linalg.norm(answered[d][-1] - given[d][-1]) for d in FIELDS]
            if iteration == 1:
                first = residuals
            verdicts = [
                judge(case.measure, limit, r, np.linalg.norm(answered[d][-1]), f)
                for d, r, f in zip(FIELDS, residuals, first, strict=True)
            ]
            log.append([window + 1, iteration, *(value for value, _ in verdicts)])
            x = [given[d] for d in case.accelerated]
            h = [answered[d] for d in case.accelerated]
            method.observe(x, h)
            if all(met for _, met in verdicts) or iteration == case.most_iterations:
                break
            given = answered | dict(zip(case.accelerated, method.step(x, h), strict=True))
        method.end_window()
        given = {d: np.repeat(answered[d][-1:], case.steps, axis=0) for d in FIELDS}
    return {who: np.array(lines) for who, lines in rows.items()}, np.array(log), method


def cases():
    filters = ["QR1:2e-2", "QR1-absolute:1e-4", "QR2:3e-1", "QR3:4e-1"]
    simple = ["none", "constant", "aitken"]
    newton = [f"IQN-ILS filter={f} reused=2" for f in filters] + [f"IQN-IMVJ filter={f}" for f in filters]
    schemes = ["serial-implicit", "parallel-implicit"]
    measures = ["absolute", "relative", "residual-relative", "absolute-or-relative"]
    for kind, acceleration, measure in itertools.product(schemes, simple + newton, measures):
        yield Case(kind, measure, acceleration)
    preconditioners = ["constant", "value", "residual", "residual-sum", "residual-sum always"]
    more = [f"IQN-ILS preconditioner={p} reused={r}" for p in preconditioners for r in (0, 1)]
    more += [f"IQN-ILS preconditioner={p} reused=1 freeze=2" for p in preconditioners]
    more += [f"IQN-ILS preconditioner={p} reused=1 enforce" for p in preconditioners]
    more += [f"IQN-IMVJ preconditioner={p}" for p in preconditioners]
    more += ["IQN-ILS columns=3 reused=3", "IQN-ILS columns=3 enforce", "IQN-IMVJ enforce"]
    more += [f"IQN-ILS filter={f} reused=3" for f in ("none", "QR1", "QR2", "QR3")]
    restarts = ["RS-0", "RS-LS", "RS-SVD", "RS-SLIDE"]
    more += [f"IQN-IMVJ restart={m} reused={r}" for m in restarts for r in (0, 1)]
    more += [f"IQN-IMVJ build {t} reused={r}" for t in ("given", "absent") for r in (0, 2)]
    more += [f"IQN-ILS bounds={b} reused=2" for b in ("ignore", "clamp", "discard", "scale")]
    for kind, acceleration in itertools.product(schemes, more):
        yield Case(kind, "relative", acceleration)
    for kind, acceleration in itertools.product(
        schemes, ["constant", "aitken", "IQN-ILS", "IQN-ILS full reused=1", "IQN-IMVJ full"]
    ):
        yield Case(kind, "relative", acceleration, steps=3)


def difference(found, expected, tolerance):
    """The first row that differs, described; empty if there is none."""
    if found.shape != expected.shape:
        return f"{len(found)} rows instead of {len(expected)}"
    for row, (a, b) in enumerate(zip(found, expected, strict=True)):
        if np.any(np.abs(a - b) > tolerance * (1e-3 + np.abs(b).max())):
            return f"row {row} is {a} instead of {b}"
    return ""


def write(case, place):
    place.mkdir()
    (place / "config.xml").write_text(case.xml())
    a, b = case.sides
    (place / "problem.txt").write_text(f"{case.vertices} {case.steps} {a.text()} {b.text()}\n")


def compare(case, place, tolerance=1e-6):
    """What differs between the files of a case and its reference, and the method of that."""
    rows, log, method = reference(case)
    wrong = []
    for who in "AB":
        if problem := difference(np.loadtxt(place / f"{who}.txt", ndmin=2), rows[who], tolerance):
            wrong.append(f"{case}: {who}: {problem}")
    found = np.loadtxt(place / "precice-B-convergence.log", skiprows=1, ndmin=2)
    if problem := difference(found, log, tolerance):
        wrong.append(f"{case}: residuals: {problem}")
    if method.counters and not method.noisy:
        found = np.loadtxt(place / "precice-B-iterations.log", skiprows=1, ndmin=2)[:, 4:]
        if not np.array_equal(found, method.counters):
            wrong.append(f"{case}: columns: {found.tolist()} instead of {method.counters}")
    return wrong, method


def main():
    everything = list(cases())
    wrong = []
    deleted = Counter()
    noisy = 0  # cases in which it is left to rounding whether a column stays
    with tempfile.TemporaryDirectory() as folder:
        folders = [Path(folder) / str(number) for number in range(len(everything))]
        for case, place in zip(everything, folders, strict=True):
            write(case, place)
        subprocess.run([sys.argv[1], *map(str, folders)], check=True, timeout=1500)
        for case, place in zip(everything, folders, strict=True):
            problems, method = compare(case, place)
            wrong += problems
            if method.counters:
                deleted[case.acceleration] += sum(of_window[1] for of_window in method.counters)
                noisy += method.noisy
    if noisy > 0.15 * len(everything):
        wrong.append(f"columns depend on rounding in {noisy} cases")
    wrong += [f"{name} deletes nothing" for name, count in deleted.items() if "filter" in name and not count]
    print("\n".join(wrong), f"{len(everything)} cases, {len(wrong)} differences", sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
