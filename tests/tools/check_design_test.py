# SPDX-License-Identifier: BSD-3-Clause
"""Designs with one wrong name each: the checker finds it, at its line, and finds nothing else."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from check_design import MAX_WALK, problems
from tree import problems_of

SOURCES = {"src/isthmus/comm/uses.cpp": "void use() {}\n",
           "src/isthmus/comm/make.hpp": "class Maker { void make_it(); };\n",
           "src/isthmus/comm/make.cpp": "void Maker::make_it() { run_all(); }\n"}
WALK = "# Design\n\n## The way of a value\n\n"
FIRST_PLAN = "# Design\n\n## The way of a vertex\n\n**To the first plan.** Twenty.\n\n"


def found(design: str, files: dict[str, str] | None = None) -> list[str]:
    return problems_of({"DESIGN.md": design, **SOURCES, **(files or {})}, problems)


class CheckDesign(unittest.TestCase):
    def test_rejects_a_named_file_that_is_not_there(self):
        self.assertEqual(found("\n`comm/uses.cpp`, `uses.cpp`, `comm/used.cpp`\n"),
                         ["DESIGN.md:2: there is no file comm/used.cpp"])
        page = {"docs/comm.md": "A solver `air.py`.\n#include <isthmus/comm/comm.hpp>\n`comm/uses.cpp`\n"}
        self.assertEqual(found("", page), ["docs/comm.md:2: there is no file isthmus/comm/comm.hpp"])

    def test_rejects_a_named_function_that_is_not_there(self):
        self.assertEqual(found("`make_it`, `Maker::make_it`, `Maker::make_all`, `run_it`, `MPI_Send`\n"),
                         ["DESIGN.md:1: nothing is called Maker::make_all",
                          "DESIGN.md:1: nothing is called run_it"])

    def test_a_function_of_a_walk_is_in_the_file_that_stands_before_it(self):
        for text in ("`comm/make.cpp` `Maker::make_it`, `run_all` → `comm/uses.cpp` `use`.\n",
                     "`make.cpp` and `make_it`; the `Maker` of `comm/make.hpp`\n",
                     "`comm/uses.cpp`, then `Maker::make_it`, which is in\n   `comm/make.cpp`.\n"):
            self.assertEqual(found(WALK + text), [], text)
        self.assertEqual(found(WALK + "A value.\n`comm/uses.cpp`\n`make_it`, of `comm/make.cpp`\n"),
                         ["DESIGN.md:7: make_it is not in comm/uses.cpp"])
        self.assertEqual(found(WALK + "the `make_it` of\n`comm/uses.cpp`, `comm/make.cpp`\n"),
                         ["DESIGN.md:5: make_it is not in comm/uses.cpp"])

    def test_what_stands_behind_an_arrow_is_in_some_file_of_the_walk(self):
        [problem] = found(WALK + "`comm/uses.cpp` → `Maker::make_it`\n## Next\n`comm/make.cpp`\n")
        self.assertEqual(problem, "DESIGN.md:5: Maker::make_it is in no file that this section names")

    def test_the_walk_of_a_vertex_has_a_limit(self):
        files = {f"src/isthmus/comm/part{number}.cpp": "" for number in range(MAX_WALK)}
        names = [f"`comm/part{number}.cpp`" for number in range(MAX_WALK)]
        inside = FIRST_PLAN + "1. {} (`comm/make.cpp`, twice {})\n   `comm/make.hpp`.\n\nThe plan is there.\n"
        self.assertEqual(found(inside.format(" → ".join(names[1:]), names[0]), files), [])
        self.assertEqual(found(inside.format(" → ".join(names), names[0]), files), [
            f"DESIGN.md: the steps of the walk of a vertex: {MAX_WALK + 1} units, more than {MAX_WALK}"])
        items = "".join(f"- of a module:\n  {name};\n" for name in names)
        listed = FIRST_PLAN + items + "{}\n1. `comm/make.cpp`.\n\nThe plan is there.\n"
        self.assertEqual(found(listed.format(""), files), [])
        self.assertEqual(found(listed.format("- `comm/make.hpp`.\n"), files), [
            f"DESIGN.md: the list of the walk of a vertex: {MAX_WALK + 1} units, more than {MAX_WALK}"])

    def test_the_walk_of_a_vertex_calls_nothing_through_a_std_function(self):
        files = {"src/isthmus/comm/step.hpp": "std::function<void()> next;\n",
                 "src/isthmus/comm/step.cpp": ""}
        walk = FIRST_PLAN + "1. `comm/{}.cpp` (`comm/{}.cpp`)\n\nThe plan is there.\n"
        self.assertEqual(found(walk.format("uses", "step"), files), [])
        item = "- `comm/step.cpp`\n\n1."
        for wrong in (walk.format("step", "uses"), walk.format("uses", "uses").replace("1.", item)):
            self.assertEqual(found(wrong, files), [
                "src/isthmus/comm/step.hpp: the walk of a vertex passes here, and this has a std::function"])


if __name__ == "__main__":
    unittest.main()
