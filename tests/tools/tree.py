# SPDX-License-Identifier: BSD-3-Clause
"""Folders that checks of tools/ read, and in which its scripts run beside programs that do what texts say."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

TOOLS = Path(__file__).parents[2] / "tools"


def problems_of(files: dict[str, str], check: Callable[[Path], Iterable[str]]) -> list[str]:
    """What a check says of a folder that holds these files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return list(check(Path(folder)))


class Tree:
    """A folder with a script of tools/ and those that it calls, and programs that do what their text says."""

    def __init__(self, folder: str, script: str, *others: str):
        self.root = Path(folder)
        self.script = self.root / "tools" / script
        self.script.parent.mkdir(parents=True)
        for name in ("watched.sh", "short_turns.py", script, *others):
            shutil.copy(TOOLS / name, self.root / "tools" / name)

    def add(self, name: str, text: str = "") -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)

    def add_tests(self) -> None:
        """All programs that test.sh calls, but for the one that checks the form of sources."""
        for name in ("tools/build.sh", "tools/setup/system.sh", "bin/cmake",
                     *(f".venv/bin/{program}" for program in ("lizard", "ruff", "pytest"))):
            self.add(name, "echo fine\n")
        self.add("bin/ctest", "echo '100% tests passed'\n")

    def run(self, *arguments: str, **settings: str) -> tuple[list[str], int]:
        """What the script says, and its exit code. A silent program goes on when its line was shown."""
        heard = self.root / "heard"
        environment = os.environ | {"PATH": f"{self.root / 'bin'}:{os.environ['PATH']}", "HEARD": str(heard),
                                    "ISTHMUS_HEARTBEAT": "0.05", "ANEW": ""} | settings
        said = []
        with subprocess.Popen(["bash", self.script, *arguments], env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as script:
            for line in script.stdout:
                said.append(line.rstrip("\n"))
                if " s  doing the work" in line:
                    heard.touch()
            return said, script.wait()
