# SPDX-License-Identifier: BSD-3-Clause
"""Particles that a fluid slows down: the law for still fluid, of second order; momentum of both together."""

import sys

from coupled import EXAMPLES, Run

FOLDER = EXAMPLES / "11-particles"


NEAREST = (r"<mapping:rbf-pum-direct (\S+ \S+ \S+) polynomial=.*?</mapping:rbf-pum-direct>",
           r"<mapping:nearest-neighbor \1 />")  # keeps still fluid even


def couple(vortices: float, window: float, end: float, *changes: tuple[str, str]) -> Run:
    run = Run("11-particles", [*changes, ('max-time value="4"', f'max-time value="{end}"'),
                               ('window-size value="0.1"', f'window-size value="{window}"')],
              (1, sys.executable, FOLDER / "flow.py", "CONFIG", vortices),
              (1, sys.executable, FOLDER / "particles.py", "CONFIG"))
    for component in ("", r"\S+ "):
        fluid, particles, first = (run.number(f"{words} {component}") for words in
                                   ("Flow: momentum", "Particles: momentum", "at first"))
        assert fluid > 1 and abs(fluid + particles - first) < 1e-10
    return run


coarse, fine = (couple(0, window, 0.5, NEAREST).number("law for still fluid")
                for window in (0.1, 0.05))
print(f"still fluid: errors {coarse:.2e}, {fine:.2e}")
assert coarse < 3e-3 and 3.5 < coarse / fine < 4.5
among = couple(1, 0.1, 1).number("law for still fluid")
print(f"among vortices: {among:.2e}")
assert among < 5e-3
