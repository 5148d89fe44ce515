# SPDX-License-Identifier: BSD-3-Clause
"""Random walks through the interface, batch after batch, and what fails is made small:
walks.py PROGRAM [--seed N] [--cases N] [--ranks 2,3,4] [--without WHAT,…] [--shrink SEED]"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

KEPT = Path(__file__).parent / "kept.txt"  # ranks, seed, what to leave out, why it is there
SETTINGS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_mpi_yield_when_idle": "1",
}
PARTS = ["rude", "before-initialize", "lives", "three", "ranks", "empty-root", "remeshing",
         "some-ranks", "one-rank", "implicit", "first-participant", "mpi", "direct", "write-mapping",
         "forgets", "nan", "write", "read", "status", "query", "checkpoint", "vertices", "element",
         "region", "fetch", "section", "steering", "beside", "acceleration", "degree", "just-in-time",
         "gradient", "multi", "controller", "native"]  # fmt: skip


def play(program, ranks, seed, count=1, limit=30, arguments=()):
    """Exit status and output of one job."""
    folder = tempfile.mkdtemp(prefix="isthmus-walks-")
    mpirun = shutil.which("mpirun") or "mpirun"
    command = [mpirun, "--oversubscribe", "--bind-to", "none", "-n", str(ranks), program]
    command += ["--seed", str(seed), "--count", str(count), "--limit", str(limit), *arguments]
    try:
        job = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, **SETTINGS},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=60 + count * limit,
        )
        return job.returncode, job.stdout + job.stderr
    except subprocess.TimeoutExpired as stuck:
        return 124, f"HANG of the whole job\n{stuck.stdout}"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def failures(text):
    """Seeds that fail."""
    hung = re.findall(r"^HANG.*\n(?:after )?seed (\d+)", text, re.MULTILINE)
    return sorted({int(seed) for seed in re.findall(r"^FAILED seed (\d+)", text, re.MULTILINE) + hung})


def play_batch(options, ranks, seed, count):
    """What fails in a batch, which goes on behind a walk that ends the job."""
    found, leaks, end = {}, [], seed + count
    while seed < end:
        _, text = play(options.program, ranks, seed, end - seed, options.limit, options.arguments)
        failed = failures(text)
        found |= dict.fromkeys(failed, text)
        leaks += re.findall(r"^LEAK.*", text, re.MULTILINE)
        if re.search(r"^rank 0: files|^LEAK rank 0", text, re.MULTILINE):
            break
        found |= {} if failed else {seed: text}  # it died without a word
        seed = max(failed or [seed]) + 1
    return ranks, found, leaks


def shrink(options, ranks, seed):
    """The arguments with which least is left of a walk that fails."""

    def fails(arguments):
        return any(
            play(options.program, ranks, seed, 1, options.limit, arguments)[0] != 0
            for _ in range(options.tries)
        )

    without = [part for argument in options.arguments[1::2] for part in argument.split(",")]
    for part in PARTS:
        if part not in without and fails(["--without", ",".join([*without, part])]):
            without.append(part)
    base = ["--without", ",".join(without)] if without else []
    low, high = 0, 80  # slots
    while low < high:
        middle = (low + high) // 2
        if fails([*base, "--slots", str(middle)]):
            high = middle
        else:
            low = middle + 1
    base += ["--slots", str(high)]
    text = play(options.program, ranks, seed, 1, options.limit, [*base, "--show"])[1]
    numbers = sorted({int(n) for n in re.findall(r"\[(\d+)\] ", text)})
    dropped, size = [], max(1, len(numbers) // 2)
    while size >= 1 and numbers:  # halves, quarters, …
        for start in range(0, len(numbers), size):
            chunk = numbers[start : start + size]
            if chunk and fails([*base, "--drop", ",".join(map(str, [*dropped, *chunk]))]):
                dropped += chunk
        numbers = [n for n in numbers if n not in dropped]
        size = size // 2
    return [*base, "--drop", ",".join(map(str, dropped))] if dropped else base


def kept(options):
    """Walks that failed once."""
    for line in KEPT.read_text().splitlines():
        words = line.split()
        if words and not line.startswith("#"):
            arguments = ["--without", words[2]] if words[2] != "-" else []
            status, text = play(options.program, int(words[0]), int(words[1]), 1, options.limit, arguments)
            if status != 0:
                yield line, text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=os.path.abspath, help="test_walks")
    parser.add_argument("--seed", type=int, default=1, help="the first one")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--ranks", default="2,3,4", help="of the job, in turn")
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=1, help="MPI jobs at the same time")
    parser.add_argument("--limit", type=float, default=30, help="seconds for one call")
    parser.add_argument("--without", help="parts of walks that are left out")
    parser.add_argument("--shrink", type=int, metavar="SEED", help="at the first of --ranks")
    parser.add_argument("--tries", type=int, default=1, help="until a walk counts as good, while shrinking")
    options = parser.parse_args()
    options.arguments = ["--without", options.without] if options.without else []
    ranks = [int(count) for count in options.ranks.split(",")]
    if min(ranks) < 2:
        parser.error("a walk needs two ranks of the job: each participant has at least one")
    if options.shrink is not None:
        arguments = shrink(options, ranks[0], options.shrink)
        shown = play(options.program, ranks[0], options.shrink, 1, options.limit, [*arguments, "--show"])[1]
        print(shown, *arguments)
        return
    began, bad, counts = time.time(), 0, []
    for line, text in kept(options):
        bad += 1
        print(f"kept walk: {line}\n{text}", flush=True)
    for i, start in enumerate(range(0, options.cases, options.batch)):
        count = min(options.batch, options.cases - start)
        counts.append((ranks[i % len(ranks)], options.seed + start, count))
    with ThreadPoolExecutor(options.jobs) as pool:
        for size, found, leaks in pool.map(lambda batch: play_batch(options, *batch), counts):
            bad += len(found) + len(leaks)
            for seed, text in found.items():
                print(f"FAILS with {size} ranks: seed {seed}\n{text}", flush=True)
            for leak in leaks:
                print(leak, flush=True)
    print(f"{options.cases} walks in {time.time() - began:.0f} s, {bad} failures")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
