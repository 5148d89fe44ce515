# SPDX-License-Identifier: BSD-3-Clause
"""Random configurations: fuzz.py PROGRAM [--seed N] [--cases N]"""

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from case import xml
from generate import generate
from play import Batch, find_mpirun, judge
from shrink import shrink


def tolerance_of(case):
    return 1e-9


def play_seeds(program, seeds):
    """Failures by seed, leaks."""
    cases = [(seed, *generate(seed)) for seed in seeds]
    runs = [(case, variant) for _, case, _ in cases for variant in case.variants]
    owners = [i for i, (_, case, _) in enumerate(cases) for _ in case.variants]
    batch = Batch(program, runs, find_mpirun())
    batch.play()
    failures = {}
    for number, (case, variant) in enumerate(runs):
        seed, _, expected = cases[owners[number]]
        problem = batch.problems.get(number) or judge(
            case, expected, variant, batch.reports.get(number, {}), tolerance_of(case)
        )
        if problem:
            failures.setdefault(seed, []).append(problem)
    return failures, batch.leaks


def describe(case):
    """The configuration, and the rest that matters."""
    lines = [xml(case), f"steps {case.steps}", f"variants {case.variants}"]
    for f in case.flows:
        lines.append(f"{f.data} {f.source_mesh} -> {f.target_mesh} {f.mapping.kind} {f.mapping.constraint} "
                     f"gain {f.gain} of {f.feedback or 'nothing'} read at {f.fractions}")
    for mesh in case.meshes.values():
        lines.append(f"{mesh.name}: {mesh.points.tolist()}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--shrink", type=int, help="a seed that fails, to be made small")
    options = parser.parse_args()
    if options.shrink is not None:
        case, problem = shrink(options.program, generate(options.shrink)[0], tolerance_of)
        print(describe(case), problem, sep="\n")
        return
    seeds = range(options.seed, options.seed + options.cases)
    batches = [seeds[i : i + options.batch] for i in range(0, len(seeds), options.batch)]
    began = time.time()
    failures, leaks = {}, []
    with ThreadPoolExecutor(options.jobs) as pool:
        for found, leaked in pool.map(lambda batch: play_seeds(options.program, batch), batches):
            failures |= found
            leaks += leaked
            for seed, problems in found.items():
                print(f"seed {seed}:", *problems, sep="\n  ", flush=True)
            for leak in leaked:
                print(leak, flush=True)
    seconds = time.time() - began
    print(f"{len(seeds)} cases, {len(failures)} failures, {len(leaks)} leaks, {len(seeds) / seconds:.1f} per second")
    sys.exit(bool(failures or leaks))


if __name__ == "__main__":
    main()
