# SPDX-License-Identifier: BSD-3-Clause
"""Sources that can and cannot be one unit."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools/batches.py"
sys.path.insert(0, str(TOOL.parent))
from batches import batches  # noqa: E402


def dealt(most: int, **texts: str) -> list[str]:
    """Batches of sources with these texts: the letters of their names."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, f"{name}.cpp") for name in texts]
        for path, text in zip(paths, texts.values(), strict=True):
            path.write_text(text)
        return ["".join(path.stem for path in members) for members in batches(paths, most)]


def local(name: str, use: str = "") -> str:
    return f"namespace {{\nint {name}() {{ return 1; }}\n}}\nint f() {{ return {use or name}(); }}\n"


class Batches(unittest.TestCase):
    def test_puts_together_as_many_as_may_be(self):
        self.assertEqual(dealt(2, a=local("a1"), b=local("b1"), c=local("c1")), ["ab", "c"])
        self.assertEqual(dealt(3, a=local("a1"), b=local("b1"), c=local("c1")), ["abc"])

    def test_keeps_apart_what_has_a_local_name_in_common(self):
        self.assertEqual(dealt(6, a=local("xml"), b=local("xml"), c=local("c1")), ["ac", "b"])

    def test_keeps_apart_who_may_mean_something_else_by_the_name(self):
        self.assertEqual(dealt(6, a=local("sheet"), b=local("b1", "sheet"), c=local("c1")), ["ac", "b"])
        self.assertEqual(dealt(6, a=local("a1", "sheet"), b=local("sheet")), ["a", "b"])

    def test_a_comment_is_no_use(self):
        self.assertEqual(dealt(6, a=local("sheet"), b=local("b1") + '// a sheet\nauto c = "sheet";\n'),
                         ["ab"])

    def test_prints_a_line_for_each_batch(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in "ab":
                Path(folder, name).write_text(local("same"))
            printed = subprocess.run([sys.executable, "-B", TOOL, "6", "a", "b"], cwd=folder, check=True,
                                     capture_output=True, text=True).stdout
        self.assertEqual(printed, "a\nb\n")


if __name__ == "__main__":
    unittest.main()
