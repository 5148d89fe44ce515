# SPDX-License-Identifier: BSD-3-Clause
"""Classes of every form: the checker counts what they declare."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from check_classes import problems, python_classes, sizes
from tree import problems_of

NAME = "src/isthmus/base/a.hpp"


def found(text: str, name: str = NAME) -> list[str]:
    return problems_of({name: text}, problems)


def members(count: int) -> str:
    return "".join(f"  int m{number}_ = 0;\n" for number in range(count))


def functions(count: int) -> str:
    return "".join(f"  void f{number}() {{ if (true) {{}} }}\n" for number in range(count))


class CheckClasses(unittest.TestCase):
    def test_counts_members_of_all_forms(self):
        for text, count in (("int a; double b = 1;", 2), ("int a, b = 2;", 2), ("std::map<int, int> m;", 1),
                            ("std::function<void(int, double)> f = {};", 1), ("Vector v{1, 2};", 1),
                            ("static constexpr int n = 3; using A = int; enum class E { a, b };", 0),
                            ("struct Part { int a, b; }; Part part;", 1), ("[[no_unique_address]] A a;", 1)):
            self.assertEqual(sizes(text), (count, 0), text)

    def test_counts_functions_of_all_forms(self):
        for text, count in (("void f(); int g() const { return 1; }", 2),
                            ("A() = default; A(A&&) = delete;", 0),
                            ("explicit A(int a) : a_(a), b_{a} { go(); }", 1),
                            ("bool operator==(const A&) const;", 1),
                            ("void f(Part part = {}) { g(); }", 1), ("friend void f(A& a);", 0),
                            ("template <typename T> void f(T&& t) { t(); } ", 1)):
            self.assertEqual(sizes(text), (0, count), text)

    def test_accepts_the_limits_and_rejects_one_more(self):
        self.assertEqual(found(f"class A {{\n{functions(25)}{members(12)}}};\n"), [])
        [problem] = found(f"\nclass A {{\n{members(13)}}};\n")
        self.assertIn(f"{NAME}:2: A has 13 data members (at most 12) and 0 functions (at most 25)", problem)
        [problem] = found(f"struct A final : B {{\n{functions(26)}}};\n")
        self.assertIn("26 functions", problem)
        self.assertEqual(len(found(f"struct alignas(64) A {{\n{members(13)}}};\n")), 1)

    def test_reads_examples_benchmarks_and_libraries_for_openfoam(self):
        for name in ("examples/a/a.hpp", "bench/a.cpp", "openfoam/a/aTemplates.C", "tests/a/a.hpp"):
            self.assertEqual(len(found(f"class A {{\n{members(13)}}};\n", name)), 1, name)
        self.assertEqual(found(f"class A {{\n{members(13)}}};\n", "docs/a.hpp"), [])

    def test_counts_a_class_within_a_class_by_itself(self):
        self.assertEqual(found(f"class A {{\n  struct B {{\n{members(12)}  }};\n{members(12)}}};\n"), [])
        [problem] = found(f"class A {{\n  struct B {{\n{members(13)}  }};\n{members(12)}}};\n")
        self.assertIn(":2: B has 13", problem)

    def test_reads_neither_comments_nor_strings(self):
        self.assertEqual(found(f"class A {{\n{members(12)}  // int n;\n  /* int m; */\n}};\n"), [])
        self.assertEqual(found('const char* text = "class A {";\n'), [])

    def test_reads_the_classes_of_tests(self):
        [problem] = found(f"struct A {{\n{members(13)}}};\n", name="tests/base/a_test.cpp")
        self.assertIn("tests/base/a_test.cpp:1: A has 13", problem)

    def test_reads_classes_of_python(self):
        for attributes, count in (("self.a = self.b = 1", 2), ("self.a, (self.b, *self.c) = x", 3),
                                  ("self.a += 1\n    for self.b in x: self.a = 2", 2),
                                  ("other.a = self.x", 0), ("self.a[0] = 1", 0), ("self.a: int = 1", 1)):
            body = "  m: int\n  n: ClassVar[int] = 1\n  k = 3\n"
            text = f"class A:\n{body}  def f(self, x):\n    {attributes}\n"
            self.assertEqual([*python_classes(text)], [("A", 1, 1 + count, 1)], text)
        text = "class A:\n" + "".join(f"  m{k}: int = 0\n" for k in range(12))
        for name in ("python/a.py", "tests/a/a.py", "examples/a/a.py"):
            self.assertEqual(found(text, name), [])
            [problem] = found("size = @SIZE@\n" + text + "  n: int\n", name)
            self.assertIn(f"{name}:2: A has 13 data members", problem)
        text = "class A:\n" + "".join(f"  def f{k}(self): pass\n" for k in range(26))
        [problem] = found(text, "python/a.py")
        self.assertIn("26 functions", problem)

    def test_leaves_out_what_precice_prescribes(self):
        text = f"class Participant {{\n{functions(40)}}};\n"
        self.assertEqual(found(text, name="api/precice/include/precice/Participant.hpp"), [])
        for name in ("src/isthmus/participant/participant.hpp", "tests/walks/native.hpp", NAME):
            self.assertEqual(len(found(text, name)), 1, name)


if __name__ == "__main__":
    unittest.main()
