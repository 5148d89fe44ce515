# SPDX-License-Identifier: BSD-3-Clause
"""Trees with one fault each: the checker finds it, at its line, and finds nothing else."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from check_modules import LICENCE, folder_problems, problems
from tree import problems_of

TABLE = "| module | content | may include |\n|---|---|---|\n| base | errors | |\n| comm | MPI | base |\n"
SOURCE = f"// {LICENCE}\n"
HEADER = SOURCE + "#pragma once\n"


USED = "src/isthmus/comm/uses.cpp"
USES = {USED: SOURCE + '#include "isthmus/base/error.hpp"\n'}  # what the table allows


def found(files: dict[str, str], table: str = TABLE) -> list[str]:
    return problems_of({"DESIGN.md": table, **USES, **files}, problems)


class CheckModules(unittest.TestCase):
    def test_accepts_what_the_table_allows(self):
        include = '#include "isthmus/base/error.hpp"\n#include "isthmus/comm/comm.hpp"\n'
        self.assertEqual(found({"src/isthmus/comm/comm.cpp": SOURCE + include}), [])

    def test_rejects_an_arrow_that_points_up(self):
        text = HEADER + "\n#include <isthmus/comm/comm.hpp>\n"
        self.assertEqual(found({"src/isthmus/base/log.hpp": text}),
                         ["src/isthmus/base/log.hpp:4: base must not include comm"])

    def test_a_folder_with_a_list_file_is_a_library_with_a_row(self):
        table = TABLE + "| comm/sparse | few | comm |\n"
        sparse = {"src/isthmus/comm/sparse/CMakeLists.txt": "",
                  "src/isthmus/comm/sparse/few.hpp": HEADER + '#include "isthmus/comm/comm.hpp"\n'}
        self.assertEqual(found(sparse, table), [])
        up = {"src/isthmus/comm/up.hpp": HEADER + '#include "isthmus/comm/sparse/few.hpp"\n'}
        self.assertEqual(found(sparse | up, table),
                         ["src/isthmus/comm/up.hpp:3: comm must not include comm/sparse"])
        [problem] = found(sparse)
        self.assertIn("src/isthmus/comm/sparse: a library of its own has a list file and a row", problem)
        self.assertIn("no row", problem)
        self.assertIn("no CMakeLists.txt", found({}, TABLE + "| comm/sparse | few | |\n")[0])

    def test_rejects_folders_whose_headers_include_each_other(self):
        files = {"src/isthmus/comm/sum.hpp": HEADER + '#include "isthmus/comm/ways/way.hpp"\n',
                 "src/isthmus/comm/ways/way.hpp": HEADER,
                 "src/isthmus/comm/ways/other.hpp": HEADER + '#include "isthmus/comm/comm.hpp"\n'}
        self.assertEqual(found(files), ["src/isthmus: comm and comm/ways include each other: "
                                        "comm/sum.hpp, comm/ways/other.hpp"])
        del files["src/isthmus/comm/sum.hpp"]
        files["src/isthmus/comm/sum.cpp"] = SOURCE + '#include "isthmus/comm/ways/way.hpp"\n'  # its parts
        self.assertEqual(found(files), [])
        around = {f"src/isthmus/comm/{one}/one.hpp": HEADER + f'#include "isthmus/comm/{other}/one.hpp"\n'
                  for one, other in (("a", "b"), ("b", "c"), ("c", "a"))}
        circle = "src/isthmus: comm/a, comm/b, comm/c include each other in a circle"
        self.assertEqual(found(around), [circle])

    def test_rejects_a_source_that_does_not_begin_with_its_header(self):
        own, other = '#include "isthmus/comm/comm.hpp"\n', '#include "isthmus/base/error.hpp"\n'
        files = {"src/isthmus/comm/comm.hpp": HEADER, "src/isthmus/comm/comm.cpp": SOURCE + own + other}
        self.assertEqual(found(files), [])
        files["src/isthmus/comm/comm.cpp"] = SOURCE + other + own
        self.assertEqual(found(files), ["src/isthmus/comm/comm.cpp:2: its own header must be included first"])

    def test_rejects_an_unknown_module(self):
        [problem] = found({"src/isthmus/extra/extra.cpp": SOURCE})
        self.assertIn("module extra has no row", problem)

    def test_rejects_a_table_with_a_circle(self):
        problem = found({}, TABLE.replace("| errors | |", "| errors | comm |"))[0]
        self.assertIn("base, comm form a circle", problem)

    def test_rejects_a_missing_table(self):
        self.assertEqual(found({USED: SOURCE}, "no table")[0], "DESIGN.md: no table of modules")

    def test_rejects_an_arrow_that_nothing_needs(self):
        self.assertEqual(found({USED: SOURCE}), ["DESIGN.md: comm may include base, but does not"])

    def test_rejects_full_folders_of_files_of_any_kind(self):
        many = {f"src/isthmus/base/a{number}.cpp": SOURCE for number in range(26)}
        self.assertEqual(found(many), ["src/isthmus/base: 26 files, more than 25; make folders"])
        kinds = {f"docs/a{number}.{kind}": "" for number in range(13) for kind in ("md", "svg")}
        self.assertEqual(found(kinds), ["docs: 26 files, more than 25; make folders"])
        del kinds["docs/a0.svg"]
        self.assertEqual(found(kinds), [])
        kinds["docs/CMakeLists.txt"] = ""
        self.assertEqual(found(kinds), ["docs: 26 files, more than 25; make folders"])

    def test_with_git_what_git_ignores_does_not_count(self):
        files = {f"docs/a{number}.{kind}": "" for number in range(13) for kind in ("md", "svg")}
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"DESIGN.md": "", ".gitignore": "a1.md\n", **files}.items():
                (Path(folder) / name).parent.mkdir(exist_ok=True)
                (Path(folder) / name).write_text(text)
            subprocess.run(["git", "init", "--quiet", folder], check=True)
            self.assertEqual(list(folder_problems(Path(folder))), [])
            (Path(folder) / "docs/b.txt").touch()
            [problem] = folder_problems(Path(folder))
            self.assertEqual(problem, "docs: 26 files, more than 25; make folders")

    def test_rejects_large_modules(self):
        large = {f"src/isthmus/base/{part}a{number}.cpp": SOURCE + "//\n" * 399
                 for part in ("", "part/") for number in range(5)}
        self.assertEqual(found(large), ["src/isthmus/base: 4000 lines, more than 3500; split it"])

    def test_rejects_missing_licence_guard_and_long_files(self):
        self.assertIn("cli/a.py:2: no line", found({"cli/a.py": "#!/usr/bin/env python3\n"})[0])
        self.assertIn("no #pragma once", found({"bench/a.hpp": SOURCE})[0])
        self.assertIn("apps/a.cpp:401: 402 lines", found({"apps/a.cpp": SOURCE + "//\n" * 401})[0])

    def test_rejects_python_modules_that_import_each_other_by_a_third(self):
        files = {f"python/isthmus/{name}.py": f"# {LICENCE}\n{text}\n" for name, text in {
            "a": "import isthmus.b", "b": "def f():\n    from isthmus import c", "c":
            "from isthmus.a import x", "d": "import isthmus.a"}.items()}
        self.assertEqual(found(files), [
            "python/isthmus: the modules isthmus.a, isthmus.b, isthmus.c import each other",
            "python/isthmus: the packages isthmus.a, isthmus.b, isthmus.c import each other"])

    def test_rejects_python_packages_that_import_each_other_by_different_modules(self):
        files = {f"python/isthmus/{name}.py": f"# {LICENCE}\n{text}\n" for name, text in {
            "bench/run": "import isthmus.plot.figure", "bench/data": "", "plot/figure": "",
            "plot/bars": "from isthmus.bench.data import x"}.items()}
        self.assertEqual(
            found(files), ["python/isthmus: the packages isthmus.bench, isthmus.plot import each other"])


if __name__ == "__main__":
    unittest.main()
