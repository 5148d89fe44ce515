# SPDX-License-Identifier: BSD-3-Clause
"""This build beside another one of Isthmus, by turns: what a change did to initialization, steps and memory.

ISTHMUS_BEFORE names the folder with isthmus-replay of the other build, of an earlier commit, say. Blades M1
to M4 on 1+1 and on 8+24 ranks, family B to family A: nearest neighbour, and nearest projection by either
search. Both builds are told which search to take, as its default has changed."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

from isthmus.bench.coupler.blades import blade_settings, by_turns
from isthmus.bench.framework import Context, counter, current_commit, peak_memory, phase
from isthmus.bench.measurement import Measurement, Median
from isthmus.bench.reference import NN, NP
from isthmus.console import print_warning
from isthmus.errors import IsthmusError
from isthmus.replay import Coupling, Mapping, Result
from isthmus.replay.runner import PROGRAM

VARIABLE = "ISTHMUS_BEFORE"
RANKS = ((1, 1), (8, 24))
# Steps of 5 us to 8 ms: a run takes enough of them for what is done once, as the first lines of the log, to
# count for little in their mean.
WINDOWS = {"M1": 10_000, "M2": 1000, "M3": 200, "M4": 300}
MAPPINGS = {NN: Mapping(NN), NP: Mapping(NP, options='search="candidates"'),
            f"{NP} to closest places": Mapping(NP, options='search="closest"')}
TIMES = (("initialize at {}", "initialize", "max"),
         ("initialize at {}, CPU of all ranks", "initialize", "cpu_sum"),
         ("advance at {}", "advance", "max"),
         ("advance at {}, CPU of all ranks", "advance", "cpu_sum"))
COUNTS = (("messages_sent", "", "messages"), ("bytes_sent", "B", "bytes"))


def measure(context: Context) -> list[Measurement]:
    other = os.environ.get(VARIABLE)
    if not other:
        print_warning(f"there is nothing to compare with: {VARIABLE} names no folder with {PROGRAM} of "
                      "another build")
        return []
    if not (Path(other) / PROGRAM).is_file():
        raise IsthmusError(f"{VARIABLE} is {other}, a folder without {PROGRAM}: build it there "
                           f"(tools/build.sh release 2 {PROGRAM} leaves it in build/release/apps)")
    commit = current_commit(Path(other))
    source = f"{other if commit == 'unknown' else commit}, the same run"
    found = []
    for ranks, level, (words, mapping) in itertools.product(RANKS, WINDOWS, MAPPINGS.items()):
        case = f"{level} {words} {ranks[0]}+{ranks[1]}"
        if context.wants(case):
            same = blade_settings(context, level, mapping, ranks, Coupling(windows=WINDOWS[level]))
            results = by_turns(context, same, same, other)
            found += _compare(results, case, source)
    return found


def _compare(results: tuple[list[Result], list[Result]], case: str, source: str) -> list[Measurement]:
    found = []
    for side in "AB":
        for words, name, of_ranks in TIMES:
            if all(of_ranks in side_of[0].sides[side].report["phases"].get(name, ()) for side_of in results):
                ours, theirs = (phase(side_of, side, name, of_ranks) for side_of in results)
                found.append(Measurement(case, words.format(side), "s", ours, theirs, source,
                                         why=_overlap(ours, theirs)))
        ours, theirs = (peak_memory(side_of, side) for side_of in results)
        found.append(Measurement(case, f"peak memory of {side}", "MB", ours, theirs, source,
                                 why=_overlap(ours, theirs)))
        for name, unit, words in COUNTS:
            counts = [counter(side_of, side, name, "sum") for side_of in results]
            if counts[0] is not None:
                found.append(Measurement(case, f"{words} of {side}", unit, counts[0], counts[1], source))
    return found


def _overlap(ours: Median, theirs: Median) -> str:
    apart = ours.low > theirs.high or theirs.low > ours.high
    return "" if apart else (f"the quartiles of {ours.runs} turns overlap: {ours.low:.4g} to {ours.high:.4g} "
                             f"beside {theirs.low:.4g} to {theirs.high:.4g}")
