# SPDX-License-Identifier: BSD-3-Clause
"""What a participant writes and reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from isthmus.native_arrays import coupler, to_doubles, to_ids

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from isthmus.native_arrays import Doubles


class DataCalls:
    """The calls of a Participant for data: values at vertices, and at positions that are mapped just in time.
    Local; ids refer to this rank."""

    _native: Any

    def get_data_dimensions(self, mesh_name: str, data_name: str) -> int:
        """Values per vertex: 1 for scalar data, the dimensions of the mesh for vector data. Error: the
        participant has no such mesh, or the mesh no such data."""
        return self._native.data_dimensions(mesh_name, data_name)

    def write_data(self, mesh_name: str, data_name: str, vertex_ids: ArrayLike, values: ArrayLike) -> None:
        """`values`: one per id for scalar data, rows of components for vector data. Zero is sent where
        nothing is written. Error: sizes that do not fit, an id that is not of this rank, a value that is not
        finite, data that this participant does not write, a coupling that has ended."""
        self._native.write_data(mesh_name, data_name, to_ids(vertex_ids), to_doubles(values))

    def read_data(self, mesh_name: str, data_name: str, vertex_ids: ArrayLike, relative_read_time: float,
                  out: Doubles | None = None) -> Doubles:
        """Values, one per id for scalar data, rows of components for vector data, at `relative_read_time`
        after the current time, in the unit of the configuration's times, 0 to get_max_time_step_size().
        Written to `out` (float64, C order) if it is given. Error: another time, an `out` of another size or
        type, an id that is not of this rank, data that this participant does not read, before
        initialize()."""
        ids = to_ids(vertex_ids)
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
        self._native.write_gradient_data(mesh_name, data_name, to_ids(vertex_ids), to_doubles(gradients))

    def write_and_map_data(self, mesh_name: str, data_name: str, coordinates: ArrayLike,
                           values: ArrayLike) -> None:
        """Just-in-time mapping to a received mesh. `coordinates`: rows, one per position; `values`: one per
        position for scalar data, rows of components for vector data. Error: sizes that do not fit, a position
        outside of the access region, no such mapping, a value that is not finite."""
        self._native.write_and_map_data(mesh_name, data_name, to_doubles(coordinates), to_doubles(values))

    def map_and_read_data(self, mesh_name: str, data_name: str, coordinates: ArrayLike,
                          relative_read_time: float, out: Doubles | None = None) -> Doubles:
        """Values of a received mesh, one per position for scalar data, rows of components for vector data,
        mapped just in time, at `relative_read_time` after the current time, in the unit of the
        configuration's times, 0 to get_max_time_step_size(). `coordinates`: rows, one per position. Written
        to `out` (float64, C order) if it is given. Error: another time, an `out` of another size or type, a
        position outside of the access region, no such mapping."""
        points = to_doubles(coordinates)
        count = points.size // self._native.mesh_dimensions(mesh_name)
        values = self._values(mesh_name, data_name, count, out)
        self._native.map_and_read_data(mesh_name, data_name, points, relative_read_time, values)
        return values

    def _values(self, mesh: str, data: str, count: int, out: Doubles | None) -> Doubles:
        import numpy as np

        components = self.get_data_dimensions(mesh, data)
        if out is None:
            return np.empty(count if components == 1 else (count, components))
        if out.size != count * components or out.dtype != np.float64 or not out.flags.c_contiguous:
            raise coupler.Error(f"out must be a float64 array in C order of {count * components} values for "
                                f'data "{data}" of mesh "{mesh}"; it has {out.size} of type {out.dtype}')
        return out
