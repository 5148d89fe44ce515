# SPDX-License-Identifier: BSD-3-Clause
"""Iterations of the elastic tube, beside those of a textbook quasi-Newton method that runs fluid and wall in
one program: as many where nothing is reused, hardly more where eight windows are."""

from coupled import Run


def couple(*changes: tuple[str, str]) -> list[int]:
    run = Run("05-elastic-tube", list(changes), (1, "fluid", "CONFIG"), (1, "solid", "CONFIG"))
    assert abs(run.number("Fluid at t = 1: in") - 10) < 1e-4
    assert abs(run.number("cross sections") - 0.97706) < 2e-4
    return run.iterations["Solid"]


for words, known, reused in (("eight windows reused", 681, 8), ("nothing reused", 1173, 0)):
    iterations = couple(('windows-reused value="8"', f'windows-reused value="{reused}"'))
    print(f"{words}: {sum(iterations)} iterations in {len(iterations)} windows, textbook {known}")
    assert len(iterations) == 100 and iterations[0] <= 12
    assert sum(iterations) <= 1.01 * known
