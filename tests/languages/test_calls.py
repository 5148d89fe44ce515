# SPDX-License-Identifier: BSD-3-Clause
"""test_calls.py SYMBOLS SOURCES COMMAND…: programs that call every function of the interface, in several
languages, mixed in pairs, print what must come: values by hand. SOURCES: the folder of the programs in C
and Fortran, which call every function of SYMBOLS."""

import itertools
import math
import re
import sys
from pathlib import Path

from test_languages import couple

CONFIG = Path(__file__).with_name("calls.xml")
FACTS = [3, 2, 2, 1, 18, 1, 0, 1, 0, 1, 3]


def heat(x: float, y: float, z: float, window: int) -> float:
    return x + 2 * y + 4 * z + 100 * window


def on_skin(window: int) -> list[float]:
    """Probes fall onto edges at y = 0, into triangles and quads, at z = 1 from the second window on."""
    height = 1 if window > 1 else 0
    return [heat(10 * e + 0.75, 0 if e < 2 else 0.25, height, window) for e in range(6)]


def lines_of_a() -> list[list[float]]:
    """The second window is one step, the others are two."""
    steps = {1: [0, 0.25, 1], 2: [1, 0.5, 1], 3: [0, 0.25, 1]}
    return [[0, *FACTS]] + [[w, *steps[w], 1, 5 + w, 0, 7 * w, 0] for w in steps]


def lines_of_b() -> list[list[float]]:
    start = [0, 2, 0, 0, 1, 0, *on_skin(0)]
    return [start] + [[w, *on_skin(w), heat(0.2, 0.3, 0.4, w), heat(10.2, 0.3, 0.4, w), 0.5 + w, 0.625 + w,
                       10 + w, 20 + w, 20 + w, 10 + w, 0] for w in (1, 2, 3)]


def same(found: list[list[float]], expected: list[list[float]]) -> bool:
    return [len(line) for line in found] == [len(line) for line in expected] and all(
        math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12)
        for one, other in zip(found, expected, strict=True) for a, b in zip(one, other, strict=True))


def check_sections(folder: Path) -> None:
    """Both sections of A, with the names that the program gave."""
    text = (folder / "precice-profiling" / "A-0-1.txt").read_text()
    assert re.search(r"outer part\b", text) and re.search(r"inner part\b", text), text


def uncalled(symbols: Path, sources: Path) -> set[str]:
    """Functions of C and Fortran that no program calls."""
    wanted = {line for line in symbols.read_text().split() if line.startswith(("precicec_", "precicef_"))}
    texts = {suffix: " ".join((sources / (stem + suffix)).read_text() for stem in ("calls", "couple")
                              if (sources / (stem + suffix)).is_file()) for suffix in (".c", ".F90", ".f90")}
    fortran = texts[".F90"] + texts[".f90"]
    called = set(re.findall(r"\bprecicec_\w+(?=\()", texts[".c"]))
    called |= {name + "_" for name in re.findall(r"call (precicef_\w+)", fortran)}
    called |= set(re.findall(r"name='(precicef_\w+)'", fortran))
    called |= {new + "_" for new in re.findall(r"#define \w+ (precicef_\w+)", fortran)}
    return wanted - called


def main() -> None:
    symbols, sources, *programs = sys.argv[1:]
    missing = uncalled(Path(symbols), Path(sources))
    assert not missing, f"no program calls {missing}"
    for first, second in itertools.product(programs, repeat=2):
        of_a, of_b = couple(first, second, CONFIG, check_sections)
        assert same(of_a, lines_of_a()), (first, second, of_a, lines_of_a())
        assert same(of_b, lines_of_b()), (first, second, of_b, lines_of_b())
    print(f"{len(programs) ** 2} pairs print what must come")


if __name__ == "__main__":
    main()
