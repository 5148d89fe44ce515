# SPDX-License-Identifier: BSD-3-Clause
"""One module per command: `add_arguments(parser)` and `execute(options) -> exit code`."""
