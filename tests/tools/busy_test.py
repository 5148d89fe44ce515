# SPDX-License-Identifier: BSD-3-Clause
"""busy.sh: its loops run as long as the command, in its session; it returns what the command does."""

import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

BUSY = Path(__file__).parents[2] / "tools" / "busy.sh"
LIMIT = 1500


def processes() -> dict[int, tuple[str, int]]:
    """By number: state and parent."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent, *_ = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        found[int(folder.name)] = state, int(parent)
    return found


def loops() -> list[int]:
    """Those beside this process that compute."""
    return [number for number, (state, parent) in processes().items()
            if state == "R" and parent == os.getppid() and number != os.getpid()]


def command() -> int:
    """What the test runs beside three loops."""
    while len(found := loops()) < 3:  # they may wait for a core
        time.sleep(0.01)
    print(*found, flush=True)
    if sys.argv[2:] == ["killed"]:
        os.kill(os.getppid(), signal.SIGKILL)
    own = os.getsid(0)
    return 7 if all(os.getsid(number) == own for number in found) else 1


class Busy(unittest.TestCase):
    def check_loops_end(self, *how: str) -> int:
        """What busy.sh returned."""
        ran = subprocess.run([BUSY, "3", sys.executable, "-B", __file__, "command", *how],
                             stdout=subprocess.PIPE, text=True, timeout=LIMIT, check=False)
        self.assertEqual(len(ran.stdout.split()), 3, ran.stdout)
        end = time.monotonic() + LIMIT
        while left := [n for n in map(int, ran.stdout.split()) if processes().get(n, "Z")[0] != "Z"]:
            self.assertLess(time.monotonic(), end, f"loops are left: {left}")
            time.sleep(0.01)
        return ran.returncode

    def test_loops_run_beside_the_command_and_end_with_it(self):
        self.assertEqual(self.check_loops_end(), 7)

    def test_loops_end_when_the_script_is_killed(self):
        self.assertEqual(self.check_loops_end("killed"), -signal.SIGKILL)


if __name__ == "__main__":
    if sys.argv[1:2] == ["command"]:
        sys.exit(command())
    unittest.main()
