# SPDX-License-Identifier: BSD-3-Clause
"""Steps of scripts that say where they are while a command is silent.

Programs that a script calls are replaced. The silent one says one line, and then nothing until a heartbeat
has shown that line. Without a heartbeat it gives up, and the test fails."""

import tempfile
import unittest

from tree import Tree

SILENT = """echo "doing the work"
for _ in $(seq 600); do [ -e "$HEARD" ] && exit "${CODE:-0}"; sleep 0.1; done
exit 99
"""


class Watched(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def watch(self, tree: Tree, step: str, *arguments: str, code: int = 0) -> tuple[list[str], int]:
        said, ended = tree.run(*arguments, CODE=str(code))
        beats = [line for line in said if line.endswith(" s  doing the work")]
        self.assertTrue(beats and all(line.startswith(f"{step} ") for line in beats), said)
        return said, ended

    def building(self, configure: str, build: str) -> Tree:
        tree = Tree(self.folder, "build.sh")
        tree.add("bin/cmake", f'if [ "$1" = --preset ]; then {configure}fi\n{build}')
        return tree

    def test_a_build_is_watched_while_it_configures(self):
        said, code = self.watch(self.building(SILENT, "echo '[2/2] linked'\n"), "configure", "release", "1")
        self.assertEqual((said[-1], code), ("[2/2] linked", 0))

    def test_a_build_is_watched_while_a_compiler_is_silent(self):
        tree = self.building(":\n", SILENT)
        tree.add("build/release/build.ninja")
        self.assertEqual(self.watch(tree, "build", "release", "1", "all")[1], 0)

    def test_a_build_shows_what_failed(self):
        words = "echo '[1/2] fine'\necho 'FAILED: a.o'\necho 'a.cpp:1: error: no'\n"
        tree = self.building(":\n", words + "exit 2\n")
        tree.add("build/release/build.ninja")
        said, code = tree.run("release", "1")
        self.assertEqual(([line for line in said if " s  " not in line], code),
                         (["FAILED: a.o", "a.cpp:1: error: no"], 1))

    def test_a_build_shows_warnings(self):
        tree = self.building(":\n", "echo 'a.cpp:1: warning: hm'\necho '[2/2] linked'\n")
        tree.add("build/release/build.ninja")
        self.assertIn("a.cpp:1: warning: hm", tree.run("release", "1")[0])

    def test_a_configuration_that_fails_is_shown_and_ends_the_build(self):
        said, code = self.watch(self.building(SILENT, "echo built\n"), "configure", "release", "1", code=3)
        self.assertEqual(code, 1)
        self.assertIn("doing the work", said)
        self.assertNotIn("built", said)

    def python(self, pip: str) -> Tree:
        tree = Tree(self.folder, "setup/python.sh")
        tree.add("pip", pip)
        tree.add("bin/python3", 'mkdir -p "$3/bin" && cp pip "$3/bin/pip"\n')
        return tree

    def test_pip_is_watched(self):
        self.assertEqual(self.watch(self.python(SILENT), "python", "environment", "demo")[1], 0)

    def test_a_pip_that_fails_is_shown(self):
        said, code = self.python("echo no such package\nexit 1\n").run("environment", "all")
        self.assertEqual((said[-1], code), ("no such package", 1))

    def test_apt_is_watched(self):
        tree = Tree(self.folder, "setup/system.sh")
        tree.add("bin/dpkg-query", "exit 1\n")
        tree.add("bin/id", "echo 0\n")
        tree.add("bin/apt-get", f'if [ "$1" = install ]; then {SILENT}fi\n')
        self.assertEqual(self.watch(tree, "packages", "some-package")[1], 0)

    def test_a_command_of_the_makefile_is_watched_and_shown_where_it_fails(self):
        for code in (0, 3):
            with self.subTest(code), tempfile.TemporaryDirectory() as folder:
                tree = Tree(folder, "watched.sh")
                tree.add("bin/cpack", SILENT)
                said, ended = self.watch(tree, "deb", "deb", "cpack", "-G", "DEB", code=code)
                self.assertEqual(ended, code)
                self.assertEqual(said[-1] == "doing the work", code != 0)

    def test_a_step_of_the_tests_is_watched_and_its_failure_counts(self):
        for code, end in ((0, 0), (5, 1)):
            with self.subTest(code), tempfile.TemporaryDirectory() as folder:
                tree = Tree(folder, "test.sh")
                tree.add("tools/format.sh", SILENT)
                tree.add_tests()
                said, ended = self.watch(tree, "format", "1", code=code)
                self.assertEqual(ended, end)
                self.assertEqual("FAILED: format " in said, code != 0)


if __name__ == "__main__":
    unittest.main()
