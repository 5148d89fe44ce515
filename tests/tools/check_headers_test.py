# SPDX-License-Identifier: BSD-3-Clause
"""Headers with and without a test of their module."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from check_headers import problems
from tree import problems_of

HEADER = {"src/isthmus/base/a.hpp": "", "src/isthmus/base/part/b.hpp": ""}


def found(files: dict[str, str]) -> list[str]:
    return problems_of({**HEADER, **files}, problems)


class CheckHeaders(unittest.TestCase):
    def test_accepts_headers_that_tests_of_the_module_include(self):
        self.assertEqual(found({"tests/base/a_test.cpp": '#include "isthmus/base/a.hpp"\n',
                                "tests/base/part/b_test.cpp": "#include <isthmus/base/part/b.hpp>\n"}), [])

    def test_looks_for_tests_of_a_library_within_a_module_in_the_folder_of_the_module_only(self):
        files = {"tests/base/a_test.cpp": '#include "isthmus/base/a.hpp"\n',
                 "tests/part/b_test.cpp": '#include "isthmus/base/part/b.hpp"\n',
                 "src/isthmus/base/part/CMakeLists.txt": ""}
        self.assertEqual(len(found(files)), 1)

    def test_rejects_a_header_that_tests_of_another_module_include(self):
        text = '#include "isthmus/base/a.hpp"\n#include "isthmus/base/part/b.hpp"\n'
        self.assertEqual(len(found({"tests/comm/a_test.cpp": text})), 2)
        [problem] = found({"tests/base/a_test.cpp": text.splitlines()[0] + "\n// " + text.splitlines()[1]})
        self.assertIn("src/isthmus/base/part/b.hpp:1: no test in tests/base includes it", problem)


if __name__ == "__main__":
    unittest.main()
