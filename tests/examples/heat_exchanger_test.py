# SPDX-License-Identifier: BSD-3-Clause
"""Three participants in one multi coupling: temperatures of a counterflow heat exchanger, whose error falls
with the square of the cells, and iterations that become few once the method knows the problem."""

from coupled import Run


def couple(refinement: int) -> Run:
    cells = {"Hot": 25, "Cold": 40, "Wall": 30}
    return Run("06-heat-exchanger", [], *((1, "exchanger", name, "CONFIG", count * refinement)
                                          for name, count in cells.items()))


coarse, fine = couple(2), couple(4)
for name in ("Hot", "Cold", "Wall"):
    errors = [run.number(f"{name} at t = 5: .*? off by") for run in (coarse, fine)]
    print(f"{name}: errors {errors[0]:.2e}, {errors[1]:.2e}")
    assert errors[1] < 0.02 and 3.5 < errors[0] / errors[1] < 4.5
for run in (coarse, fine):
    iterations = run.iterations["Wall"]
    print("iterations", iterations)
    assert iterations == run.iterations["Hot"] == run.iterations["Cold"]
    assert iterations[0] <= 30 and iterations[-1] <= 6
