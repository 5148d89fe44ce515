# SPDX-License-Identifier: BSD-3-Clause
"""What the tests share: tutorials of Debian's package, made small, meshed and decomposed in a folder."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

from isthmus.openfoam import runs
from isthmus.openfoam.case import Case

EXAMPLES = Path("/usr/share/doc/openfoam-examples/examples")
DECOMPOSE = """FoamFile {{ version 2.0; format ascii; class dictionary; object decomposeParDict; }}
numberOfSubdomains {ranks};
method {method};
coeffs {{ n ({n}); }}
"""

BULLET_STEP = 1  # microseconds of the flow


def skip_without(*programs: str) -> None:
    """Ends the test, which counts as skipped, with a word."""
    for program in programs:
        if shutil.which(program) is None:
            print(f"skipped: there is no {program} on PATH (Debian: openfoam)")
            sys.exit(77)
    if not EXAMPLES.is_dir():
        print(f"skipped: there is no {EXAMPLES} (Debian: openfoam-examples)")
        sys.exit(77)


def unpack(name: str, folder: Path) -> Case:
    """A copy of a tutorial; files that Debian has packed are unpacked."""
    shutil.copytree(EXAMPLES / name, folder, symlinks=True)
    for path in folder.rglob("*.gz"):
        subprocess.run(["gunzip", str(path)], check=True)
    for path in folder.glob("0/*.orig"):
        shutil.copy(path, path.with_suffix(""))
    if (folder / "0.orig").is_dir() and not (folder / "0").is_dir():
        shutil.copytree(folder / "0.orig", folder / "0")
    return Case(folder)


def edit(case: Case, name: str, *changes: tuple[str, str]) -> None:
    """Regular expressions and what takes the place of their first match; each must match."""
    text = case.text(name)
    for pattern, value in changes:
        text, number = re.subn(pattern, value, text, count=1)
        assert number == 1, f"{case.folder}/{name} has no {pattern}"
    (case.folder / name).write_text(text, encoding="utf-8")


def tool(case: Case, *command: str) -> None:
    done = subprocess.run(command, cwd=case.folder, env=runs.environment(), capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-1500:]}\n{done.stderr[-1500:]}"


def decompose(case: Case, ranks: int, method: str = "simple") -> None:
    """Into slabs along x, for `hierarchical` into bricks in two rows, for `scotch` into what that makes of
    the graph of the cells; for one rank nothing is done."""
    shutil.rmtree(case.folder / "processors", ignore_errors=True)
    for path in case.folder.glob("processor*"):
        shutil.rmtree(path)
    if ranks > 1 and method == "scotch":
        decompose_by(case, parts_of_scotch(case, ranks))
    elif ranks > 1:
        n = f"{ranks // 2} 2 1" if method == "hierarchical" else f"{ranks} 1 1"
        text = DECOMPOSE.format(ranks=ranks, method=method, n=n)
        (case.folder / "system/decomposeParDict").write_text(text, encoding="utf-8")
        tool(case, "decomposePar")


def decompose_by(case: Case, parts: list[int]) -> None:
    """With the part of each cell."""
    lines = "\n".join(map(str, parts))
    (case.folder / "constant/parts").write_text(
        "FoamFile { version 2.0; format ascii; class labelList; object parts; }\n"
        f"{len(parts)}\n(\n{lines}\n)\n", encoding="utf-8")
    text = DECOMPOSE.format(ranks=max(parts) + 1, method="manual", n="2 1 1")
    text = text.replace("coeffs {", 'coeffs { dataFile "parts";')
    (case.folder / "system/decomposeParDict").write_text(text)
    tool(case, "decomposePar", "-force")


def parts_of_scotch(case: Case, ranks: int) -> list[int]:
    """Of each cell, by Scotch's own program: Debian builds OpenFOAM without Scotch."""
    owner, neighbour = (
        [int(number) for number in text[text.index("\n(") + 2:text.rindex(")")].split()]
        for text in ((case.folder / f"constant/polyMesh/{name}").read_text(encoding="latin-1")
                     for name in ("owner", "neighbour")))
    near: list[list[int]] = [[] for _ in range(max(owner) + 1)]
    for one, other in zip(owner, neighbour, strict=False):  # behind these are the faces of borders
        near[one].append(other)
        near[other].append(one)
    graph, mapping = case.folder / "constant/cells.grf", case.folder / "constant/cells.map"
    rows = "".join(f"{len(cells)} {' '.join(map(str, cells))}\n" for cells in near)
    graph.write_text(f"0\n{len(near)} {2 * len(neighbour)}\n0 000\n{rows}")
    tool(case, "scotch_gpart", str(ranks), "constant/cells.grf", "constant/cells.map")
    pairs = [line.split() for line in mapping.read_text().splitlines()[1:]]
    parts = {int(cell): int(part) for cell, part in pairs}
    return [parts[cell] for cell in range(len(near))]


def cavity(folder: Path) -> tuple[Case, float]:
    """Meshed; and the time that a test runs to."""
    case = unpack("incompressible/icoFoam/cavity/cavity", folder)
    tool(case, "blockMesh")
    return case, 0.02


def dam_break(folder: Path) -> tuple[Case, float]:
    case = unpack("multiphase/interFoam/laminar/damBreak/damBreak", folder)
    edit(case, "system/controlDict", (r"#sinclude.*", ""))
    tool(case, "blockMesh")
    tool(case, "setFields")
    return case, 0.01


def bullet(folder: Path) -> tuple[Case, float]:
    """cavitatingBullet with its own mesh, whose finest level is left out, the same flow in micrometres and
    microseconds: in metres the velocities that Debian's OpenFOAM makes of fluxes have no digits left where
    cells are small; potentialFoam ends with 1e9 m/s."""
    case = unpack("multiphase/interPhaseChangeFoam/cavitatingBullet", folder)
    surface = EXAMPLES / "resources/geometry/bullet.stl.gz"
    (folder / "constant/triSurface").mkdir(exist_ok=True)
    (folder / "constant/triSurface" / surface.name).write_bytes(surface.read_bytes())
    edit(case, "system/snappyHexMeshDict", (r"level \(4 4\)", "level (3 3)"),
         (r"\(\(0\.0 3\)\)", "((0.0 2))"), (r"\(\(0\.0 3\)\)", "((0.0 2))"))
    edit(case, "constant/transportProperties", (r"sigma\s+0\.07", "sigma 7e4"), (r"9e-07", "9e-01"),
         (r"4\.273e-04", "4.273e+02"), (r"1\.6e\+13", "1.6e-5"), (r"2\.0e-06", "2.0"))
    edit(case, "constant/g", (r"-9\.81", "-9.81e-6"))
    edit(case, "system/controlDict", (r"deltaT\s+\S+;", f"deltaT {BULLET_STEP:g};"),
         (r"adjustTimeStep\s+\S+;", "adjustTimeStep off;"))
    tool(case, "blockMesh")
    tool(case, "snappyHexMesh", "-overwrite")
    tool(case, "transformPoints", "-scale", "(1e6 1e6 1e6)")
    tool(case, "potentialFoam", "-pName", "p_rgh", "-writephi")
    return case, 10 * BULLET_STEP


def solving_lines(log: str) -> list[str]:
    """What a log says of the solution: all but the start, times and folders."""
    lines = log[log.find("Create time") :].splitlines()
    kept = (line for line in lines if not re.search("ExecutionTime|postProcessing", line))
    return [re.sub('"/[^"]*/', '"', line) for line in kept]


def processes(launcher: int) -> dict[int, int]:
    """Of the ranks that a launcher has started, by rank."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            rank = re.search(rb"OMPI_COMM_WORLD_RANK=(\d+)", (folder / "environ").read_bytes())
        except OSError:  # it has ended
            continue
        if parent == launcher and rank:
            found[int(rank[1])] = int(folder.name)
    return found
