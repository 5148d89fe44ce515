# SPDX-License-Identifier: BSD-3-Clause
"""test_languages.py [--beside COMMAND] COMMAND…: the same scenario written in several languages gives the
same numbers in all pairs; with --beside in those of this one with itself and all others. An error ends a
program of C and Fortran with its text and exit code 1."""

import argparse
import itertools
import os
import re
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

CONFIG = Path(__file__).with_name("config.xml")
LIMIT = 200  # seconds, where something hangs
ENVIRONMENT = {**os.environ, "ISTHMUS_TIMEOUT": str(LIMIT / 2)}


def numbers(text: str) -> list[list[float]]:
    """The lines `time: values` of a program."""
    lines = [line.replace("\x1b[0m", "") for line in text.splitlines()]
    found = [re.fullmatch(r"\s*([-+.\dEe]+):((\s+[-+.\dEe]+)+)\s*", line) for line in lines]
    return [[float(n) for n in [m[1], *m[2].split()]] for m in found if m]


def couple(first: str, second: str, config: Path = CONFIG,
           look: Callable[[Path], None] | None = None) -> tuple[list[list[float]], list[list[float]]]:
    """What both print. `look`: at the folder in which they have run."""
    with tempfile.TemporaryDirectory() as folder:
        jobs = [subprocess.Popen([*program.split(), config, name], cwd=folder, env=ENVIRONMENT, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                for program, name in ((first, "A"), (second, "B"))]
        texts = [job.communicate(timeout=LIMIT)[0] for job in jobs]
        assert all(job.returncode == 0 for job in jobs), "\n".join([first, texts[0], second, texts[1]])
        if look is not None:
            look(Path(folder))
    return numbers(texts[0]), numbers(texts[1])


def check_error(program: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        job = subprocess.run([program, "nowhere.xml", "A"], check=False, cwd=folder, env=ENVIRONMENT,
                             text=True, capture_output=True, timeout=LIMIT)
    assert job.returncode == 1, (program, job.returncode)
    assert re.search(r"ERROR in precice[cf]_create\w*: .*nowhere\.xml", job.stderr), (program, job.stderr)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--beside")
    parser.add_argument("programs", nargs="+")
    given = parser.parse_args()
    programs = given.programs
    expected = couple(programs[0], programs[0])
    assert len(expected[0]) == len(expected[1]) == 4, expected  # two windows of two iterations
    assert all(len(line) == 7 for line in expected[0]) and all(len(line) == 4 for line in expected[1])
    assert expected[1][0][1:] == [7, 7, 7], "initial data"
    pairs = list(itertools.product(programs, repeat=2))
    if given.beside:
        pairs = [(given.beside, given.beside)]
        pairs += [pair for other in programs for pair in ((given.beside, other), (other, given.beside))]
    for first, second in pairs:
        assert couple(first, second) == expected, (first, second)
    for program in programs:
        if program.endswith(("_c", "_fortran")) and not given.beside:  # where no exception can escape
            check_error(program)
    print(f"{len(pairs)} pairs give the same numbers")


if __name__ == "__main__":
    main()
