# SPDX-License-Identifier: BSD-3-Clause
"""Runs all participants of a coupled case: `case` what, `job` one process, `supervisor` all of them."""

from isthmus.run.case import Case, Program, load
from isthmus.run.folder import is_case_folder, load_folder
from isthmus.run.report import report
from isthmus.run.supervisor import Outcome, run

__all__ = ["Case", "Outcome", "Program", "is_case_folder", "load", "load_folder", "report", "run"]
