# SPDX-License-Identifier: BSD-3-Clause
"""The coupler for Python solvers, with NumPy arrays and the method names of pyprecice 3.

Arrays of the right type (float64, int32 ids, C order) are used in place, others are converted. NumPy is
imported by the first call that needs it, MPI is initialized only for participants of several ranks.
"""

from __future__ import annotations

import atexit
import os
import sys
import weakref
from typing import TYPE_CHECKING, Any

from isthmus.data_calls import DataCalls
from isthmus.mesh_calls import MeshCalls
from isthmus.native_arrays import coupler

if TYPE_CHECKING:
    from types import TracebackType

Error = coupler.Error


def get_version_information() -> str:
    """Version, revision and features, separated by semicolons."""
    return coupler.version_information()


class Participant(MeshCalls, DataCalls):
    """One participant of a coupled run, as one of its ranks sees it. All errors are isthmus.Error.

    Order of calls: construct, set meshes, write initial data if required, initialize(); then, while
    is_coupling_ongoing(): read, solve, write, advance(dt); finalize(). As a context manager it finalizes
    itself, or, if its block raises, ends all partners with the text of that exception:

        with isthmus.Participant("Solid", "precice-config.xml") as solid:
            ids = solid.set_mesh_vertices("Solid-Mesh", points)
            solid.initialize()
            while solid.is_coupling_ongoing():
                dt = solid.get_max_time_step_size()
                loads = solid.read_data("Solid-Mesh", "Force", ids, dt)
                solid.write_data("Solid-Mesh", "Displacement", ids, step(loads, dt))
                solid.advance(dt)

    Calls that may wait for others (the constructor, initialize, advance, finalize) let other Python threads
    run: one process may hold several serial participants, each in a thread of its own.
    """

    def __init__(self, solver_name: str, configuration_file_name: str | os.PathLike[str],
                 solver_process_index: int | None = None, solver_process_size: int | None = None,
                 communicator: Any = None) -> None:
        """Collective over the ranks of the participant. Rank and number of ranks: those of `communicator` (of
        mpi4py) if it is given, else 0 of 1. Error: no such file or participant, a configuration that is not
        valid, a rank that is not 0 to size - 1, a communicator that is not of mpi4py."""
        self._native = coupler.Participant(solver_name, os.fspath(configuration_file_name),
                                           solver_process_index, solver_process_size, communicator)
        self._finalized = False
        atexit.register(_leave_at_exit, weakref.ref(self))

    def __enter__(self) -> Participant:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if error is not None:
            self._native.give_up(_last_word(error))
        elif not self._finalized:
            self.finalize()

    # Steering

    def initialize(self) -> None:
        """Collective. Connects to all partners, exchanges and maps the meshes, sends initial data. Error:
        required initial data are missing, a partner does not come within ISTHMUS_TIMEOUT seconds or fails, a
        second call."""
        self._native.initialize()

    def advance(self, computed_timestep_length: float) -> None:
        """Collective. After each step of the solver: maps and sends what it wrote and receives what comes
        next. `computed_timestep_length`: the time it advanced, in the unit of the configuration's times,
        above 0 and at most get_max_time_step_size(). Error: another `computed_timestep_length`, a checkpoint
        that was not asked for, a coupling that has ended, a partner that failed."""
        self._native.advance(computed_timestep_length)

    def finalize(self) -> None:
        """Collective. Ends the participation when the partners have all that was sent to them; called by
        itself at the end of a `with` block. Error: a second call, a partner that failed."""
        self._native.finalize()
        self._finalized = True

    def give_up(self, reason: str) -> None:
        """Local. Ends the coupling; all partners stop with `reason`."""
        self._native.give_up(reason)

    # Restart

    def save_restart(self) -> None:
        """Collective. Writes a restart file; to be called by all participants. Error: not directly after an
        advance() that completed a time window."""
        self._native.save_restart()

    def get_restarted_window(self) -> int:
        """The time windows that were completed in an earlier run which this one continues; 0 in a new one."""
        return self._native.restarted_window()

    def get_restarted_time(self) -> float:
        """The time at which this run continues, in the unit of the configuration's times; known after
        initialize()."""
        return self._native.restarted_time()

    # Status

    def is_coupling_ongoing(self) -> bool:
        """Whether there is a step to compute. Error: before initialize()."""
        return self._native.is_coupling_ongoing()

    def is_time_window_complete(self) -> bool:
        """Whether the last advance() ended a time window that is not repeated. Error: before initialize()."""
        return self._native.is_time_window_complete()

    def get_max_time_step_size(self) -> float:
        """The time to the end of the window, in the unit of the configuration's times: what the next step may
        have at most. 0 after the end. Error: before initialize()."""
        return self._native.max_time_step_size()

    def requires_initial_data(self) -> bool:
        """Whether data must be written before initialize(), which refuses to start where this was not asked.
        Error: after initialize()."""
        return self._native.requires_initial_data()

    def requires_writing_checkpoint(self) -> bool:
        """Whether the solver must save its state now; to be asked after initialize() and each advance().
        Error: before initialize()."""
        return self._native.requires_writing_checkpoint()

    def requires_reading_checkpoint(self) -> bool:
        """Whether the window is repeated, so that the solver must return to the state it saved; to be asked
        after each advance(). Error: before initialize()."""
        return self._native.requires_reading_checkpoint()

    def get_statistics(self) -> dict[str, Any]:
        """Messages, bytes and seconds of waiting of this rank so far, and its partners."""
        return self._native.statistics()

    # Sections of the user's own in the profile

    def start_profiling_section(self, section_name: str) -> None:
        """Opens a section of the profile, inside of those that are open. Error: a name with a slash."""
        self._native.start_profiling_section(section_name)

    def stop_last_profiling_section(self) -> None:
        """Closes the section that was opened last. Error: none is open."""
        self._native.stop_last_profiling_section()


def _last_word(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _leave_at_exit(reference: weakref.ref[Participant]) -> None:
    """Ends what a script left open, while MPI and the partners still listen: with the exception that ended
    the script, if there is one."""
    participant = reference()
    if participant is None or participant._finalized:
        return
    error = getattr(sys, "last_value", None)
    if error is not None:
        participant._native.give_up(_last_word(error))
    del participant._native
