# SPDX-License-Identifier: BSD-3-Clause
"""Every attribute of the configuration and every function of the interface has a test that would notice if it
did nothing: the tables config/attributes_covered.tsv and api/functions_covered.tsv say which, and this test
that it exists.

An attribute is noticed by its effect, or only where it is read (`read`), or has none and a reason for that
(`none`)."""

import re
import unittest
from fnmatch import fnmatchcase
from pathlib import Path

TESTS = Path(__file__).parents[1]
CASE = re.compile(r'TEST_CASE\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)')
READ_ONLY = 0  # rows, not to grow without a reason
WITHOUT_EFFECT = 7


def rows(name: str) -> list[list[str]]:
    return [line.split("\t") for line in (TESTS / name).read_text().splitlines()[1:]]


def cases(file: Path) -> set[str]:
    """Names of the test cases; a name may be written in several strings."""
    return {"".join(re.findall(r'"((?:[^"\\]|\\.)*)"', found)).replace('\\"', '"')
            for found in CASE.findall(file.read_text())}


def public_functions() -> set[str]:
    """Names that stand mangled in the list of symbols, without those of C and Fortran."""
    names = set()
    for symbol in (TESTS / "package/precice-symbols.txt").read_text().split():
        if not symbol.startswith("_Z"):
            continue
        if found := re.match(r"_ZNK?7precice11Participant(C[12]|D[12]|\d+)", symbol):
            kind = found[1]
            names.add("Participant" if kind[0] == "C" else "~Participant" if kind[0] == "D" else
                      symbol[found.end():found.end() + int(kind)])
        elif found := re.match(r"_ZN7precice(?:7tooling)?(\d+)", symbol):
            names.add(symbol[found.end():found.end() + int(found[1])])
    return names


class Coverage(unittest.TestCase):
    def check_witness(self, witness: str) -> None:
        file, _, case = witness.partition(": ")
        self.assertTrue((TESTS / file).is_file(), witness)
        self.assertIn(case, cases(TESTS / file), file)

    def test_every_attribute_has_a_test(self):
        known = rows("config/attributes.tsv") + rows("config/own_attributes.tsv")
        attributes = [(row[0], row[1]) for row in known if row[1]]
        self.assertGreater(len(attributes), 400)
        table = rows("config/attributes_covered.tsv")
        used = set()
        for tag, attribute in attributes:
            found = next((k for k, row in enumerate(table)
                          if fnmatchcase(tag, row[0]) and fnmatchcase(attribute, row[1])), None)
            self.assertIsNotNone(found, f"nothing would notice <{tag} {attribute}=…>")
            used.add(found)
        unused = [table[k] for k in range(len(table)) if k not in used]
        self.assertEqual(unused, [], "rows that are for no attribute, or stand below a row for the same")
        for _, attribute, kind, witness in table:
            self.assertIn(kind, {"effect", "read", "none"}, attribute)
            if kind != "none":
                self.check_witness(witness)
        self.assertLessEqual(sum(row[2] == "read" for row in table), READ_ONLY)
        self.assertLessEqual(sum(row[2] == "none" for row in table), WITHOUT_EFFECT)

    def test_every_function_has_a_test(self):
        table = dict(rows("api/functions_covered.tsv"))
        self.assertEqual(set(table), public_functions())
        for witness in table.values():
            self.check_witness(witness)


if __name__ == "__main__":
    unittest.main()
