# SPDX-License-Identifier: BSD-3-Clause
"""The loops over faces are vector instructions, with no more divisions and roots per face than fluxes need:
instructions_test.py OBJDUMP LIBRARY

Each function has a loop in a plane and one in space, whose instructions are counted in the widest vectors."""

import re
import subprocess
import sys
from collections import Counter, defaultdict

# function: divisions and roots of both loops together
MOST = {"first": (4, 6), "second": (4, 6), "limited": (13, 6), "first_slow": (8, 6), "second_slow": (8, 6),
        "limited_slow": (17, 6), "laminar": (2, 0), "turbulent": (2, 0)}
WIDEST = {"avx512f": "zmm", "fma": "ymm", "default": "xmm"}


def packed(objdump: str, library: str) -> dict[tuple[str, str], Counter[str]]:
    """Divisions, roots and products in vectors by function and kind of processor."""
    command = [objdump, "-d", "-C", "--no-show-raw-insn", library]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    where = None  # function and kind
    for line in text.splitlines():
        if head := re.match(r"[0-9a-f]+ <(.*)>:$", line):
            clone = re.search(r"::(\w+)\(isthmus::flow::FaceRow const&.*\[clone \.(\w+)\]$", head[1])
            where = (clone[1], clone[2]) if clone and clone[2] in WIDEST else None
        elif where and (work := re.match(r"\s*[0-9a-f]+:\s+v?(div|sqrt|mul)pd\s.*%([xyz]mm)", line)):
            found[where][work[1]] += work[2] == WIDEST[where[1]]
    return found


def main() -> int:
    found = packed(sys.argv[1], sys.argv[2])
    wrong = []
    for function, (divisions, roots) in MOST.items():
        for kind in WIDEST:
            here = found[function, kind]
            print(function, kind, dict(here))
            if here["mul"] == 0 or here["div"] > divisions or here["sqrt"] > roots:
                most = f"{divisions} divisions, {roots} roots"
                wrong.append(f"{function}, {kind}: more than {most}, or no vectors")
    print("\n".join(wrong))
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main())
