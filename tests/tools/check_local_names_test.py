# SPDX-License-Identifier: BSD-3-Clause
"""Names that stand in the anonymous namespaces of two sources of a library."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from check_local_names import problems
from tree import problems_of

FIRST = """#include "a.hpp"
namespace isthmus::la {
namespace {
// int commented(int) {}
using Rows = std::vector<double>;
constexpr int limit = make_limit(3);
struct Pair {
  int first;
};
const char* text = "int quoted() {";
template <typename Value>
Value product(const std::vector<Value>& values, Value start = Value()) {
  int inner = 0;
  return start;
}
}  // namespace
int visible(int n) { return n; }
}  // namespace isthmus::la
"""


def found(text: str, name: str = "src/isthmus/la/b.cpp", others: tuple[str, ...] = ()) -> list[str]:
    lists = ("src/isthmus/la/CMakeLists.txt", *others)
    return problems_of({**dict.fromkeys(lists, ""), "src/isthmus/la/a.cpp": FIRST, name: text}, problems)


def local(text: str) -> str:
    return f"namespace isthmus::la {{\nnamespace {{\n{text}\n}}\n}}\n"


class CheckLocalNames(unittest.TestCase):
    def test_rejects_a_function_of_the_same_name_with_other_arguments(self):
        [problem] = found(local("int product(int first, int second) { return first * second; }"))
        self.assertEqual(problem, "src/isthmus/la/b.cpp:3: product is a local name of "
                                  "src/isthmus/la/a.cpp:11, too; give one of them another name")

    def test_rejects_types_and_constants(self):
        for text in ("struct Pair {};", "enum class Pair { a };", "constexpr int limit = 4;", "int limit{4};",
                     "using Rows = std::vector<int>;", "class Pair final {};"):
            self.assertEqual(len(found(local(text))), 1, text)

    def test_accepts_what_is_not_local_or_the_same_alias(self):
        for text in ("int visible(int n) { return n; }", "int inner(int start) { return start; }",
                     "int commented(int n) { return n; }", "int quoted() { return 1; }",
                     "using Rows = std::vector<double>;", "int make_limit() { return product(1); }"):
            self.assertEqual(found(local(text)), [], text)
        self.assertEqual(found("namespace isthmus::la {\nint product(int n) { return n; }\n}\n"), [])

    def test_a_library_is_a_folder_with_a_list_file_and_those_below_without_one(self):
        text = local("int product(int n) { return n; }")
        name = "src/isthmus/la/part/b.cpp"
        self.assertEqual(len(found(text, name)), 1)
        self.assertEqual(found(text, name, ("src/isthmus/la/part/CMakeLists.txt",)), [])


if __name__ == "__main__":
    unittest.main()
