# SPDX-License-Identifier: BSD-3-Clause
"""A preCICE case folder as a case: one configuration, and beside it a folder with a run.sh for each
participant.

Tutorials of preCICE offer several folders for one participant (fluid-openfoam, fluid-su2): the folder of a
participant is the one that is called like it, before the first dash, in any case of letters.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from pathlib import Path

from isthmus.errors import IsthmusError
from isthmus.run.case import Case, Program

CONFIGURATION = "precice-config.xml"
SCRIPT = "run.sh"


def is_case_folder(path: Path) -> bool:
    return path.is_dir() and (path / CONFIGURATION).is_file()


def load_folder(folder: Path, chosen: Sequence[str] = ()) -> Case:
    """`chosen`: folders to take where a participant has several. Raises IsthmusError with what is missing."""
    participants = _participants(folder / CONFIGURATION)
    candidates = sorted(script.parent.name for script in folder.glob(f"*/{SCRIPT}"))
    if unknown := [name for name in chosen if name not in candidates]:
        raise IsthmusError(f"{folder / unknown[0]} has no {SCRIPT}; folders with one: "
                           f"{', '.join(candidates) or 'none'}")
    programs = [_program(folder, participant, candidates, chosen) for participant in participants]
    return Case(name=folder.resolve().name, programs=programs, out=folder.resolve() / "out")


def _participants(configuration: Path) -> list[str]:
    try:
        root = ElementTree.fromstring(_without_prefixes(configuration.read_text()))
    except (ElementTree.ParseError, UnicodeDecodeError) as error:
        raise IsthmusError(f"{configuration}: {error}") from error
    names = [element.get("name", "") for element in root.iter("participant") if element.get("name")]
    if not names:
        raise IsthmusError(f"{configuration}: there is no participant")
    return names


def _without_prefixes(text: str) -> str:
    """`<data:scalar …>` stands for no namespace, which the parser would want declared."""
    return re.sub(r"(</?[A-Za-z][\w-]*):", r"\1-", text)


def _program(folder: Path, participant: str, candidates: list[str], chosen: Sequence[str]) -> Program:
    key = participant.lower()
    own = [name for name in candidates if name.lower() == key or name.lower().startswith(f"{key}-")]
    picked = [name for name in own if name in chosen] or own
    if len(picked) != 1:
        reason = (f"it has {len(picked)} folders, {', '.join(picked)}; choose one with --take" if picked else
                  f"no folder called {key} or {key}-… holds a {SCRIPT}; folders with one: "
                  f"{', '.join(candidates) or 'none'}")
        raise IsthmusError(f"{folder}: participant {participant}: {reason}")
    return Program(participant, ["bash", SCRIPT], directory=(folder / picked[0]).resolve())
