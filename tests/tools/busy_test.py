# SPDX-License-Identifier: BSD-3-Clause
"""busy.sh: its loops run as long as the command, in another session; it returns what the command does."""

import os
import subprocess
import sys
import time
import unittest
from pathlib import Path

BUSY = Path(__file__).parents[2] / "tools" / "busy.sh"
PATIENCE = 600


def processes() -> dict[int, tuple[str, int, int]]:
    """By number: state, parent, and session."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent, _, session, *_ = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        found[int(folder.name)] = state, int(parent), int(session)
    return found


def loops() -> list[int]:
    """Children of the children of who has started this process."""
    all_of_them = processes()
    own = all_of_them[os.getpid()]
    return [number for number, (state, parent, _) in all_of_them.items()
            if state == "R" and parent in all_of_them and all_of_them[parent][1] == own[1]]


def command() -> int:
    """What the test runs beside three loops."""
    while len(loops()) < 3:
        time.sleep(0.01)
    print(*loops())
    sessions = processes()
    others = {sessions[number][2] for number in loops()}
    return 7 if others.isdisjoint({sessions[os.getpid()][2]}) else 1


class Busy(unittest.TestCase):
    def test_loops_run_beside_the_command_and_end_with_it(self):
        ran = subprocess.run([BUSY, "3", sys.executable, "-B", __file__, "command"], stdout=subprocess.PIPE,
                             text=True, timeout=PATIENCE, check=False)
        self.assertEqual((len(ran.stdout.split()), ran.returncode), (3, 7), ran.stdout)
        end = time.monotonic() + PATIENCE
        while left := [n for n in map(int, ran.stdout.split()) if processes().get(n, "Z")[0] != "Z"]:
            self.assertLess(time.monotonic(), end, f"loops are left: {left}")
            time.sleep(0.01)


if __name__ == "__main__":
    if sys.argv[1:] == ["command"]:
        sys.exit(command())
    unittest.main()
