#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Deals sources into batches that can be compiled as one unit: a line of names for each batch.

    tools/batches.py MOST SOURCE…

A batch has at most MOST sources. Two sources are apart where a name that is local to one of them occurs in
the other: in one unit it would mean both. They stay in their order, so that the batches of a list change
little with it.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from check_local_names import local_names, without_noise

WORD = re.compile(r"[A-Za-z_]\w*")


def batches(paths: Iterable[Path], most: int) -> list[list[Path]]:
    dealt: list[tuple[list[Path], set[str], set[str]]] = []
    for path in paths:
        words = set(WORD.findall(without_noise(path.read_text(encoding="utf-8"))))
        names = set(local_names(path))
        for members, their_words, their_names in dealt:
            if len(members) < most and not (names & their_words or their_names & words):
                members.append(path)
                their_words |= words
                their_names |= names
                break
        else:
            dealt.append(([path], words, names))
    return [members for members, _, _ in dealt]


def main() -> None:
    for members in batches(map(Path, sys.argv[2:]), int(sys.argv[1])):
        print(";".join(map(str, members)))


if __name__ == "__main__":
    main()
