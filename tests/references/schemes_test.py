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
from methods import Aitken, Constant, QuasiNewton

WINDOWS = 3
VERTICES = 8
MOST_ITERATIONS = 30
FIELDS = {"T": "A", "F": "B"}  # and who writes them


@dataclass
class Side:
    """What a participant answers: constant + slope t + matrix · what it read."""

    constant: np.ndarray
    slope: np.ndarray
    matrix: np.ndarray

    def answer(self, times, read):
        return self.constant + np.outer(times, self.slope) + read @ self.matrix.T

    def text(self):
        return " ".join(repr(float(x)) for x in (*self.constant, *self.slope, *self.matrix.ravel()))


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
    method: str = field(default="", repr=False)  # element

    @property
    def primary(self):
        return [0] if self.kind == "serial-implicit" else [0, 1]

    @property
    def accelerated(self):
        """In the order of the exchanges."""
        return ["F"] if self.kind == "serial-implicit" else ["T", "F"]

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
        kind, limit = options.get("filter", "QR2:1e-2").split(":")
        preconditioner = options.get("preconditioner", "residual-sum")
        reused = int(options.get("reused", 0))
        columns = int(options.get("columns", 20))
        text = (
            f"<acceleration:{name} reduced-time-grid='{str(reduced).lower()}'>{self.data()}"
            f"<initial-relaxation value='0.4'/><max-used-iterations value='{columns}'/>"
            f"<time-windows-reused value='{reused}'/><filter type='{kind}' limit='{limit}'/>"
            f"<preconditioner type='{preconditioner}'/>"
        )
        forget = int(options.get("forget", 0))
        if name == "IQN-IMVJ":
            mode = f"'RS-0' chunk-size='{forget}'" if forget else "'no-restart'"
            text += f"<imvj-restart-mode type={mode}/>"
        method = QuasiNewton(
            0.4,
            self.primary,
            (kind, float(limit)),
            preconditioner=preconditioner,
            columns=columns,
            reused=reused,
            reduced=reduced,
            jacobian=name == "IQN-IMVJ",
            forget_after=forget,
        )
        return text + f"</acceleration:{name}>", method

    def measures(self):
        """The same kind for all data; elements, and limits."""
        limit = {
            "absolute": 1e-3,
            "relative": 1e-3,
            "residual-relative": 1e-3,
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
        substeps = "true" if self.steps > 1 else "false"
        participants = "".join(
            f"<participant name='{me}'><provide-mesh name='{me}-Mesh'/>"
            f"<receive-mesh name='{you}-Mesh' from='{you}'/>"
            f"<write-data name='{writes}' mesh='{me}-Mesh'/><read-data name='{reads}' mesh='{me}-Mesh'/>"
            f"<mapping:nearest-neighbor direction='read' from='{you}-Mesh' to='{me}-Mesh' "
            "constraint='consistent'/></participant>"
            for me, you, writes, reads in (("A", "B", "T", "F"), ("B", "A", "F", "T"))
        )
        meshes = "".join(
            f"<mesh name='{me}-Mesh' dimensions='2'><use-data name='T'/><use-data name='F'/></mesh>"
            for me in "AB"
        )
        return (
            "<precice-configuration><log enabled='false'/><data:scalar name='T'/><data:scalar name='F'/>"
            f"{meshes}{participants}<m2n:sockets acceptor='A' connector='B'/><coupling-scheme:{self.kind}>"
            "<participants first='A' second='B'/><time-window-size value='1'/>"
            f"<max-time-windows value='{WINDOWS}'/>"
            f"<max-iterations value='{MOST_ITERATIONS}'/>"
            f"<exchange data='T' mesh='A-Mesh' from='A' to='B' substeps='{substeps}'/>"
            f"<exchange data='F' mesh='B-Mesh' from='B' to='A' substeps='{substeps}'/>"
            f"{self.measures()[0]}{self.setup()[0]}</coupling-scheme:{self.kind}></precice-configuration>"
        )


def judge(measure, limit, residual, value, first):
    """What the log says, and whether it is enough."""
    if measure == "absolute":
        return residual, residual <= limit
    if measure == "residual-relative":
        return residual / first, residual <= limit * first
    if measure == "relative":
        return residual / value, residual <= limit * value
    return residual / value, residual <= limit[0] or residual <= limit[1] * value


def reference(case):
    """Rows as the participants write them, rows of the convergence log, quasi-Newton columns by window."""
    method = case.setup()[1]
    limit = case.measures()[1]
    rows = {"A": [], "B": []}
    log = []
    given = {d: np.zeros((case.steps, VERTICES)) for d in FIELDS}
    for window in range(WINDOWS):
        times = window + (np.arange(case.steps) + 1) / case.steps
        for iteration in range(1, MOST_ITERATIONS + 1):
            answered = {"T": A.answer(times, given["F"])}
            seen = answered["T"] if case.kind == "serial-implicit" else given["T"]
            answered["F"] = B.answer(times, seen)
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
            if all(met for _, met in verdicts) or iteration == MOST_ITERATIONS:
                break
            given = answered | dict(zip(case.accelerated, method.step(x, h), strict=True))
        method.end_window()
        given = {d: np.repeat(answered[d][-1:], case.steps, axis=0) for d in FIELDS}
    return {who: np.array(lines) for who, lines in rows.items()}, np.array(log), method.counters


def cases():
    filters = ["QR1:2e-2", "QR1-absolute:1e-4", "QR2:3e-1", "QR3:4e-1"]
    simple = ["none", "constant", "aitken"]
    newton = [f"IQN-ILS filter={f} reused=2" for f in filters] + [f"IQN-IMVJ filter={f}" for f in filters]
    schemes = ["serial-implicit", "parallel-implicit"]
    measures = ["absolute", "relative", "residual-relative", "absolute-or-relative"]
    for kind, acceleration, measure in itertools.product(schemes, simple + newton, measures):
        yield Case(kind, measure, acceleration)
    more = [f"IQN-ILS preconditioner={p} reused=1" for p in ("constant", "value", "residual")]
    more += ["IQN-ILS columns=3 reused=3", "IQN-IMVJ forget=2"]
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


def main():
    everything = list(cases())
    wrong = []
    deleted = Counter()
    with tempfile.TemporaryDirectory() as folder:
        folders = [Path(folder) / str(number) for number in range(len(everything))]
        for case, place in zip(everything, folders, strict=True):
            place.mkdir()
            (place / "config.xml").write_text(case.xml())
            (place / "problem.txt").write_text(f"{VERTICES} {case.steps} {A.text()} {B.text()}\n")
        subprocess.run([sys.argv[1], *map(str, folders)], check=True, timeout=100)
        for case, place in zip(everything, folders, strict=True):
            rows, log, counters = reference(case)
            for who in "AB":
                if problem := difference(np.loadtxt(place / f"{who}.txt", ndmin=2), rows[who], 1e-6):
                    wrong.append(f"{case}: {who}: {problem}")
            found = np.loadtxt(place / "precice-B-convergence.log", skiprows=1, ndmin=2)
            if problem := difference(found, log, 1e-6):
                wrong.append(f"{case}: residuals: {problem}")
            if counters:
                found = np.loadtxt(place / "precice-B-iterations.log", skiprows=1, ndmin=2)[:, 4:]
                deleted[case.acceleration] += sum(of_window[1] for of_window in counters)
                if not np.array_equal(found, counters):
                    wrong.append(f"{case}: columns: {found.tolist()} instead of {counters}")
    wrong += [f"{name} deletes nothing" for name, count in deleted.items() if "filter" in name and not count]
    print("\n".join(wrong), f"{len(everything)} cases, {len(wrong)} differences", sep="\n")
    sys.exit(bool(wrong))


main()
