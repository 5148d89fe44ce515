# SPDX-License-Identifier: BSD-3-Clause
"""Starts all participants of a case from one small file, shows them side by side, writes their logs, and
ends the others with the reason when one fails."""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from isthmus.errors import OK, IsthmusError
from isthmus.run import Case, case, is_case_folder, load, load_folder, report, run, slurm
from isthmus.run.display import Display, make_display
from isthmus.run.queue import QueuedJob, last_words, watch
from isthmus.run.report import report_end


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("case", type=Path, help="file of the case (TOML), a folder with a case.toml, or a "
                        "case folder of preCICE: precice-config.xml, and for each participant a folder with "
                        "a run.sh")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="end everything after this time")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder in which logs are written")
    parser.add_argument("--restart", nargs="?", const="latest", type=window, metavar="WINDOW",
                        help="go on from restart files: after this window, or after the latest")
    parser.add_argument("--restart-every", type=int, metavar="N",
                        help="write restart files every N time windows")
    parser.add_argument("--take", action="append", default=[], metavar="FOLDER",
                        help="take this folder where a case folder of preCICE has several for a participant")
    parser.add_argument("--live", action="store_true",
                        help="serve a page about the run on this machine: residuals, waits, time line")
    parser.add_argument("--slurm", nargs="?", const="one", choices=("one", "separate"),
                        help="print the script of one Slurm job for all participants, or of separate ones")
    parser.add_argument("--slurm-option", action="append", default=[], metavar="=OPTION",
                        help="a line for #SBATCH, as in --slurm-option=--partition=long")
    parser.add_argument("--submit", action="store_true",
                        help="give the Slurm scripts to sbatch and watch over the jobs; Ctrl-C cancels them")
    parser.add_argument("--detach", action="store_true", help="with --submit: do not watch, only queue")
    parser.epilog = f"case file:\n{(case.__doc__ or '').partition(chr(10) * 2)[2]}\n{parser.epilog}"


def window(text: str) -> str:
    if text != "latest" and not text.isdecimal():
        raise argparse.ArgumentTypeError(
            f'"{text}" is neither a time window nor "latest"; put the case first')
    return text


def execute(options: argparse.Namespace) -> int:
    if options.timeout is not None and options.timeout <= 0:
        raise IsthmusError(f"--timeout {options.timeout:g}: give a number of seconds above 0")
    loaded = _load(options.case, options.take)
    if options.out:
        loaded.out = options.out.resolve()
    if options.restart is not None:
        loaded.env["ISTHMUS_RESTART"] = options.restart
    if options.restart_every is not None:
        if options.restart_every < 0:
            raise IsthmusError(f"--restart-every {options.restart_every}: give a number of time windows")
        loaded.env["ISTHMUS_RESTART_EVERY"] = str(options.restart_every)
    if options.slurm or options.submit:
        if options.live:
            raise IsthmusError("--live watches a run on this machine; leave it out with --slurm and --submit")
        return _to_slurm(loaded, options)
    display = _live_page(loaded, options.case) if options.live else None
    return report(loaded, run(loaded, options.timeout, display))


def _live_page(loaded: Case, place: Path) -> Display:
    from isthmus.live import LivePage, Snapshots  # takes a while

    for name, value in (("ISTHMUS_PROFILE", "fundamental"), ("ISTHMUS_LIVE", "1")):
        if name not in os.environ:
            loaded.env.setdefault(name, value)
    folders = [place if place.is_dir() else place.parent, *(program.directory for program in loaded.programs)]
    places = list(dict.fromkeys(folder.resolve() for folder in folders))
    return LivePage(make_display(loaded.name), Snapshots(loaded.name, places, since=time.time() - 1))


def _load(path: Path, take: list[str]) -> Case:
    if (path / "case.toml").is_file() or not is_case_folder(path):
        return load(path / "case.toml" if path.is_dir() else path)
    return load_folder(path, take)


def _to_slurm(loaded: Case, options: argparse.Namespace) -> int:
    if options.timeout is not None:
        loaded.timeout = options.timeout
    separate = options.slurm == "separate"
    texts = slurm.scripts(loaded, separate, options.slurm_option)
    if not options.submit:
        print("\n".join(texts.values()), end="")
        return OK
    queued: list[QueuedJob] = []

    def submit() -> None:
        slurm.submit(texts, loaded, separate, queued)
        print("\n".join(f"queued {job.name} as job {job.number}" for job in queued))

    if options.detach:
        submit()
        return OK
    began = time.monotonic()
    code, reason = watch(submit, queued, loaded.out)
    words = [one for job in queued if job.has_failed for one in last_words(job, loaded.out)]
    report_end(loaded, code, reason, time.monotonic() - began, words)
    return code
