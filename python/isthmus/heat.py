# SPDX-License-Identifier: BSD-3-Clause
"""The strongly coupled part of the demo: heat in two plates with a known solution, in parallel, once with
each acceleration. The solver is the one of examples/04-heat."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from isthmus import run_logs
from isthmus.errors import IsthmusError
from isthmus.run import Case, Program, report, run
from isthmus.run.residuals import Board

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "04-heat" / "config.xml"
NAMES = ("Dirichlet", "Neumann")
TIMEOUT = 1800.0  # seconds for one run, however busy the machine is: for a hang


def _secant_method(name: str, reused: int) -> str:
    return f"""<acceleration:{name}>
      <initial-relaxation value="0.3" />
      <max-used-iterations value="30" />
      <time-windows-reused value="{reused}" />
      <data name="Temperature" mesh="Neumann-Mesh" />
    </acceleration:{name}>"""


ACCELERATIONS = {
    "constant": '<acceleration:constant><relaxation value="0.3" /></acceleration:constant>',
    "Aitken": '<acceleration:aitken><initial-relaxation value="0.3" />'
              '<data name="Temperature" mesh="Neumann-Mesh" /></acceleration:aitken>',
    "IQN-ILS": _secant_method("IQN-ILS", 3),
    "IQN-IMVJ": _secant_method("IQN-IMVJ", 0),
}


@dataclass
class Heat:
    """One coupled run."""

    acceleration: str
    seconds: float
    iterations: np.ndarray  # per time window
    residuals: run_logs.RunLog
    fields: dict[str, list[np.ndarray]]  # by participant, of each rank: rows of x, y, u, exact u

    def error(self, name: str) -> float:
        """Largest of one participant."""
        return max(np.abs(rank[:, 2] - rank[:, 3]).max() for rank in self.fields[name])


def couple_all(out: Path, ranks: tuple[int, int], cells: tuple[int, int]) -> list[Heat]:
    """One run after the other; the residuals of all are shown while they go on."""
    with Board("residuals of the temperature and the flux between both plates") as board:
        return [couple(out / name, name, ranks, cells, board) for name in ACCELERATIONS]


def couple(folder: Path, acceleration: str, ranks: tuple[int, int], cells: tuple[int, int],
           board: Board) -> Heat:
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for old in [*folder.glob("precice-*.log"), *folder.glob("*.csv")]:
        old.unlink()
    (folder / "config.xml").write_text(_configuration(acceleration))
    programs = [Program(name, ["isthmus-heat", name, "config.xml", str(n), "."], count, folder)
                for name, count, n in zip(NAMES, ranks, cells, strict=True)]
    env = {"OMPI_MCA_mpi_yield_when_idle": "1"}  # ranks that wait leave the processor to others
    case = Case(f"heat, {acceleration}", programs, folder, env, timeout=TIMEOUT)
    residuals = folder / "precice-Neumann-convergence.log"
    outcome = run(case, display=board.add(acceleration, residuals))
    if outcome.code:
        report(case, outcome)
        raise IsthmusError(f"the run in {folder} failed", outcome.code)
    fields = {name: [np.loadtxt(folder / f"{name}-{rank}.csv", delimiter=",", skiprows=1)
                     for rank in range(count)] for name, count in zip(NAMES, ranks, strict=True)}
    iterations = run_logs.read(folder / "precice-Neumann-iterations.log")["Iterations"]
    return Heat(acceleration, outcome.elapsed, iterations, run_logs.read(residuals), fields)


def _configuration(acceleration: str) -> str:
    """That of the example, with another acceleration."""
    try:
        text = EXAMPLE.read_text()
    except OSError as error:
        raise IsthmusError(f"{EXAMPLE}: {error.strerror}; the demo runs in the source tree") from error
    pattern = r"<acceleration:(\S+)>.*</acceleration:\1>"
    return re.sub(pattern, ACCELERATIONS[acceleration], text, flags=re.DOTALL)
