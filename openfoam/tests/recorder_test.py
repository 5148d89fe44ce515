# SPDX-License-Identifier: BSD-3-Clause
"""What libmpi_record.so writes down of recorder.cpp on 2, 3 and 4 ranks: every call with the work before it,
a sum with what was computed before its begin and from there to its end, whatever messages it had meanwhile;
which runs have ended whole; and that the work that series.py gives a price is spread as it was:
recorder_test.py LIBRARIES."""

import subprocess
import sys
import tempfile
from pathlib import Path

import record

from isthmus import programs
from isthmus.openfoam import runs

MESSAGE = [(11, "j"), (12, "i"), (13, "w")]
BY_HAND = [(100, "S"), (106, "F")]
BY_THE_KIT = [(200, "S"), (210, "F")]
END = [(17, "A"), (19, "e")]


def recorded(libraries: Path, ranks: int, folder: Path) -> list[list[tuple[float, str]]]:
    program = libraries.parent / "tests/openfoam_recorder"
    command = [*programs.mpi_launcher(), "-n", str(ranks), "env", f"LD_PRELOAD={libraries}/libmpi_record.so",
               f"MPI_RECORD={folder}/{ranks}", str(program)]
    done = subprocess.run(command, env=runs.environment(), capture_output=True, text=True, check=False,
                          timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return [[(float(line.split()[0]), line.split()[1]) for line in
             (folder / f"{ranks}.{rank}").read_text().splitlines()] for rank in range(ranks)]


def check_recorder(libraries: Path, folder: Path) -> None:
    for ranks in (2, 3, 4):
        by_hand = 3 * BY_HAND if ranks % 2 == 0 else []
        expected = MESSAGE + by_hand + MESSAGE + BY_THE_KIT + BY_THE_KIT + END
        for rank, lines in enumerate(recorded(libraries, ranks, folder)):
            assert lines == expected, (ranks, rank, lines)


def check_prices() -> None:
    """Steps and solutions have their prices, and within each the work is where it was."""
    calls = [(9.0, "t"), (1, "A 0 8"), (5, "b"), (2, "S 3"), (6, "F"), (0, "f"), (3, "s 1 2 0 8"), (4, "t"),
             (0, "e")]
    parts = ["step 0", "step 1", "step 1", *["solution 0"] * 3, "step 1", "step 1", "step 2"]
    assert record.parts_of([text for _, text in calls]) == parts
    work_at = {place: work for place, (work, _) in
               zip(record.places_of([text for _, text in calls]), calls, strict=True)}
    prices = {"step 0": 1.0, "step 1": 26.0, "solution 0": 4.0, "step 2": 7.0}
    assert record.priced(calls, work_at, prices.__getitem__) == [1, 2, 10, 1, 3, 0, 6, 8, 7]


def check_ends(folder: Path) -> None:
    """A run that its launcher calls lost is whole if all ranks have come to their ends, and only then."""
    lost = "process rank 1 with PID 0 on\nnode a exiting improperly"
    for rank, last in enumerate(("2.000 e", "0.000 e", "1.000 A 0 8", "")):
        (folder / f"ends.{rank}").write_text(f"1.000 t\n{last}\n" if last else "")
    assert record.ends_whole(lost, folder / "ends", 2)
    assert not record.ends_whole("killed by signal 9", folder / "ends", 2)
    assert not record.ends_whole(lost, folder / "ends", 3), "the third has not come to its end"
    (folder / "ends.2").write_text("1.000 t\n0.000 e\n")
    assert record.ends_whole(lost, folder / "ends", 3)
    assert not record.ends_whole(lost, folder / "ends", 4), "the fourth has written nothing"
    assert not record.ends_whole(lost, folder / "ends", 5), "there is no file of the fifth"


def check_typical() -> None:
    """The same place of all steps and ranks, and of the iterations of all solutions, has the median; a rank
    that makes other calls there has places of its own, which if they are rare are as others of their kind."""
    step = [(2.0, "A 0 8"), (3.0, "b"), (1.0, "i"), (4.0, "w"), (6.0, "i"), (8.0, "w"), (1.0, "f"),
            (5.0, "t")]
    later = [(4.0, "A 0 8"), (5.0, "b"), (3.0, "i"), (4.0, "w"), (1.0, "f"), (9.0, "t")]
    other = [(90.0, "A 0 8"), (4.0, "b"), (7.0, "f"), (8.0, "t")]
    sends = [(50.0, "s 1 0 0 8"), (60.0, "A 0 8"), (44.0, "b"), (7.0, "f"), (6.0, "t")]
    often = [(4.0, "A 0 8"), (4.0, "b"), (7.0, "f"), (9.0, "t")] * 3
    ranks = [[(0.0, "t"), *step, *later, *often], [(0.0, "t"), *other, *sends]]
    work_at = record.typical(ranks)

    def found(rank: int) -> list[float]:
        return [work_at[place] for place in record.places_of([text for _, text in ranks[rank]])]

    assert found(0)[1:8] == [4, 4, 2, 4, 6, 4, 1], found(0)
    assert found(1)[1:3] == [4, 4] and found(1)[5:8] == [50, 60, 4], found(1)


check_prices()
check_typical()
with tempfile.TemporaryDirectory() as name:
    check_ends(Path(name))
    check_recorder(Path(sys.argv[1]).resolve(), Path(name))
