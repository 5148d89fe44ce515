# SPDX-License-Identifier: BSD-3-Clause
"""Says where the time of a coupled run went: a table of the phases of each participant, who waited for whom,
a picture of the time line of all ranks, and a trace for chrome://tracing or ui.perfetto.dev.

Each rank of a run writes precice-profiling/<participant>-<rank>-<size>.txt: calls as a whole, with
<profiling mode="all" /> in the configuration also what they do inside. With ISTHMUS_PROFILE=fundamental each
participant writes isthmus-profiling/<participant>.jsonl instead, which has the waits for partners.

count and total are those of all ranks, mean is of one event; largest is the sum over the events of the
slowest rank, max/mean compares that with the mean over ranks."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.markup import escape

from isthmus.console import console, count, print_warning, seconds, table
from isthmus.errors import OK
from isthmus.profile import Profile, read_all
from isthmus.profile.summary import Waits, phases, waits

PICTURE = Path("timeline.png")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("profiles", type=Path, nargs="*", default=[Path()], metavar="PLACE",
                        help="profiles, or folders that hold them, precice-profiling/ or isthmus-profiling/ "
                             "(default: the folder where you are)")
    parser.add_argument("--picture", type=Path, metavar="FILE",
                        help="picture of the time line, .png or .svg "
                             f"(default: {PICTURE} beside the first profile)")
    parser.add_argument("--no-picture", action="store_true", help="print the tables only")
    parser.add_argument("--trace", type=Path, metavar="FILE",
                        help="write a trace in the format of Chrome (JSON)")
    parser.add_argument("--depth", type=int, default=3, metavar="N",
                        help="levels of phases within phases in the table (default 3)")


def execute(options: argparse.Namespace) -> int:
    profiles = read_all(options.profiles)
    for profile in profiles:
        for note in profile.notes:
            print_warning(f"{profile.path}: {note}")
        console.print(_phases(profile, options.depth))
    console.print(_waits([wait for profile in profiles for wait in waits(profile)]))
    written = []
    if not options.no_picture:
        from isthmus.plot.profile import profile_picture  # takes a while

        written.append(profile_picture(options.picture or profiles[0].path.parent / PICTURE, profiles))
    if options.trace:
        from isthmus.profile.chrome import write_trace

        written.append(write_trace(options.trace, profiles))
    for path in written:
        console.print(f"written: {path}", soft_wrap=True)
    return OK


def _phases(profile: Profile, depth: int):
    ranks = f"{profile.ranks} rank{'s'[:profile.ranks > 1]}"
    result = table(f"{escape(profile.participant)}, {ranks}, mode {escape(profile.mode)}", "phase", "count",
                   "total", "mean", "largest", "max/mean", "share", numbers=6)
    result.columns[0].no_wrap = True
    for phase in phases(profile):
        level = phase.path.count("/")
        if level < depth:
            result.add_row(" " * level + escape(phase.name), count(phase.count), seconds(phase.total),
                           seconds(phase.total / phase.count), seconds(phase.largest),
                           f"{phase.imbalance:.2f}", f"{phase.share:.1%}")
    return result


def _waits(all_waits: list[Waits]):
    result = table("who waits for whom", "participant", "waits for", "mean of ranks", "largest", "share",
                   numbers=3)
    for wait in all_waits:
        result.add_row(escape(wait.participant), escape(wait.partner) or "its own ranks", seconds(wait.mean),
                       seconds(wait.largest), f"{wait.share:.1%}")
    return result
