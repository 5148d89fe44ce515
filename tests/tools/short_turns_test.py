# SPDX-License-Identifier: BSD-3-Clause
"""short_turns.py: the command and those that it starts have short turns; it returns what the command does."""

import subprocess
import sys
import unittest
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools" / "short_turns.py"
sys.path.insert(0, str(TOOL.parent))

import short_turns  # noqa: E402

ASK = f"import sys; sys.path.insert(0, {str(TOOL.parent)!r}); import short_turns; print(short_turns.turn())"


def run(*command: str) -> subprocess.CompletedProcess:
    return subprocess.run([TOOL, *command], capture_output=True, text=True)


class ShortTurns(unittest.TestCase):
    def test_it_returns_what_the_command_does(self):
        self.assertEqual(run("sh", "-c", "echo done; exit 7").returncode, 7)
        self.assertEqual(run("sh", "-c", "echo done; exit 7").stdout, "done\n")

    def test_processes_of_the_command_have_short_turns(self):
        short_turns.ask_for(10 * short_turns.TURN)  # this test may run under the tool itself
        if short_turns.turn() != 10 * short_turns.TURN:
            self.skipTest("this kernel has turns of one length")
        inner = run("sh", "-c", f'"$0" -c "{ASK}"', sys.executable)
        self.assertEqual(inner.stdout, f"{short_turns.TURN}\n", inner.stderr)


if __name__ == "__main__":
    unittest.main()
