# SPDX-License-Identifier: BSD-3-Clause
"""What kinds.py makes of recordings: of one by hand, what stands in it; of damBreak on 2 ranks as many calls
and bytes as another library has counted in another run: kinds_test.py LIBRARIES."""

import sys
import tempfile
from pathlib import Path

import kinds
import record
import tutorials

from isthmus.openfoam import runs

FIRST = ["t", "A 0 8", "t", "s 1 5 0 100", "A 0 8", "i 1 5 0 40 0", "j 1 5 0 24 1", "w 0 1", "S 3", "F",
         "L 0 4", "t", "r 1 5 0 100", "t", "A 0 8", "e"]
SECOND = ["t", "t", "r 0 5 0 100", "A 0 8", "G 0 8", "t", "s 0 5 0 100", "t", "e"]
# a step of two; the mean of two ranks
EXPECTED = {"send": 3 / 4, "receive": 3 / 4, "wait": 1 / 4, "allreduce": 2 / 4, "alltoall": 1 / 4,
            "allgather": 1 / 4, "sum": 1 / 4, "bytes": 240 / 4}
COUNTED = {"send": ("send", "isend"), "allreduce": ("allreduce",), "alltoall": ("alltoall",),
           "allgather": ("allgather",), "sum": ("sum",)}


def check_by_hand(folder: Path) -> None:
    for rank, texts in enumerate((FIRST, SECOND)):
        (folder / f"recorded.{rank}").write_text("".join(f"1.00 {text}\n" for text in texts))
    assert kinds.per_step(record.Recording(folder / "recorded", [1, 1], [])) == EXPECTED
    try:
        kinds.of_steps([(0.0, "t"), (0.0, "e"), (0.0, "t")])
    except AssertionError as error:
        assert "2 steps" in str(error)
    else:
        raise AssertionError("a recording without a whole step")


def check_counted(folder: Path, libraries: Path) -> None:
    """From start to end, as the other library counts."""
    case, end = tutorials.dam_break(folder / "case")
    tutorials.decompose(case, 2)
    for layer, solver in ((runs.ORIGINAL, "PCG"), (runs.BOTH, "predictedPCG")):
        copies = [runs.copy_of(case, folder / name, end / 2) for name in ("counted", "recorded")]
        counted = runs.run(copies[0], layer, solver, libraries, 300)
        recording = record.record(copies[1], layer, solver, libraries)
        for rank, other in enumerate(counted.calls):
            found = kinds.counts([text for _, text in recording.calls(rank)])
            for kind, names in COUNTED.items():
                expected = sum(other.get(name, {}).get("calls", 0) for name in names)
                assert found[kind] == expected, (layer.name, rank, kind, found, expected)
            assert found["bytes"] == sum(other.get(name, {}).get("bytes", 0) for name in COUNTED["send"])
        print(f"{layer.name}: {found}")


with tempfile.TemporaryDirectory() as name:
    check_by_hand(Path(name))
    tutorials.skip_without("interFoam", "blockMesh", "setFields", "decomposePar")
    check_counted(Path(name), Path(sys.argv[1]).resolve())
