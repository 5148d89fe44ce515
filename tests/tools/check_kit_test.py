# SPDX-License-Identifier: BSD-3-Clause
"""Sources that `make demo` leaves out, and programs that need them."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from check_kit import problems
from tree import problems_of

TREE = {
    "apps/run.cpp": '#include "isthmus/base/a.hpp"\n',
    "src/isthmus/base/CMakeLists.txt": "isthmus_module(base DEPENDS other\n    KIT b.cpp part/c.cpp)\n",
    "src/isthmus/base/a.hpp": "", "src/isthmus/base/a.cpp": '#include "isthmus/base/a.hpp"\n',
    "src/isthmus/base/b.hpp": '#include "isthmus/base/a.hpp"\n', "src/isthmus/base/b.cpp": "",
    "CMakePresets.json": '{"configurePresets": [{"name": "release"}, {"name": "demo", "cacheVariables":'
                         '{"ISTHMUS_QUICK_MODULES": "base"}}]}',
    "src/isthmus/base/part/c.hpp": "", "src/isthmus/base/part/c.cpp": "",
}


def found(files: dict[str, str]) -> list[str]:
    return problems_of({**TREE, **files}, problems)


class CheckKit(unittest.TestCase):
    def test_accepts_what_no_program_needs(self):
        self.assertEqual(found({}), [])

    def test_names_who_needs_a_source_that_is_left_out(self):
        [problem] = found({"src/isthmus/base/a.cpp": '#include "isthmus/base/b.hpp"\n'})
        self.assertEqual(problem, "src/isthmus/base/b.cpp:1: src/isthmus/base/a.cpp needs it, but make demo "
                                  "leaves it out; remove it from KIT in CMakeLists.txt")
        [problem] = found({"apps/run.cpp": '#include "isthmus/base/part/c.hpp"\n'})
        self.assertIn("c.cpp:1: apps/run.cpp needs it", problem)

    def test_names_a_quick_module_that_is_none(self):
        [problem] = found({"CMakePresets.json": TREE["CMakePresets.json"].replace('"base"', '"base;part"')})
        self.assertEqual(problem, "CMakePresets.json: preset demo: ISTHMUS_QUICK_MODULES: no module part")

    def test_names_a_source_that_is_not_there(self):
        [problem] = found({"src/isthmus/base/CMakeLists.txt": "isthmus_module(base KIT d.cpp)\n"})
        self.assertIn("src/isthmus/base/d.cpp, behind KIT, is not there", problem)


if __name__ == "__main__":
    unittest.main()
