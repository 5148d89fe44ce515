# SPDX-License-Identifier: BSD-3-Clause
"""What messages.py says of messages: which could be joined, of calls by hand; where they come from, all of
damBreak on 2 ranks; and the instructions that valgrind has written: messages_test.py LIBRARIES."""

import argparse
import sys
import tempfile
from pathlib import Path

import instructions
import messages
import tutorials


def check_joinable() -> None:
    """Two messages to the same rank, one of them after nobody's, a message's or all ranks' news."""
    def joinable(*between: str) -> int:
        return messages.num_joinable(["j 1 5 0 8 0", "i 1 5 0 8 1", *between, "i 1 6 0 8 2"])

    assert joinable() == 1 and joinable("i 2 5 0 8 3") == 1
    assert joinable("w 1") == 1, "what was sent has left, and nothing has come"
    for news in ("w 0", "w 0 1", "r 2 5 0 8", "A 0 8", "G 0 8", "L 0 4", "F"):
        assert joinable(news) == 0, news
    assert messages.num_joinable(["s 1 5 0 8", "s 1 5 0 8", "r 1 5 0 8", "s 1 5 0 8", "s 1 5 0 8"]) == 2


def check_counts() -> None:
    """On 16 ranks; the first sum is waited for, the second one beside a message."""
    texts = ["A 0 8", "L 0 4", "G 0 8", "S 3", "F", "S 3", "j 1 5 0 8 0", "i 1 5 0 8 1", "w 0 1", "F",
             "s 2 5 0 8", "r 2 5 0 8"]
    assert messages.counts(texts, 16) == {
        "messages": 2, "messages with those of collectives": 2 + 4 * 4 + 15, "reductions": 3,
        "sums beside": 1, "exchanges of sizes": 1, "waits": 3 + 1 + 2, "joinable": 0}


def check_origins() -> None:
    send = ["_ZN7isthmus5count11count_placeEv", "MPI_Isend", "_ZN4Foam9UOPstream5writeE"]
    for names, expected in (
            (["_ZNK4Foam9lduMatrix20initMatrixInterfacesE", "_ZNK4Foam3PCG5solveE"],
             "products and smoothers of solutions"),
            (["_ZN4Foam10initEvaluateE", "_ZNK4Foam2fv15correctedSnGradIdE10correctionE"],
             "corrections of gradients"),
            (["_ZN4Foam12initEvaluateE", "_ZNK4Foam2fv9gaussGradIdE8calcGradE"], "other gradients"),
            (["_ZN4Foam14PstreamBuffers13finishedSendsEb", "[interFoam]"], "limits"),
            (["[isthmusInterFoam]", "__libc_start_main"], "limits"),
            (["_ZN4Foam7Pstream6gatherIdE", "[interFoam]"], "trees and starts"),
            (["_ZN4Foam12initEvaluateE", "[interFoam]", "__libc_start_main"], "values at borders"),
            (["[libother.so]"], "others")):
        assert messages.origin(send + names) == expected, (names, messages.origin(send + names))


def check_run(libraries: Path, folder: Path) -> None:
    """Messages have as many origins as there are messages: the steps of both do not differ by much."""
    of = messages.Messages(argparse.Namespace(libraries=libraries, folder=folder, ranks=2, steps=8))
    of_way = {}
    for way in messages.TRACED:
        step = of.of_step(*messages.WAYS[way])
        found = of_way[way] = of.origins(*messages.WAYS[way])
        print(f"{way}: {step}, {found}")
        assert step["messages"] > 50 and 0 <= step["joinable"] < step["messages"], step
        assert abs(sum(found.values()) - step["messages"]) < 0.1 * step["messages"], (found, step)
        assert found["others"] < 0.02 * step["messages"], found
        assert min(found[what] for what in ("products and smoothers of solutions", "values at borders",
                                            "limits")) > 3, found
    for what in ("trees and starts", "values at borders"):  # what isthmusInterFoam spares
        assert found[what] < of_way["original"][what] - 2, of_way
    assert found["corrections of gradients"] == 0 and step["exchanges of sizes"] == 0, (found, step)


assert instructions.counted("==7== \n==7== Collected : 1234\n") == 1234
check_joinable()
check_counts()
check_origins()
tutorials.skip_without("interFoam", "blockMesh", "setFields", "decomposePar")
with tempfile.TemporaryDirectory() as name:
    check_run(Path(sys.argv[1]).resolve(), Path(name))
