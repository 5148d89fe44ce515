# SPDX-License-Identifier: BSD-3-Clause
"""Errors that end a command, and the exit codes that all commands share."""

OK = 0
FAILED = 1  # the work was done and something is wrong with it
USAGE = 2  # the request cannot be understood: arguments, files, missing programs
TIME_LIMIT = 124
INTERRUPTED = 130

EXIT_CODES = """\
exit codes:
  0    success
  1    the work failed: a check, a wrong configuration
  2    the request cannot be carried out: arguments, files, missing programs
  124  the time limit was reached
  130  interrupted (Ctrl-C)
  other: the code of the participant that failed first (128 + n: it was ended by signal n)
"""


class IsthmusError(Exception):
    """A message for the user; `code` becomes the exit code."""

    def __init__(self, message: str, code: int = USAGE):
        super().__init__(message)
        self.code = code
