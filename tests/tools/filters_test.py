# SPDX-License-Identifier: BSD-3-Clause
"""A test program fails where a filter fits nothing that it has: filters_test.py PROGRAM SOURCE PROGRAM SOURCE

One program has MPI and one has none; each has cases in its source."""

import subprocess
import sys
import unittest

PROGRAMS: list[tuple[str, str]] = []


def ended(program: str, *arguments: str) -> tuple[int, set[str]]:
    """How it ended, and the first words of its complaints."""
    run = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=1500)
    return run.returncode, {line.split(":")[0] for line in run.stdout.splitlines() if " NOTHING:" in line
                            or line.startswith("NOTHING RAN:")}


class Filters(unittest.TestCase):
    def test_a_filter_that_fits_nothing_fails(self):
        for program, _ in PROGRAMS:
            for option in ("-tc", "-sf", "-ts", "--test-case", "--source-file", "--test-suite"):
                said = ended(program, f"{option}=*no such*")
                self.assertEqual(said, (1, {"NOTHING RAN", "FITS NOTHING"}), option)

    def test_each_pattern_of_a_filter_fits_something(self):
        for program, source in PROGRAMS:
            self.assertEqual(ended(program, f"-sf=*no such*,*{source}"), (1, {"FITS NOTHING"}))
            self.assertEqual(ended(program, f"-sf=*{source}", "-sfe=*no such*"), (1, {"FITS NOTHING"}))
            self.assertEqual(ended(program, f"-sf=*{source.upper()},*????{source[4:]}"), (0, set()))

    def test_filters_that_leave_nothing_fail(self):
        for program, source in PROGRAMS:
            self.assertEqual(ended(program, f"-sf=*{source}", "-tce=*"), (1, {"NOTHING RAN"}))

    def test_cases_may_be_listed_or_counted_in_vain(self):
        for program, _ in PROGRAMS:
            for option in ("-ltc", "-c"):
                self.assertEqual(ended(program, "-tc=*no such*", option), (0, set()))


if __name__ == "__main__":
    PROGRAMS += zip(sys.argv[1::2], sys.argv[2::2], strict=True)
    unittest.main(argv=sys.argv[:1])
