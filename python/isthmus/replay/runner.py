# SPDX-License-Identifier: BSD-3-Clause
"""Partitions both meshes, starts isthmus-replay for both participants and collects what they leave."""

from __future__ import annotations

from pathlib import Path

from isthmus.console import status
from isthmus.errors import IsthmusError
from isthmus.partition import Partition, partition, partition_vertices, write_parts
from isthmus.replay.coupling import adopt_config, write_config
from isthmus.replay.result import Result, collect
from isthmus.replay.settings import Settings, Side
from isthmus.run import Case, Program, report, run
from isthmus.run.display import Display

PROGRAM = "isthmus-replay"


def replay(settings: Settings, display: Display | None = None) -> Result:
    """Runs the case; raises IsthmusError with the exit code of the participant that failed."""
    if settings.sides[0].surface.points.shape[1] != settings.sides[1].surface.points.shape[1]:
        raise IsthmusError("one mesh lies in the plane, the other in space")
    out = settings.out.resolve()
    _clear(out, settings)
    config = settings.coupling.config.resolve() if settings.coupling.config else out / "config.xml"
    if settings.coupling.config:
        adopt_config(config, settings)
    else:
        write_config(config, settings)
    deal = partition_vertices if settings.deal_vertices else partition
    dealt: dict[str, Partition] = {}
    for side in settings.sides:
        with status(f"partitioning {side.name} to {side.ranks} ranks"):
            dealt[side.name] = deal(side.surface, side.ranks, settings.method)
            write_parts(out / "parts" / side.name, dealt[side.name])
    case = make_case(settings, config, out)
    outcome = run(case, settings.launch.timeout, display)
    if outcome.code != 0:
        report(case, outcome)
        raise IsthmusError("the replay did not finish", outcome.code)
    return collect(settings, dealt, out)


def _clear(out: Path, settings: Settings) -> None:
    """Removes what an earlier replay left, so that old results cannot pass for new ones."""
    (out / "parts").mkdir(parents=True, exist_ok=True)
    for side in settings.sides:
        for pattern in (f"{side.name}.*.values", f"{side.name}.json", f"parts/{side.name}.*.part"):
            for path in out.glob(pattern):
                path.unlink()


def make_case(settings: Settings, config: Path, out: Path) -> Case:
    """Both dummy solvers as a case; the providing side first."""
    a, b = settings.sides
    programs = [Program(side.name, _command(side, settings, config, out), side.ranks, out) for side in (b, a)]
    return Case(settings.name, programs, out / "logs", settings.launch.env, settings.launch.one_job)


def _command(side: Side, settings: Settings, config: Path, out: Path) -> list[str]:
    argv = [PROGRAM, "--participant", side.name, "--config", str(config), "--mesh", side.mesh,
            "--part", str(out / "parts" / side.name), "--out", str(out / side.name),
            "--function", settings.function]
    if settings.coupling.config is None:
        argv += ["--windows", str(settings.coupling.windows)]
    for option, names in (("--write", side.writes), ("--read", side.reads)):
        argv += [option, ",".join(names)] if names else []
    return argv
