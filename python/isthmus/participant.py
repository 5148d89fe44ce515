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

from isthmus.native import load

if TYPE_CHECKING:
    from types import TracebackType

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Doubles = NDArray[np.float64]
    Ids = NDArray[np.int32]

_native = load("_participant")
Error = _native.Error


def get_version_information() -> str:
    """Version, revision and features, separated by semicolons."""
    return _native.version_information()


class Participant:
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
        self._native = _native.Participant(solver_name, os.fspath(configuration_file_name),
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

    def get_mesh_dimensions(self, mesh_name: str) -> int:
        """2 or 3. Error: the participant has no such mesh."""
        return self._native.mesh_dimensions(mesh_name)

    def get_data_dimensions(self, mesh_name: str, data_name: str) -> int:
        """Values per vertex: 1 for scalar data, the dimensions of the mesh for vector data. Error: the
        participant has no such mesh, or the mesh no such data."""
        return self._native.data_dimensions(mesh_name, data_name)

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

    # Meshes

    def requires_mesh_connectivity_for(self, mesh_name: str) -> bool:
        """Whether somebody needs the edges, triangles or tetrahedra of a provided mesh; otherwise they are
        ignored. Error: a mesh that is not provided."""
        return self._native.requires_mesh_connectivity_for(mesh_name)

    def set_mesh_vertex(self, mesh_name: str, position: ArrayLike) -> int:
        """The id of a new vertex. `position`: as many coordinates as the mesh has dimensions. Error: another
        number, a coordinate that is not finite, a mesh that is not provided, or locked by initialize()."""
        return int(self.set_mesh_vertices(mesh_name, _doubles(position).reshape(1, -1))[0])

    def set_mesh_vertices(self, mesh_name: str, positions: ArrayLike) -> Ids:
        """The ids of new vertices, an int32 array. `positions`: rows of coordinates, one per vertex. Error:
        rows of another length, a coordinate that is not finite, a mesh that is not provided, or locked by
        initialize()."""
        import numpy as np

        points = _doubles(positions)
        columns = self.get_mesh_dimensions(mesh_name)
        if points.size and points.shape[-1] != columns and points.ndim > 1:
            raise Error(f"set_mesh_vertices(): rows of {points.shape[-1]} coordinates for mesh "
                        f'"{mesh_name}", which has {columns} dimensions')
        ids = np.empty(points.size // columns, np.int32)
        self._native.set_mesh_vertices(mesh_name, points, ids)
        return ids

    def get_mesh_vertex_size(self, mesh_name: str) -> int:
        """The vertices on this rank of a provided mesh, or of a received one in the access region. Error: no
        such mesh, a received one without access or before initialize()."""
        return self._native.mesh_vertex_size(mesh_name)

    def set_mesh_edge(self, mesh_name: str, first_vertex_id: int, second_vertex_id: int) -> None:
        """An edge between 2 vertices. Error: an id that is not of this rank, the same twice, a mesh that is
        not provided, or locked by initialize()."""
        self.set_mesh_edges(mesh_name, [first_vertex_id, second_vertex_id])

    def set_mesh_edges(self, mesh_name: str, vertices: ArrayLike) -> None:
        """`vertices`: rows of 2 ids, one per edge. Error: ids that are not of this rank, the same twice in an
        edge, a mesh that is not provided, or locked by initialize()."""
        self._native.set_mesh_edges(mesh_name, _ids(vertices))

    def set_mesh_triangle(self, mesh_name: str, first_vertex_id: int, second_vertex_id: int,
                          third_vertex_id: int) -> None:
        """A triangle of 3 vertices. Error: an id that is not of this rank, the same twice, a mesh that is not
        provided, or locked by initialize()."""
        self.set_mesh_triangles(mesh_name, [first_vertex_id, second_vertex_id, third_vertex_id])

    def set_mesh_triangles(self, mesh_name: str, vertices: ArrayLike) -> None:
        """`vertices`: rows of 3 ids, one per triangle. Error: ids that are not of this rank, the same twice
        in a triangle, a mesh that is not provided, or locked by initialize()."""
        self._native.set_mesh_triangles(mesh_name, _ids(vertices))

    def set_mesh_quad(self, mesh_name: str, first_vertex_id: int, second_vertex_id: int,
                      third_vertex_id: int, fourth_vertex_id: int) -> None:
        """A convex quad of 4 vertices, in the order around it. Error: an id that is not of this rank, the
        same twice, another shape, a mesh that is not provided, or locked by initialize()."""
        self.set_mesh_quads(mesh_name, [first_vertex_id, second_vertex_id, third_vertex_id, fourth_vertex_id])

    def set_mesh_quads(self, mesh_name: str, vertices: ArrayLike) -> None:
        """`vertices`: rows of 4 ids, one per convex quad, in the order around it. Error: ids that are not of
        this rank, the same twice in a quad, another shape, a mesh that is not provided, or locked by
        initialize()."""
        self._native.set_mesh_quads(mesh_name, _ids(vertices))

    def set_mesh_tetrahedron(self, mesh_name: str, first_vertex_id: int, second_vertex_id: int,
                             third_vertex_id: int, fourth_vertex_id: int) -> None:
        """A tetrahedron of 4 vertices. Error: an id that is not of this rank, the same twice, a mesh of 2
        dimensions, a mesh that is not provided, or locked by initialize()."""
        self.set_mesh_tetrahedra(mesh_name,
                                 [first_vertex_id, second_vertex_id, third_vertex_id, fourth_vertex_id])

    def set_mesh_tetrahedra(self, mesh_name: str, vertices: ArrayLike) -> None:
        """`vertices`: rows of 4 ids, one per tetrahedron. Error: ids that are not of this rank, the same
        twice in a tetrahedron, a mesh of 2 dimensions, a mesh that is not provided, or locked by
        initialize()."""
        self._native.set_mesh_tetrahedra(mesh_name, _ids(vertices))

    def reset_mesh(self, mesh_name: str) -> None:
        """Empties a provided mesh, to be defined anew before the next advance(), which must end the time
        window. All ranks call it, also those whose part stays the same. Error: a window that is not complete,
        a configuration without allow-remeshing."""
        self._native.reset_mesh(mesh_name)

    # Data

    def write_data(self, mesh_name: str, data_name: str, vertex_ids: ArrayLike, values: ArrayLike) -> None:
        """`values`: one per id for scalar data, rows of components for vector data. Zero is sent where
        nothing is written. Error: sizes that do not fit, an id that is not of this rank, a value that is not
        finite, data that this participant does not write, a coupling that has ended."""
        self._native.write_data(mesh_name, data_name, _ids(vertex_ids), _doubles(values))

    def read_data(self, mesh_name: str, data_name: str, vertex_ids: ArrayLike, relative_read_time: float,
                  out: Doubles | None = None) -> Doubles:
        """Values, one per id for scalar data, rows of components for vector data, at `relative_read_time`
        after the current time, in the unit of the configuration's times, 0 to get_max_time_step_size().
        Written to `out` (float64, C order) if it is given. Error: another time, an `out` of another size or
        type, an id that is not of this rank, data that this participant does not read, before
        initialize()."""
        ids = _ids(vertex_ids)
        values = self._values(mesh_name, data_name, ids.size, out)
        self._native.read_data(mesh_name, data_name, ids, relative_read_time, values)
        return values

    def requires_gradient_data_for(self, mesh_name: str, data_name: str) -> bool:
        """Whether a mapping needs the gradients of these data. Error: no such mesh or data."""
        return self._native.requires_gradient_data_for(mesh_name, data_name)

    def write_gradient_data(self, mesh_name: str, data_name: str, vertex_ids: ArrayLike,
                            gradients: ArrayLike) -> None:
        """`gradients`: a row per id, the derivative along each axis, of one component after the other.
        Ignored where they are not required. Error: sizes that do not fit, an id that is not of this rank, a
        value that is not finite, data that this participant does not write."""
        self._native.write_gradient_data(mesh_name, data_name, _ids(vertex_ids), _doubles(gradients))

    def write_and_map_data(self, mesh_name: str, data_name: str, coordinates: ArrayLike,
                           values: ArrayLike) -> None:
        """Just-in-time mapping to a received mesh. `coordinates`: rows, one per position; `values`: one per
        position for scalar data, rows of components for vector data. Error: sizes that do not fit, a position
        outside of the access region, no such mapping, a value that is not finite."""
        self._native.write_and_map_data(mesh_name, data_name, _doubles(coordinates), _doubles(values))

    def map_and_read_data(self, mesh_name: str, data_name: str, coordinates: ArrayLike,
                          relative_read_time: float, out: Doubles | None = None) -> Doubles:
        """Values of a received mesh, one per position for scalar data, rows of components for vector data,
        mapped just in time, at `relative_read_time` after the current time, in the unit of the
        configuration's times, 0 to get_max_time_step_size(). `coordinates`: rows, one per position. Written
        to `out` (float64, C order) if it is given. Error: another time, an `out` of another size or type, a
        position outside of the access region, no such mapping."""
        points = _doubles(coordinates)
        values = self._values(mesh_name, data_name, points.size // self.get_mesh_dimensions(mesh_name), out)
        self._native.map_and_read_data(mesh_name, data_name, points, relative_read_time, values)
        return values

    def set_mesh_access_region(self, mesh_name: str, bounding_box: ArrayLike) -> None:
        """The part of a received mesh that this rank is given; not needed where a mapping tells it.
        `bounding_box`: the least and the greatest coordinate of each axis: x0, x1, y0, y1 and in 3D z0, z1.
        Error: after initialize(), a second call for a mesh, another size, a mesh that is not received with
        api-access."""
        self._native.set_mesh_access_region(mesh_name, _doubles(bounding_box))

    def get_mesh_vertex_ids_and_coordinates(self, mesh_name: str) -> tuple[Ids, Doubles]:
        """Ids and rows of coordinates of what a received mesh has in the access region. Error: a mesh that is
        not received with api-access, before initialize()."""
        import numpy as np

        ids = np.empty(self.get_mesh_vertex_size(mesh_name), np.int32)
        positions = np.empty((ids.size, self.get_mesh_dimensions(mesh_name)))
        self._native.mesh_vertex_ids_and_coordinates(mesh_name, ids, positions)
        return ids, positions

    # Sections of the user's own in the profile

    def start_profiling_section(self, section_name: str) -> None:
        """Opens a section of the profile, inside of those that are open. Error: a name with a slash."""
        self._native.start_profiling_section(section_name)

    def stop_last_profiling_section(self) -> None:
        """Closes the section that was opened last. Error: none is open."""
        self._native.stop_last_profiling_section()

    def _values(self, mesh: str, data: str, count: int, out: Doubles | None) -> Doubles:
        import numpy as np

        components = self.get_data_dimensions(mesh, data)
        if out is None:
            return np.empty(count if components == 1 else (count, components))
        if out.size != count * components or out.dtype != np.float64 or not out.flags.c_contiguous:
            raise Error(f'out must be a float64 array in C order of {count * components} values for data '
                        f'"{data}" of mesh "{mesh}"; it has {out.size} of type {out.dtype}')
        return out


def _doubles(values: ArrayLike) -> Doubles:
    import numpy as np

    return np.ascontiguousarray(values, dtype=np.float64)


def _ids(values: ArrayLike) -> Ids:
    import numpy as np

    return np.ascontiguousarray(values, dtype=np.int32)


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
