# SPDX-License-Identifier: BSD-3-Clause
"""The peer, preCICE, measured in the same run by turns with ours: programs of bench/coupler that know its
interface only, built with the installation under the prefix that ISTHMUS_PEER_PREFIX names.

peer_replay takes the place of isthmus-replay; the others are built with Isthmus, too, as bench_peer_step."""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

from isthmus import programs
from isthmus.bench.coupler.blades import blade_settings, by_turns
from isthmus.bench.framework import Context, cpu, in_turns, peak_memory, phase
from isthmus.bench.measurement import Median
from isthmus.bench.reference import PEER, Peer
from isthmus.console import console, print_warning
from isthmus.errors import FAILED, IsthmusError
from isthmus.replay import Coupling, Mapping, Result, Settings
from isthmus.replay.runner import PROGRAM

VARIABLE = "ISTHMUS_PEER_PREFIX"
SOURCES = Path(__file__).resolve().parents[4] / "bench" / "coupler"
PROGRAMS = {PROGRAM: "peer_replay.cpp",
            **{name: f"{name}.cpp" for name in ("peer_step", "peer_iterate", "peer_reductions")}}
LIMIT = 400  # seconds of one run
WINDOWS = {1: 2000, 100_000: 100}  # by number of vertices
ROUNDED = 0.005  # errors that are quoted have three digits
EXACT = 1e-9  # errors of this run; sums of the same terms differ by less
Rows = list[dict[str, str]]


@dataclass(frozen=True)
class Installed:
    """A peer, and the folder with the programs that were built with it."""

    folder: Path
    version: str


@dataclass(frozen=True)
class Pair:
    """advance() of both, in seconds: medians over the runs, of the medians of their windows."""

    ours: Median
    theirs: Median
    source: str


@dataclass(frozen=True)
class Printed:
    """The lines of each run of one program; none of the peer's where it is not installed."""

    ours: list[Rows]
    theirs: list[Rows]
    source: str  # of figures of the peer


@dataclass(frozen=True)
class Turns:
    """The same replays by both; none of the peer's where it is not installed."""

    ours: list[Result]
    theirs: list[Result]
    source: str  # of figures of the peer
    tolerance: float  # of its errors

    def beside(self, quoted: Peer) -> Peer:
        """Figures of the peer: of this run, or those of another day."""
        return figures(self.theirs) if self.theirs else quoted


def blade(context: Context, level: str, mapping: Mapping, ranks: tuple[int, int] = (1, 1),
          coupling: Coupling | None = None) -> Turns:
    """Family B to family A of a blade; B on ranks[0], A on ranks[1]."""
    return replays(context, blade_settings(context, level, mapping, ranks, coupling))


def replays(context: Context, settings: Settings) -> Turns:
    """Ours, and by turns the peer's where it is installed."""
    peer = installed(context)
    if peer is None:
        return Turns(context.replays(settings), [], PEER, ROUNDED)
    ours, theirs = by_turns(context, settings, _in_its_words(settings), str(peer.folder))
    return Turns(ours, theirs, f"preCICE {peer.version}, the same replay in the same run", EXACT)


def initialization(ours: str | None, ranks: tuple[int, int]) -> str:
    """The peer's way beside one of ours: beside rendezvous its fastest; it has one only on one rank each."""
    if ranks == (1, 1):
        return "one-level"
    return "two-level" if ours is None or ours == "rendezvous" else ours


def figures(results: list[Result]) -> Peer:
    """Medians over the runs, as ours are."""
    error = results[-1].sides["A"].errors["S"]
    return Peer(initialize=phase(results, "A", "initialize"), initialize_cpu=cpu(results, "A", "initialize"),
                initialize_b=phase(results, "B", "initialize"), advance=phase(results, "A", "advance"),
                read=phase(results, "A", "read"), memory_a=peak_memory(results, "A"),
                memory_b=peak_memory(results, "B"), l2=error.l2, max=error.max)


def _in_its_words(settings: Settings) -> Settings:
    """Without what Isthmus alone knows: the search of a mapping, the words for ways to initialize."""
    a, b = settings.sides
    way = initialization(settings.coupling.initialization, (b.ranks, a.ranks))
    coupling = replace(settings.coupling, initialization=None if way == "one-level" else way)
    mapping = replace(settings.mapping, options=re.sub(r'\s*\bsearch="[^"]*"', "", settings.mapping.options))
    return replace(settings, name=f"{settings.name}-peer", mapping=mapping, coupling=coupling)


@lru_cache
def steps(context: Context) -> dict[int, Pair]:
    """By number of vertices; nothing where no peer is installed."""
    if installed(context) is None:
        return {}
    found = {}
    for vertices, windows in WINDOWS.items():
        console.print(f"measuring {vertices:,} values beside preCICE", style="dim")
        turns = printed(context, "peer_step", [vertices, windows])
        found[vertices] = Pair(median(turns.ours), median(turns.theirs), turns.source)
    return found


def median(runs: list[Rows], column: str = "median_us", line: int = 0) -> Median:
    """Seconds, of the microseconds that each run says in a line of its own."""
    return Median.of(float(rows[line][column]) for rows in runs).times(1e-6)


def printed(context: Context, name: str, arguments: Sequence[int], launch: Sequence[str] = (),
            repeat: int | None = None) -> Printed:
    """What the program says that is built with Isthmus, and by turns what the peer's says where it is
    installed; `repeat` times, or as often as the context says."""
    peer, folder = installed(context), _folder(context)

    def rows(program: Path) -> Rows:
        command = [*launch, str(program), *map(str, arguments), str(folder)]
        text = programs.output(name, command, LIMIT, programs.mpi_environment())
        return list(csv.DictReader(text.splitlines()))

    sides = {"ours": partial(rows, programs.find(f"bench_{name}"))}
    if peer:
        sides["theirs"] = partial(rows, peer.folder / name)
    found = in_turns(sides, repeat or context.repeat)
    return Printed(found["ours"], found.get("theirs", []),
                   f"preCICE {peer.version}, the same program in the same run" if peer else PEER)


@lru_cache
def installed(context: Context) -> Installed | None:
    """The peer with its programs, which are built here; nothing where none is named."""
    named = os.environ.get(VARIABLE)
    if not named:
        print_warning(f"preCICE is not measured in this run: {VARIABLE} names no installation of it; figures "
                      "of another day are quoted")
        return None
    prefix = Path(named).resolve()
    libraries = [path for path in (prefix / "lib", prefix / "lib64", *prefix.glob("lib/*-linux-gnu"))
                 if (path / "pkgconfig" / "libprecice.pc").is_file()]
    if not libraries:
        raise IsthmusError(f"{VARIABLE}={prefix}: there is no lib/pkgconfig/libprecice.pc")
    folder = _folder(context)
    flags = _ask(libraries[0], "--cflags", "--libs")
    for name, source in PROGRAMS.items():
        # not with -rpath alone: LD_LIBRARY_PATH, which may name another libprecice, would go before it
        _build(folder / name, SOURCES / source,
               [*flags, f"-Wl,--disable-new-dtags,-rpath,{libraries[0]}"])
    return Installed(folder, _ask(libraries[0], "--modversion")[0])


def _folder(context: Context) -> Path:
    """Of the peer's programs, and where they write what they need."""
    folder = (context.out / "runs" / "peer").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _ask(libraries: Path, *arguments: str) -> list[str]:
    environment = os.environ | {"PKG_CONFIG_PATH": str(libraries / "pkgconfig")}
    done = subprocess.run(["pkg-config", *arguments, "libprecice"], env=environment, capture_output=True,
                          text=True, check=True)
    return done.stdout.split()


def _build(program: Path, source: Path, flags: list[str]) -> None:
    compiler = shutil.which("mpicxx") or "c++"
    command = [compiler, "-std=c++20", "-O2", str(source), "-o", str(program), *flags]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise IsthmusError(f"{source.name} is not built with the library that {VARIABLE} names: "
                           f"{done.stderr.strip()}", FAILED)
