# SPDX-License-Identifier: BSD-3-Clause
"""Stands in for the C++ program isthmus-config-check: a fixed answer, or an error for a file with "wrong"."""

import sys
from pathlib import Path

HERE = Path(__file__).parents[1]
if "wrong" in Path(sys.argv[1]).read_text():
    print(f'{sys.argv[1]}:3: mesh "Fluid-Mesh" is not known; did you mean "Fluid"?', file=sys.stderr)
    sys.exit(1)
if len(sys.argv) > 2:
    print("note: gaussian is not there yet", file=sys.stderr)
print((HERE / "data" / "described.json").read_text())
