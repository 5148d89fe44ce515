# SPDX-License-Identifier: BSD-3-Clause
"""Random configurations: every case runs on one rank and on several, by all transports, and is compared with
a reference in NumPy. What fails is printed with its seed; --shrink SEED makes it small, --keep NAME writes
that to kept/, whose cases are played first by every run."""

import argparse
import os
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from configuration import xml
from generate import generate
from play import Batch, find_mpirun, judge
from reference import key_of, play  # which lets what is in references be found
from segments import left_behind, left_since
from shrink import shrink
from stored import from_json, to_json

KEPT = Path(__file__).resolve().parent / "kept"


def tolerance_of(case):
    """Quasi-Newton systems and radial functions are sensitive to rounding."""
    kinds = [scheme.acceleration.get("kind", "") for scheme in case.schemes]
    sensitive = any(f.mapping.kind.startswith("rbf") for f in case.flows)
    return 1e-6 if sensitive or any(kind not in ("", "constant") for kind in kinds) else 1e-9


def play_cases(program, cases):
    """`cases`: (label, case, what its participants should see). Failures by label, leaks."""
    runs, owners = [], []
    for i, (_, case, expected) in enumerate(cases):
        for variant in case.variants:
            if key_of(case, variant) in expected:
                runs.append((case, variant))
                owners.append(i)
    batch = Batch(program, runs, find_mpirun())
    batch.play()
    failures = {}
    for number, (case, variant) in enumerate(runs):
        label, _, expected = cases[owners[number]]
        problem = batch.problems.get(number) or judge(
            case, expected, variant, batch.reports.get(number, {}), tolerance_of(case)
        )
        if problem:
            failures.setdefault(label, []).append(problem)
    return failures, batch.leaks


def kept_cases():
    cases = []
    for file in sorted(KEPT.glob("*.json")):
        case = from_json(file.read_text())
        with np.errstate(all="ignore"):
            cases.append((file.stem, case, play(case)))
    return cases


def play_seeds(program, seeds):
    cases, broken = [], {}
    for seed in seeds:
        label = f"seed {seed}"
        try:
            cases.append((label, *generate(seed)))
        except Exception:  # the other seeds are played all the same
            broken[label] = [f"the reference fails: {traceback.format_exc()}"]
    failures, leaks = play_cases(program, cases)
    return failures | broken, leaks


def describe(case):
    """The configuration, and the rest that matters."""
    lines = [xml(case), f"steps {case.steps}", f"variants {case.variants}"]
    for f in case.flows:
        lines.append(
            f"{f.data} {f.source_mesh} -> {f.target_mesh} {f.mapping.kind} {f.mapping.constraint} "
            f"gain {f.law.gain} of {f.law.feedback or 'nothing'} read at {f.sampling.fractions}"
        )
    for mesh in case.meshes.values():
        lines.append(f"{mesh.name}: {mesh.points.tolist()}")
    return "\n".join(lines)


def make_small(options):
    case, problem = shrink(options.program, generate(options.shrink)[0], tolerance_of)
    if not problem:
        sys.exit(f"seed {options.shrink} does not fail")
    print(describe(case), problem, sep="\n")
    if options.keep:
        KEPT.mkdir(exist_ok=True)
        (KEPT / f"{options.keep}.json").write_text(to_json(case, problem))


def report(failures, leaks):
    for label, problems in failures.items():
        print(f"{label}:", *problems, sep="\n  ", flush=True)
    for leak in leaks:
        print(leak, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="play_random")
    parser.add_argument("--seed", type=int, default=1, help="the first one")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2, help="MPI jobs at the same time")
    parser.add_argument("--batch", type=int, default=100, help="cases per MPI job")
    parser.add_argument("--shrink", type=int, metavar="SEED", help="of a case that fails")
    parser.add_argument("--keep", metavar="NAME", help="of the file for what was shrunk")
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    if options.shrink is not None:
        make_small(options)
        return
    seeds = range(options.seed, options.seed + options.cases)
    batches = [seeds[i : i + options.batch] for i in range(0, len(seeds), options.batch)]
    began, before = time.time(), left_behind()
    failures, leaks, kept = {}, [], kept_cases()
    with ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(play_cases, options.program, kept)]
        jobs += [pool.submit(play_seeds, options.program, batch) for batch in batches]
        for job in jobs:
            found, leaked = job.result()
            report(found, leaked)
            failures |= found
            leaks += leaked
    if left := left_since(before, 30):
        leaks.append(f"left in /dev/shm: {sorted(left)}")
        print(leaks[-1])
    count = len(kept) + len(seeds)
    speed = count / (time.time() - began)
    print(f"{count} cases, {len(failures)} failures, {len(leaks)} leaks, {speed:.1f} per second")
    sys.exit(bool(failures or leaks))


if __name__ == "__main__":
    main()
