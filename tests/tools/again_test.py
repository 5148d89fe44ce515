# SPDX-License-Identifier: BSD-3-Clause
"""What test.sh runs again: nothing that has passed, until something changes that it can see.

The programs that it calls are replaced by some that write down that they were called."""

import subprocess
import tempfile
import unittest
from pathlib import Path

from tree import Tree

ALL = ["asan", "python", "release", "simulated", "tsan"]
PRESETS = {"asan": "asan", "release": "release", "smpi": "simulated", "tsan": "tsan"}


class Again(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = Tree(folder.name, "test.sh", "state.sh")
        self.tree.add_tests()
        self.tree.add("tools/format.sh")
        self.tree.add("bin/ctest", 'echo "$2" >> build/called; echo "tests passed"; [ "$2" != "$FAILS" ]')
        self.tree.add(".venv/bin/pytest", "echo python >> build/called\n")
        self.write(".gitignore", "build/\n.venv/\n")
        self.write("src/sum.cpp", "int sum;\n")
        self.write("docs/page.md", "A page.\n")

    def git(self):
        subprocess.run(["git", "init", "-q", self.tree.root], check=True)

    def write(self, name: str, text: str) -> None:
        path = self.tree.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def ran(self, **settings: str) -> list[str]:
        """The steps whose tests ran, after the words of test.sh were compared with that."""
        called = self.tree.root / "build/called"
        called.unlink(missing_ok=True)
        said, code = self.tree.run("1", **settings)
        self.assertEqual(code, 1 if settings.get("FAILS") else 0, said)
        ran = called.read_text().split() if called.exists() else []
        ran = sorted(PRESETS.get(name, name) for name in ran)
        left_out = [line.split()[0] for line in said if "not run again: it has passed" in line]
        self.assertEqual(sorted(left_out + ran), ALL, said)
        self.assertEqual(sum("before (not run again):" in line for line in said), len(left_out), said)
        return ran

    def test_what_has_passed_is_left_out_until_something_changes(self):
        self.git()
        self.assertEqual(self.ran(), ALL)
        self.assertEqual(self.ran(), [])
        self.assertEqual(self.ran(ANEW="1"), ALL)
        self.assertEqual(self.ran(), [])

    def test_a_change_runs_what_can_see_it(self):
        self.git()
        not_sanitized = ["python", "release"]
        changes = {"src/sum.cpp": ALL, "src/new.cpp": ALL, "docs/page.md": not_sanitized,
                   "README.md": not_sanitized, "python/module.py": not_sanitized, "build/something": []}
        self.ran()
        for name, seen_by in changes.items():
            with self.subTest(name):
                self.write(name, "changed\n")
                self.assertEqual(self.ran(), seen_by)
                self.assertEqual(self.ran(), [])

    def test_a_file_that_is_gone_or_may_be_run_now_is_a_change(self):
        self.git()
        subprocess.run(["git", "-C", self.tree.root, "add", "."], check=True)
        self.ran()
        path = self.tree.root / "src/sum.cpp"
        path.chmod(0o755)
        self.assertEqual(self.ran(), ALL)
        path.unlink()
        self.assertEqual(self.ran(), ALL)

    def test_settings_and_packages_are_seen(self):
        self.git()
        self.ran()
        self.assertEqual(self.ran(CXXFLAGS="-O0"), ALL)
        self.assertEqual(self.ran(ISTHMUS_QUEUE="0"), ALL)
        self.assertEqual(self.ran(ISTHMUS_QUEUE="0"), [])
        self.assertEqual(self.ran(ISTHMUS_QUEUE="0", MAKEFLAGS=" -- ANEW=1", MAKELEVEL="2"), [])
        self.tree.add("bin/dpkg-query", "echo some-package 2.0\n")
        self.assertEqual(self.ran(ISTHMUS_QUEUE="0"), ALL)

    def test_the_directory_of_open_mpi_is_never_empty_and_gone_afterwards(self):
        self.tree.add("bin/mpirun", "echo ompi.host.0\n")
        self.tree.add("bin/ctest", 'echo "$OMPI_MCA_orte_tmpdir_base" > build/base\n'
                      'ls "$OMPI_MCA_orte_tmpdir_base/ompi.host.0" > build/seen; echo "tests passed"\n')
        said, code = self.tree.run("1", OMPI_MCA_orte_tmpdir_base="/nowhere")
        self.assertEqual(code, 0, said)
        self.assertEqual((self.tree.root / "build/seen").read_text(), "kept\n")
        base = Path((self.tree.root / "build/base").read_text().strip())
        self.assertEqual(base.parent, Path("/tmp"))
        self.assertFalse(base.exists())

    def test_what_has_failed_runs_again_alone(self):
        self.git()
        self.assertEqual(self.ran(FAILS="asan"), ALL)
        self.assertEqual(self.ran(FAILS="asan"), ["asan"])
        self.assertEqual(self.ran(), ["asan"])
        self.assertEqual(self.ran(), [])

    def test_an_edit_while_tests_run_is_not_taken_for_tested(self):
        self.git()
        self.tree.add(".venv/bin/pytest", 'echo python >> build/called\n[ -z "$EDIT" ] || echo > "$EDIT"\n')
        self.assertEqual(self.ran(EDIT="docs/page.md"), ALL)
        again = self.ran()
        self.assertIn("python", again)
        self.assertNotIn("tsan", again)
        self.assertEqual(self.ran(), [])

    def test_what_was_skipped_is_said_in_the_end(self):
        self.tree.add("bin/ctest", "printf '100%% tests passed\\n\\nThe following tests did not run:\\n'\n"
                      "printf '\\t  7 - io.machine.np1 (Skipped)\\n\\t 12 - x (Disabled)\\n'\n"
                      "printf '\\nThe following tests FAILED:\\n\\t 13 - y (Failed)\\n'\n")
        self.tree.add(".venv/bin/pytest", "echo 'SKIPPED [2] test_x.py:3: there is no node'\n"
                      "echo '5 passed, 2 skipped'\n")
        said, code = self.tree.run("1")
        self.assertEqual(code, 0, said)
        end = said[said.index("ctest, release:"):]
        self.assertEqual(end[1:4], ["100% tests passed", "  io.machine.np1 (Skipped)", "  x (Disabled)"])
        self.assertEqual(len([line for line in end if line.startswith("  ")]), 9)
        self.assertEqual(end[-2:], ["5 passed, 2 skipped", "  SKIPPED [2] test_x.py:3: there is no node"])

    def test_tests_that_do_not_come_to_their_end_have_failed(self):
        """Here the whole group of processes beside the release's tests is killed."""
        self.tree.add(".venv/bin/pytest", 'kill -9 "-$(cut -d" " -f5 /proc/$$/stat)"\n')
        said, code = self.tree.run("1")
        self.assertEqual(code, 1, said)
        for name in ("python", "simulated", "asan", "tsan"):
            self.assertIn(f"{name} did not come to its end", said)
        self.assertIn("FAILED: python simulated asan tsan ", said)

    def test_without_git_everything_runs(self):
        self.assertEqual(self.ran(), ALL)
        self.assertEqual(self.ran(), ALL)


if __name__ == "__main__":
    unittest.main()
