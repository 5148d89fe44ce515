#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs programs that were written for preCICE, unchanged, and prints the table of docs/programs.md.

    tools/ecosystem.py FOLDER BUILD|PREFIX

Tools of PyPI, in an environment in FOLDER, read the configurations of all examples, or write cases that ours
read. Solvers and adapters (tools/setup/examples.sh installs them) run in tests of BUILD, of which ctest says
how they ended; with an installation in PREFIX in its place, they are left out. Exits 1 if one of them fails;
what is not there is skipped, with exit code 77 where PyPI cannot be reached."""

import os
import re
import subprocess
import sys
import tempfile
import venv
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONFIGS = sorted(ROOT.glob("examples/*/config.xml"))
PACKAGES = ("precice-cli==1.0.0", "precice-config-check==1.0.4", "precice-config-visualizer==2.0.0",
            "precice-config-format==2.0.0", "precice-case-generate==2.1.0")
FAILED = "**failed**"
TOPOLOGY = """participants:
  - {name: Fluid, solver: SU2}
  - {name: Solid, solver: CalculiX}
exchanges:
  - {from: Fluid, from-location-names: [interface], from-location-type: surface, to: Solid, type: TYPE,
     to-location-names: [skin], to-location-type: surface, data: Force, data-type: vector}
  - {from: Solid, from-location-names: [skin], from-location-type: surface, to: Fluid, type: TYPE,
     to-location-names: [interface], to-location-type: surface, data: Displacement, data-type: vector}
"""


class Failed(Exception):
    """With what was said."""


@dataclass(frozen=True)
class Tools:
    theirs: Path  # folder of programs
    ours: Path

    def run(self, program: str, *arguments: object, cwd: Path | None = None,
            codes: tuple[int, ...] = (0,)) -> str:
        path = next(folder / program for folder in (self.theirs, self.ours) if (folder / program).exists())
        environment = os.environ | {"PATH": f"{self.theirs}:{self.ours}:{os.environ['PATH']}"}
        done = subprocess.run([path, *map(str, arguments)], cwd=cwd, env=environment, text=True, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              start_new_session=True, timeout=300)  # some of them stop where a terminal waits
        if done.returncode not in codes:
            raise Failed(f"{program} {' '.join(map(str, arguments))}:\n{done.stdout[-1500:]}")
        return done.stdout


def check_configs(tools: Tools) -> str:
    issues = [path for path in CONFIGS if "No issues found" not in tools.run("precice-config-check", path)]
    if issues:
        raise Failed(f"issues in {issues}")
    return f"no issues in {len(CONFIGS)} configurations"


def format_configs(tools: Tools) -> str:
    """What is formatted means the same."""
    with tempfile.TemporaryDirectory() as folder:
        for path in CONFIGS:
            copy = Path(folder) / "config.xml"
            copy.write_text(path.read_text())
            tools.run("precice-config-format", copy, codes=(0, 2))  # 2: it was another text before
            tools.run("precice-config-format", copy)
            tools.run("precice-config-validate", copy)
            if canonical(copy) != canonical(path):
                raise Failed(f"{path} is another one when it is formatted")
    return f"{len(CONFIGS)} configurations, which mean the same afterwards"


def canonical(path: Path) -> str:
    """Without prefixes, which nobody declares."""
    return ET.canonicalize(path.read_text().replace(":", "-"), strip_text=True)


def draw_configs(tools: Tools) -> str:
    for path in CONFIGS:
        graph = tools.run("precice-config-visualizer", path)
        names = re.findall(r'<participant name="([^"]+)"', path.read_text())
        if not graph.startswith("digraph") or not names or any(name not in graph for name in names):
            raise Failed(f"the graph of {path} lacks one of {names}")
    return f"{len(CONFIGS)} graphs with all participants"


def generate_cases(tools: Tools) -> str:
    for kind in "strong", "weak":
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "topology.yaml").write_text(TOPOLOGY.replace("TYPE", kind))
            tools.run("precice-case-generate", "topology.yaml", "-o", "case", cwd=Path(folder))
            (config,) = Path(folder).rglob("precice-config.xml")
            for participant in "Fluid", "Solid":
                tools.run("precice-config-validate", config, participant)
            tools.run("precice-config-check", config)
    return "a strong and a weak case; `precice-config-validate` finds them correct"


def use_cli(tools: Tools) -> str:
    if "3.4.1" not in tools.run("precice-cli", "version"):
        raise Failed("precice-cli does not find the drop-in")
    if "precice-configuration" not in tools.run("precice-cli", "config", "doc", "xml"):
        raise Failed("precice-cli prints no reference")
    tools.run("precice-cli", "config", "check", CONFIGS[0])
    return "finds version 3.4.1 and the reference, and no issues in the first example"


@dataclass(frozen=True)
class Row:
    program: str
    what: str
    test: str = ""  # of ctest; or
    check: Callable[[Tools], str] | None = None  # which returns the result


ROWS = (
    Row("`precice-config-check` 1.0.4", "the files `config.xml` of the examples", check=check_configs),
    Row("`precice-config-format` 2.0.0", "the same", check=format_configs),
    Row("`precice-config-visualizer` 2.0.0", "the same", check=draw_configs),
    Row("`precice-case-generate` 2.1.0", "two cases of two participants", check=generate_cases),
    Row("`precice-cli` 1.0.0", "`version`, `config doc`, `config check`", check=use_cli),
    Row("`precice-profiling` 2.1.0", "profiles of a coupled run: merge, analyze, trace, export",
        test="languages.profiling_tools"),
    Row("pyprecice 3.4.0", "one scenario, in pairs with C++, C, Fortran, Python", test="languages.pyprecice"),
    Row("pyprecice 3.4.0", "every function of the interface, with C and Fortran",
        test="languages.calls_pyprecice"),
    Row("`fenicsprecice` 2.3.1, FEniCS of Debian",
        "[example 09](../examples/09-fenics-heat/README.md): errors below 1e-11", test="examples.fenics"),
    Row("CalculiX of Debian", "[example 10](../examples/10-calculix/README.md): tone and swing within 0.5 %",
        test="examples.calculix"),
    Row("OpenFOAM of Debian", "[example 13](../examples/13-openfoam/README.md): errors below 5e-3",
        test="examples.openfoam"),
    Row("Nutils of PyPI", "[example 08](../examples/08-nutils/README.md): the exact solution",
        test="examples.nutils"),
)


def test_results(build: Path) -> dict[str, str]:
    """What ctest says of the tests of all rows."""
    wanted = "|".join(row.test.replace(".", r"\.") for row in ROWS if row.test)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        subprocess.run(["ctest", "--test-dir", build, "-R", f"^({wanted})$", "--output-junit", report],
                       check=False)
        cases = ET.parse(report).getroot().iter("testcase")
        words = {"run": "as it should be", "notrun": "skipped", "fail": FAILED, "disabled": "skipped"}
        return {case.get("name", ""): words[case.get("status", "")] for case in cases}


def result_of(row: Row, tools: Tools, tested: dict[str, str]) -> str:
    if not row.check:
        return tested.get(row.test, "skipped")
    try:
        return row.check(tools)
    except Failed as failed:
        print(failed)
        return FAILED


def main() -> int:
    folder, place = (Path(word).resolve() for word in sys.argv[1:3])
    if not (folder / "bin/precice-cli").exists():
        venv.create(folder, with_pip=True)
        install = [folder / "bin/pip", "install", "--quiet", "--retries", "1", "--timeout", "10", *PACKAGES]
        if subprocess.run(install, check=False).returncode != 0:
            print("skipped: PyPI cannot be reached")
            return 77
    is_build = (place / "CMakeCache.txt").exists()
    installed = folder / "isthmus" if is_build else place
    if is_build:
        subprocess.run(["cmake", "--install", place, "--prefix", installed], check=True,
                       stdout=subprocess.DEVNULL)
    tools, tested = Tools(folder / "bin", installed / "bin"), test_results(place) if is_build else {}
    lines = [f"| {row.program} | {row.what} | {result_of(row, tools, tested)} |" for row in ROWS
             if row.check or is_build]
    print("| program | what is run | here |\n|---|---|---|", *lines, sep="\n")
    return 1 if any(FAILED in line for line in lines) else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main())
