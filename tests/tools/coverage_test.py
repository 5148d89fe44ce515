# SPDX-License-Identifier: BSD-3-Clause
"""Every attribute of the configuration, every function of the interface and every rule of what the library
does has a test that would notice if it did nothing: the tables config/attributes_covered.tsv,
api/functions_covered.tsv and rules_covered.tsv say which, and this test that it exists.

An attribute is noticed by its effect, or only where it is read (`read`), or has none and a reason for that
(`none`). Who shows an effect gives the attribute another value than the one that it has where it is left out;
who shows what a function does calls it. A rule that differs from preCICE's quotes the sentence of
docs/migration.md that says so."""

import functools
import itertools
import re
import unittest
from fnmatch import fnmatchcase
from pathlib import Path

TESTS = Path(__file__).parents[1]
CASE = re.compile(r'TEST_CASE\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)')
# Other values that do not stand behind the name of their attribute in the test.
WRITTEN_APART = {"lower-bound-[xyz]": '="1.7"', "upper-bound-[xyz]": '="0.6"',
                 "project-to-input": 'input="false"'}
REFUSED = {"coupling-scheme:*/acceleration:aitken/preconditioner"}  # as a whole
READ_ONLY = 0  # rows, not to grow without a reason
WITHOUT_EFFECT = 7
DIFFERENT = 16  # rules


def rows(name: str) -> list[list[str]]:
    return [line.split("\t") for line in (TESTS / name).read_text().splitlines()[1:]]


@functools.cache
def cases(file: Path) -> set[str]:
    """Names of the test cases; a name may be written in several strings."""
    return {"".join(re.findall(r'"((?:[^"\\]|\\.)*)"', found)).replace('\\"', '"')
            for found in CASE.findall(file.read_text())}


def text_of(file: str) -> str:
    """A test and what it includes of the tests, literals of several lines joined."""
    texts, found, left = [], set(), [file]
    while left:
        name = left.pop()
        if name in found or not (TESTS / name).is_file():
            continue
        found.add(name)
        texts.append((TESTS / name).read_text())
        for included in re.findall(r'#include "([^"]+\.hpp)"', texts[-1]):
            left += [included, included.replace(".hpp", ".cpp")]
    return re.sub(r'"\s*\n\s*R?"', "", "\n".join(texts)).replace('\\"', '"')


def gives_other_value(text: str, attribute: str, default: str, options: str) -> bool:
    values = re.findall(rf"""(?<![\w-]){attribute}=["']([^"']*)""", text)
    apart = [written for name, written in WRITTEN_APART.items() if fnmatchcase(attribute, name)]
    others = [f'"{option}"' for option in options.split(", ") if option not in {"", default}]
    return any(value != default for value in values) or any(part in text for part in apart + others)


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
        """A case in C++, a function in Python, or a whole script."""
        file, _, case = witness.partition(": ")
        self.assertTrue((TESTS / file).is_file(), witness)
        if file.endswith(".py"):
            self.assertRegex((TESTS / file).read_text(), rf"\bdef {case}\(", file)
        elif case or not file.endswith(".sh"):
            self.assertIn(case, cases(TESTS / file), file)

    def test_every_attribute_has_a_test(self):
        known = rows("config/attributes.tsv") + rows("config/own_attributes.tsv")
        attributes = [row for row in known if row[1]]
        self.assertGreater(len(attributes), 400)
        table = rows("config/attributes_covered.tsv")
        used, texts = set(), {}
        for tag, attribute, _, default, options in attributes:
            found = next((k for k, row in enumerate(table)
                          if fnmatchcase(tag, row[0]) and fnmatchcase(attribute, row[1])), None)
            self.assertIsNotNone(found, f"nothing would notice <{tag} {attribute}=…>")
            used.add(found)
            _, _, kind, witness = table[found]
            if kind == "effect" and not any(fnmatchcase(tag, refused) for refused in REFUSED):
                file = witness.partition(": ")[0]
                text = texts.setdefault(file, text_of(file))
                self.assertTrue(gives_other_value(text, attribute, default, options),
                                f"{file} leaves <{tag} {attribute}=…> as it is by default")
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
        for name, witness in table.items():
            function = name.lstrip("~")
            self.check_witness(witness)
            native = re.sub("[A-Z]", lambda found: "_" + found[0].lower(), function.replace("IDs", "Ids"))
            text = text_of(witness.partition(": ")[0])
            self.assertTrue(function in text or native in text, f"{witness} does not call {name}()")

    def test_every_rule_has_a_test_or_is_named_as_a_difference(self):
        table = rows("rules_covered.tsv")
        named = " ".join((TESTS.parent / "docs/migration.md").read_text().split())
        self.assertGreater(len(table), 200)
        self.assertEqual(len({rule for _, rule, _ in table}), len(table), "a rule stands twice")
        topics = [topic for topic, _, _ in table]
        self.assertEqual(sorted(set(topics), key=topics.index), [t for t, _ in itertools.groupby(topics)])
        for _, rule, witness in table:
            kind, _, sentence = witness.partition(": ")
            if kind == "differs":
                self.assertTrue(sentence in named, f"{rule}: docs/migration.md does not say \"{sentence}\"")
                self.assertTrue(sentence.endswith("."), rule)
            else:
                self.check_witness(witness)
        self.assertLessEqual(sum(witness.startswith("differs: ") for _, _, witness in table), DIFFERENT)


if __name__ == "__main__":
    unittest.main()
