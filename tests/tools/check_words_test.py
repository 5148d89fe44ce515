# SPDX-License-Identifier: BSD-3-Clause
"""Trees with one retired word each: the checker finds it, at its line, and finds nothing else."""

import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from check_words import RETIRED, Retired, problems
from tree import problems_of

WORDS = (Retired(r"gizmo|Gizmo", "say tool"), Retired(r"\bnook\b", "say cell", ("src/isthmus/a",)))


def found(files: dict[str, str]) -> list[str]:
    return problems_of(files, lambda folder: problems(folder, WORDS))


class CheckWords(unittest.TestCase):
    def test_accepts_other_words(self):
        self.assertEqual(found({"src/isthmus/a/a.cpp": "int tool; // a cell\n", "docs/a.md": "a tool\n"}), [])

    def test_finds_a_word_in_a_comment_an_identifier_a_page_and_a_test(self):
        for name in ("src/isthmus/a/a.cpp", "api/a.hpp", "docs/a.md", "tests/a/a_test.cpp", "DESIGN.md"):
            for line in ("int num_gizmos = 0;", "// of the gizmo", "class Gizmo {"):
                [problem] = found({name: f"first\n{line}\n"})
                self.assertRegex(problem, f'^{re.escape(name)}:2: "[gG]izmo" is retired: say tool$')

    def test_finds_the_name_of_a_file(self):
        self.assertEqual(found({"src/isthmus/b/gizmo.hpp": "\n"}),
                         ['src/isthmus/b/gizmo.hpp:0: "gizmo" is retired: say tool'])

    def test_looks_where_the_word_has_that_meaning(self):
        self.assertEqual(len(found({"src/isthmus/a/a.cpp": "// a nook\n"})), 1)
        self.assertEqual(found({"src/isthmus/b/b.cpp": "// a nook\n", "src/isthmus/a/c.cpp": "nooks\n"}), [])

    def test_reads_what_is_built_on_the_library(self):
        for name in ("solvers/a/a.hpp", "python/a.py", "openfoam/a.C", "examples/1/run.sh", "cli/a.cpp"):
            self.assertEqual(len(found({name: "gizmo\n"})), 1, name)

    def test_leaves_other_files_alone(self):
        self.assertEqual(found({"tools/a.py": "gizmo\n", "docs/a.csv": "gizmo\n"}), [])

    def test_every_retired_word_names_another_and_looks_somewhere(self):
        for one in RETIRED:
            self.assertTrue(one.instead and one.where, one)
            self.assertIsNone(re.search(one.word, one.instead), one)


if __name__ == "__main__":
    unittest.main()
