# SPDX-License-Identifier: BSD-3-Clause
"""Plays cases in one MPI job and compares what their participants saw with each other and the reference."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
from case import RANKS, plan
from configuration import xml
from outputs import SCRIPT
from reference import key_of

PROGRESS_TIMEOUT = 240  # seconds without a new run: hanging, however busy the machine is


def environment():
    return os.environ | {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
        "OMPI_MCA_mpi_yield_when_idle": "1",
        "ISTHMUS_TIMEOUT": "40",
        "ISTHMUS_PATIENCE": "50",
        "OPENBLAS_NUM_THREADS": "1",
        "ISTHMUS_SPIN_US": os.environ.get("ISTHMUS_SPIN_US", "5"),
    }


class Batch:
    """One job. `runs`: (case, variant); answers are in `reports`, by run, participant and rank."""

    def __init__(self, program, runs, mpirun="mpirun"):
        self.program, self.runs, self.mpirun = program, runs, mpirun
        self.reports = defaultdict(dict)
        self.problems = {}  # by run: a hang, a crash
        self.leaks = []

    def play(self):
        first = 0
        while first < len(self.runs):  # what follows a hang or a crash is played by another job
            first = self.play_from(first)

    def play_from(self, first):
        with tempfile.TemporaryDirectory(prefix="isthmus-random-", dir="/dev/shm") as name:
            folder = Path(name)
            count = len(self.runs) - first
            known = {}
            with open(folder / "runs", "w") as file:
                file.write(f"{count}\n")
                for number in range(first, len(self.runs)):
                    case, variant = self.runs[number]
                    # the variants of a case meet in one place, as runs one after the other do
                    place = folder / str(known.get(id(case), number))
                    known[id(case)] = int(place.name)
                    place.mkdir(exist_ok=True)
                    (place / "config.xml").write_text(xml(case))
                    (place / "half.py").write_text(SCRIPT)
                    file.write(plan(case, number, place, variant))
            out = folder / "out"
            out.mkdir()
            reached, problem = self.run_job(folder, out)
            self.read_reports(out)
            if problem:
                reached = max(reached, first)  # it may have failed before any began
                self.problems[reached] = problem
                return reached + 1
            return len(self.runs)

    def run_job(self, folder, out):
        """The last run that began, and what was wrong with it."""
        # Python actions import NumPy, which this Python has; mpirun puts its own folder first on PATH
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        command = [self.mpirun, "--oversubscribe", "--bind-to", "none", "-n", str(RANKS)]
        command += ["env", f"PATH={path}", self.program]
        begun, since, last = out / "begun", time.time(), -1
        with open(folder / "output", "w+") as output:
            job = subprocess.Popen(
                [*command, folder / "runs", out],
                stdout=output,
                stderr=subprocess.STDOUT,
                env=environment(),
                start_new_session=True,
            )
            while job.poll() is None:
                time.sleep(0.02)
                text = begun.read_text() if begun.exists() else ""
                if text.strip() and int(text) != last:
                    since, last = time.time(), int(text)
                if time.time() - since > PROGRESS_TIMEOUT:
                    stop(job)
                    return last, "hangs"
            output.seek(0)
            return last, f"crashes:\n{output.read()[-3000:]}" if job.returncode else ""

    def read_reports(self, out):
        for file in out.glob("*.bin"):
            data = file.read_bytes()
            at, before = 0, None
            while at + 40 <= len(data):
                run, participant, rank, count, letters = np.frombuffer(data, float, 5, at).astype(int)
                at += 40
                values = np.frombuffer(data, float, count, at)
                at += 8 * count
                error = data[at : at + letters].decode(errors="replace")
                at += letters
                if run == -1:
                    before = values
                elif run == -2:
                    self.compare_holdings(rank, before, values)
                else:
                    self.reports[run][participant, rank] = values, error

    def compare_holdings(self, rank, before, after):
        names = ["open files", "KiB of memory", "threads"]
        scripts = any(action.module for case, _ in self.runs for action in case.duties.actions)
        allowed = [0, 8192 + 40960 * scripts, 0]  # an interpreter with NumPy, once
        for name, a, b, more in zip(names, before, after, allowed, strict=True):
            if b > a + more:
                self.leaks.append(f"rank {rank}: {b:.0f} {name} instead of {a:.0f}")


def stop(job):
    os.killpg(job.pid, signal.SIGTERM)
    try:
        job.wait(5)
    except subprocess.TimeoutExpired:
        os.killpg(job.pid, signal.SIGKILL)
        job.wait()


class Rejected(Exception):
    """What a participant saw is wrong; says where."""


class EndsEarly(Rejected):
    """It saw less than expected."""


class Sight:
    """What the ranks of one participant saw, put together."""

    def __init__(self, case, name, ranks, reports):
        self.case, self.name = case, name
        self.numbers = reports
        self.at = [0] * ranks
        self.ranks = ranks
        self.complete = 0  # windows
        self.known = 0  # of which meshes that are accessed are known before they begin
        self.known_within = 0  # or after their first iteration

    def take(self, rank, count):
        at = self.at[rank]
        self.at[rank] += count
        values = self.numbers[rank][at : at + count]
        if len(values) < count:
            raise EndsEarly(f"{self.name}: ends early")
        return values

    def same(self, count):
        """Numbers that all ranks must agree on."""
        all_ranks = [self.take(rank, count) for rank in range(len(self.at))]
        for values in all_ranks[1:]:
            if not np.array_equal(values, all_ranks[0]):
                raise Rejected(f"{self.name}: ranks disagree: {all_ranks}")
        return all_ranks[0]

    def field(self, flow):
        mesh = self.case.meshes[flow.target_mesh]
        windows = self.complete
        if mesh.access:
            windows = self.known_within if self.case.hears_within(mesh) else self.known
        mesh = mesh.at(mesh.version(windows))
        values = np.full((len(mesh.points), flow.components), np.nan)
        for rank, piece in enumerate(mesh.pieces(self.ranks)):
            count = len(piece) * flow.components
            values[piece] = self.take(rank, count).reshape(-1, flow.components)
        return values

    def table(self):
        """Of a watch; the first rank has read its file."""
        shape = self.take(0, 2).astype(int)
        return self.take(0, shape[0] * shape[1]).reshape(shape)

    def exported(self, mesh):
        """The table of all ranks, without the column that says which one has a vertex."""
        found = None
        for rank, piece in enumerate(mesh.pieces(self.ranks)):
            if len(piece):
                rows, columns = self.take(rank, 2).astype(int)
                table = self.take(rank, rows * columns).reshape(rows, columns)
                found = np.full((len(mesh.points), columns), np.nan) if found is None else found
                found[piece] = table
        return np.delete(found, mesh.dim, axis=1)

    def compare_received(self, mesh, right, known, tolerance, place):
        """One rank has all vertices of a mesh of others; several have those that they need."""
        for rank in range(self.ranks):
            rows, columns = self.take(rank, 2).astype(int)
            table = self.take(rank, rows * columns).reshape(rows, columns)
            table = np.delete(table, mesh.dim, axis=1) if rows else np.empty((0, right.shape[1]))
            away = np.linalg.norm(table[:, None, : mesh.dim] - mesh.points[None], axis=2)
            found = away.argmin(axis=1) if rows else np.empty(0, int)
            if self.ranks == 1 and sorted(found) != list(range(len(mesh.points))):
                raise Rejected(f"{place}: {len(found)} vertices instead of {len(mesh.points)}")
            columns_known = known[self.ranks > 1]
            close(table[:, columns_known], right[found][:, columns_known], tolerance, place)

    def is_new(self, flow, starts):
        """Nothing has come for the vertices of its mesh."""
        mesh = self.case.meshes[flow.target_mesh]
        is_reset = not mesh.access and any(reset.windows == self.complete for reset in mesh.resets)
        return is_reset and (starts or not self.case.comes_within(flow))

    def compare(self, seen, tolerance, may_go_on=False):
        """Returns all values, for a comparison with another variant."""
        expected = seen.logs[self.name]
        reads = self.case.reads(self.name)
        values, starts = [], True
        for step, (head, read, tail) in enumerate(expected):
            known = [f for f in reads if not self.is_new(f, starts)]
            wanted = [(f, at) for f in known for at in [*f.sampling.fractions, "step"]]
            place = f"{self.name}, step {step}"
            close(self.same(len(head)), head, 1e-9, f"{place}, before advance")
            if not tail:
                wanted = [(f, "end") for f in reads]
                self.complete = max(self.complete - 1, 0)  # nobody defines a mesh anew any more
            for (flow, at), right in zip(wanted, read, strict=True):
                found = self.field(flow)
                close(found, right, tolerance, f"{place}, {flow.data} at {at}")
                values.append(found)
            close(self.same(len(tail)), tail, 0, f"{place}, after advance")
            starts = any(tail[1:2])
            self.complete += int(any(tail[1:2]))
            self.known = max(self.known, self.complete)
            self.known_within = max(self.known_within, self.complete + int(any(tail[2:3])))
        for name, right in {} if may_go_on else seen.tables[self.name].items():
            close(self.table(), right, max(tolerance, 1e-7), f"{self.name}, watch {name}")
        for export, times in zip(self.case.exports_of(self.name), seen.exported[self.name], strict=True):
            shown = self.case.shown_by(self.name)
            for number, _, tables, received in times if not may_go_on else []:
                for mesh, right in tables:
                    if len(mesh.points):
                        place = f"{self.name}, export of {mesh.name} to {export.directory}, window {number}"
                        close(self.exported(mesh), right, max(tolerance, 1e-7), place)
                for mesh, right, known in received:
                    place = f"{self.name}, export of {mesh.name} of another, window {number}"
                    self.compare_received(mesh, right, known, max(tolerance, 1e-7), place)
            for mesh in shown if times and export.kind != "csv" and not may_go_on else []:
                if len(mesh.points):
                    place = f"{self.name}, series of {mesh.name} in {export.directory}"
                    close(self.take(0, len(times)), [time for _, time, *_ in times], 1e-9, place)
        ends = [at == len(numbers) for at, numbers in zip(self.at, self.numbers, strict=True)]
        if not (all(ends) or may_go_on):
            raise Rejected(f"{self.name}: {len(expected)} steps were expected, there are more")
        return values


def close(found, expected, tolerance, place):
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    if found.shape != expected.shape:
        raise Rejected(f"{place}: shape {found.shape} instead of {expected.shape}")
    scale = 1 + np.abs(expected).max(initial=0)
    wrong = ~(np.abs(found - expected) <= tolerance * scale)
    if wrong.any():
        where = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise Rejected(
            f"{place}: {found[where]!r} instead of {expected[where]!r} at {where}, "
            f"{wrong.sum()} of {wrong.size} differ"
        )


def judge(case, expected, variant, reports, tolerance):
    """What is wrong with a run; empty if nothing."""
    transport, ranks = variant
    expected = expected[key_of(case, variant)]
    if expected.failed:
        return judge_failed(case, expected, variant, reports, tolerance)
    label = f"{transport} {ranks or 'threads'}"
    errors = {f"{case.participants[p]} rank {r}: {e}" for (p, r), (_, e) in reports.items() if e}
    if errors:
        return f"{label}: {min(errors)}, {len(errors)} errors"
    try:
        for i, name in enumerate(case.participants):
            count = ranks.get(name, 1)
            numbers = [reports[i, r][0] for r in range(count) if (i, r) in reports]
            if len(numbers) < count:
                return f"{label}: {name} has no report"
            Sight(case, name, count, numbers).compare(expected, tolerance)
    except Rejected as problem:
        return f"{label}: {problem}"
    return ""


def judge_failed(case, expected, variant, reports, tolerance):
    """All who wait for somebody whose strict measure is not met learn that; up to then all is as expected."""
    transport, ranks = variant
    label = f"{transport} {ranks or 'threads'}"
    members = next(s.members for s in case.schemes if s.implicit and s.leader == expected.failed)
    try:
        for (p, rank), (_, error) in sorted(reports.items()):
            name = case.participants[p]
            if (error or name in members) and "strict convergence measure" not in error:
                raise Rejected(f"{name} rank {rank}: {error or 'no'} error, not that of the strict measure")
        for i, name in enumerate(case.participants):
            numbers = [reports[i, r][0] for r in range(ranks.get(name, 1))]
            try:
                Sight(case, name, len(numbers), numbers).compare(expected, tolerance, may_go_on=True)
            except EndsEarly:
                if name == expected.failed:
                    raise
    except Rejected as problem:
        return f"{label}: {problem}"
    return ""


def find_mpirun():
    return shutil.which("mpirun") or "mpirun"
