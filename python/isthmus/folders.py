# SPDX-License-Identifier: BSD-3-Clause
"""Where participants leave their files: in the folder of the case, or in folders of their own below it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path


def below(folder: Path, without: Collection[str] = ()) -> list[Path]:
    """Folders in a folder, but hidden ones and links."""
    return sorted(path for path in folder.iterdir()
                  if path.is_dir() and not path.is_symlink() and not path.name.startswith(".")
                  and path.name not in without)


def of_participants(folder: Path, files_in: Callable[[Path], list[Path]],
                    without: Collection[str] = ()) -> list[Path]:
    """What `files_in` finds in a folder and in those in it; if that is nothing, one level deeper. Of files
    with one name the newest. `without`: folders that `files_in` knows."""
    level = below(folder, without)
    found = files_in(folder) + [file for one in level for file in files_in(one)]
    if not found:
        found = [file for one in level for deeper in below(one, without) for file in files_in(deeper)]
    newest = {file.name: file for file in sorted(found, key=lambda path: path.stat().st_mtime)}
    return [file for file in found if newest[file.name] == file]
