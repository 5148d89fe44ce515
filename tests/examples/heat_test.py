# SPDX-License-Identifier: BSD-3-Clause
"""Heat in two plates. The scheme is exact for the solution, so meshes that match leave nothing but the
tolerances; every acceleration finds it, in so many iterations, and so do all numbers of ranks."""

from coupled import Run

FIXED = '<acceleration:constant><relaxation value="0.3" /></acceleration:constant>'
AITKEN = """<acceleration:aitken><initial-relaxation value="0.3" />
  <data name="Temperature" mesh="Neumann-Mesh" /></acceleration:aitken>"""
IMVJ = """<acceleration:IQN-IMVJ><initial-relaxation value="0.3" /><max-used-iterations value="30" />
  <time-windows-reused value="0" /><data name="Temperature" mesh="Neumann-Mesh" /></acceleration:IQN-IMVJ>"""


def couple(acceleration: str = "", ranks: tuple[int, int] = (1, 1), cells: tuple[int, int] = (16, 16)) -> Run:
    changes = [('max-time value="1"', 'max-time value="0.5"')]
    if acceleration:
        changes.append(("<acceleration:IQN-ILS>.*</acceleration:IQN-ILS>", acceleration))
    return Run("04-heat", changes, (ranks[0], "heat", "Dirichlet", "CONFIG", cells[0]),
               (ranks[1], "heat", "Neumann", "CONFIG", cells[1]))


def errors(run: Run) -> list[float]:
    return [run.number(f"{name} at .*? largest error") for name in ("Dirichlet", "Neumann")]


# What textbook implementations of the methods need for the same problem, without a coupler. IQN-IMVJ takes
# the first step of a window as preCICE does, which costs an iteration in the second and the third one.
KNOWN = {"constant": (FIXED, [16] * 5), "aitken": (AITKEN, [12] * 5), "IQN-ILS": ("", [10, 5, 3, 3, 3]),
         "IQN-IMVJ": (IMVJ, [10, 6, 4, 3, 3])}
for name, (words, known) in KNOWN.items():
    run = couple(words)
    iterations = run.iterations["Neumann"]
    print(f"{name}: iterations {iterations}, errors {errors(run)}")
    assert max(errors(run)) < 1e-6
    assert all(ours <= theirs for ours, theirs in zip(iterations, known, strict=True))

iterations = couple().iterations
for ranks in ((2, 1), (2, 3)):
    run = couple(ranks=ranks)
    print(f"{ranks[0]} and {ranks[1]} ranks: iterations {run.iterations['Neumann']}, errors {errors(run)}")
    assert max(errors(run)) < 1e-6 and run.iterations == iterations

coarse, fine = [max(errors(couple(cells=cells))) for cells in ((9, 12), (18, 24))]
print(f"meshes that do not match: errors {coarse:.2e}, {fine:.2e}")
assert fine < 3e-4 and coarse > 4 * fine
