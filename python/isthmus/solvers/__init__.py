# SPDX-License-Identifier: BSD-3-Clause
"""The solvers from Python: each starts its program, follows its lines and reads its files."""
