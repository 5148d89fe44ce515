# SPDX-License-Identifier: BSD-3-Clause
"""Time of an operator on the edges of tetrahedra in several orders of the nodes.

The box of Elias, Camata, Aveleda, Coutinho 2009 (4:1:1), as Gmsh meshes and numbers it where its Python
module is installed (`pip install gmsh`), and as a structured generator does, along x. The reference is the
order of the generator with the library's loop. A loop over the edges is that of Elias et al. --full: also
misses of simulated caches (valgrind)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from isthmus.bench.framework import Context
from isthmus.bench.kit import interface_runs
from isthmus.bench.kit.interface import SMALL
from isthmus.bench.kit.interface_runs import Counted
from isthmus.bench.measurement import Measurement
from isthmus.console import console, print_warning

SIZE = 0.0475  # of an edge of the box 4:1:1, which gives about as many tetrahedra
ORIGINAL = "generated"
GMSH, STRUCTURED = "Gmsh's order", "the structured generator's order, along x"
LOOP = "a loop over edges waits for what it has just stored; the caches here hold the mesh"


def measure(context: Context) -> list[Measurement]:
    rounds, found = 4 * context.repeat, []
    path = gmsh_box(context.out / "runs" / "box.mesh")
    if path is not None:
        found += order_times("Gmsh", GMSH, interface_runs.orders(1, (str(path.resolve()),), rounds))
    for ranks in (1, 2):
        cells = tuple(map(str, SMALL))
        name = f"structured, {ranks} rank{'s'[:ranks > 1]}"
        found += order_times(name, STRUCTURED, interface_runs.orders(ranks, cells, rounds))
    if context.full:
        names = (f"{ORIGINAL}, edges", "rcm, edges", ORIGINAL, "rcm", "hilbert")
        found += misses({name: interface_runs.counted(name, SMALL) for name in names})
    return found


def gmsh_box(path: Path) -> Path | None:
    """The box as Gmsh meshes it: numbers of nodes and tetrahedra, coordinates, nodes of the tetrahedra from
    0 on, all in its own order; None without Gmsh."""
    try:
        import gmsh
    except (ImportError, OSError) as error:  # it loads libraries of the system
        print_warning(f"no order of Gmsh: {error}; `pip install gmsh` brings it")
        return None
    console.print("Gmsh meshes a box", style="dim")
    gmsh.initialize()
    try:
        gmsh.option.setNumber("General.Terminal", 0)
        gmsh.model.occ.addBox(0, 0, 0, 4, 1, 1)
        gmsh.model.occ.synchronize()
        gmsh.option.setNumber("Mesh.MeshSizeMin", SIZE)
        gmsh.option.setNumber("Mesh.MeshSizeMax", SIZE)
        gmsh.model.mesh.generate(3)
        numbers, coords, _ = gmsh.model.mesh.getNodes()
        _, tets = gmsh.model.mesh.getElementsByType(4)
    finally:
        gmsh.finalize()
    place = {int(number): k for k, number in enumerate(numbers)}
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w") as file:
        print(len(numbers), len(tets) // 4, file=file)
        for k in range(len(numbers)):
            print(*(repr(float(x)) for x in coords[3 * k:3 * k + 3]), file=file)
        for k in range(0, len(tets), 4):
            print(*(place[int(node)] for node in tets[k:k + 4]), file=file)
    return path


def order_times(mesh: str, original: str, found: dict[str, dict[str, str]]) -> Iterator[Measurement]:
    """One application of the operator in each order, beside the generator's with the same loop."""
    for name, row in found.items():
        first = found[f"{ORIGINAL}, edges" if name.endswith("edges") else ORIGINAL]
        case, is_other = f"{mesh}, {name}", row is not first
        source = f"{original}, same loop, in the same run"
        ours, theirs = (1e-6 * float(one["apply_us"]) for one in (row, first))
        yield Measurement(case, "operator without exchange", "s", ours, theirs if is_other else None, source,
                          why=LOOP)
        yield Measurement(case, "bandwidth", "", int(row["bandwidth"]),
                          int(first["bandwidth"]) if is_other else None, source)


def misses(found: dict[str, Counted]) -> Iterator[Measurement]:
    """Of simulated caches of 32 KiB and 1 MiB."""
    first = found[ORIGINAL]
    for name, of in found.items():
        case, is_other = f"cachegrind, {name}", name != ORIGINAL
        for quantity, ours, theirs in (("instructions", of.instructions, first.instructions),
                                       ("D1 misses", of.d1_misses, first.d1_misses),
                                       ("LL misses", of.ll_misses, first.ll_misses)):
            yield Measurement(case, quantity, "", ours, theirs if is_other else None,
                              f"{STRUCTURED}, in the same run",
                              why="rows need a loop over nodes, too" if quantity == "instructions" else "")
