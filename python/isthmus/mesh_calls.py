# SPDX-License-Identifier: BSD-3-Clause
"""What a participant says and asks about its meshes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from isthmus.native_arrays import coupler, to_doubles, to_ids

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from isthmus.native_arrays import Doubles, Ids


class MeshCalls:
    """The calls of a Participant for meshes: those that it provides, and those that it receives with direct
    access. Local; ids refer to this rank."""

    _native: Any

    def get_mesh_dimensions(self, mesh_name: str) -> int:
        """2 or 3. Error: the participant has no such mesh."""
        return self._native.mesh_dimensions(mesh_name)

    def requires_mesh_connectivity_for(self, mesh_name: str) -> bool:
        """Whether somebody needs the edges, triangles or tetrahedra of a mesh; otherwise they are
        ignored. Error: a mesh that is neither provided nor received."""
        return self._native.requires_mesh_connectivity_for(mesh_name)

    def set_mesh_vertex(self, mesh_name: str, position: ArrayLike) -> int:
        """The id of a new vertex. `position`: as many coordinates as the mesh has dimensions. Error: another
        number, a coordinate that is not finite, a mesh that is not provided, or locked by initialize()."""
        return int(self.set_mesh_vertices(mesh_name, to_doubles(position).reshape(1, -1))[0])

    def set_mesh_vertices(self, mesh_name: str, positions: ArrayLike) -> Ids:
        """The ids of new vertices, an int32 array. `positions`: rows of coordinates, one per vertex. Error:
        rows of another length, a coordinate that is not finite, a mesh that is not provided, or locked by
        initialize()."""
        import numpy as np

        points = to_doubles(positions)
        columns = self.get_mesh_dimensions(mesh_name)
        if points.size and points.shape[-1] != columns and points.ndim > 1:
            raise coupler.Error(f"set_mesh_vertices(): rows of {points.shape[-1]} coordinates for mesh "
                                f'"{mesh_name}", which has {columns} dimensions')
        ids = np.empty(points.size // columns, np.int32)
        self._native.set_mesh_vertices(mesh_name, points, ids)
        return ids

    def get_mesh_vertex_size(self, mesh_name: str) -> int:
        """The vertices on this rank of a provided mesh, of a received one those in the access region, or
        without access those that its mappings need. Error: no such mesh, a received one before
        initialize()."""
        return self._native.mesh_vertex_size(mesh_name)

    def set_mesh_edge(self, mesh_name: str, first_vertex_id: int, second_vertex_id: int) -> None:
        """An edge between 2 vertices. Error: an id that is not of this rank, the same twice, a mesh that is
        not provided, or locked by initialize()."""
        self.set_mesh_edges(mesh_name, [first_vertex_id, second_vertex_id])

    def set_mesh_edges(self, mesh_name: str, vertices: ArrayLike) -> None:
        """`vertices`: rows of 2 ids, one per edge. Error: ids that are not of this rank, the same twice in an
        edge, a mesh that is not provided, or locked by initialize()."""
        self._native.set_mesh_edges(mesh_name, to_ids(vertices))

    def set_mesh_triangle(self, mesh_name: str, first_vertex_id: int, second_vertex_id: int,
                          third_vertex_id: int) -> None:
        """A triangle of 3 vertices. Error: an id that is not of this rank, the same twice, a mesh that is not
        provided, or locked by initialize()."""
        self.set_mesh_triangles(mesh_name, [first_vertex_id, second_vertex_id, third_vertex_id])

    def set_mesh_triangles(self, mesh_name: str, vertices: ArrayLike) -> None:
        """`vertices`: rows of 3 ids, one per triangle. Error: ids that are not of this rank, the same twice
        in a triangle, a mesh that is not provided, or locked by initialize()."""
        self._native.set_mesh_triangles(mesh_name, to_ids(vertices))

    def set_mesh_quad(self, mesh_name: str, first_vertex_id: int, second_vertex_id: int,
                      third_vertex_id: int, fourth_vertex_id: int) -> None:
        """A convex quad of 4 vertices, in the order around it. Error: an id that is not of this rank, the
        same twice, another shape, a mesh that is not provided, or locked by initialize()."""
        self.set_mesh_quads(mesh_name, [first_vertex_id, second_vertex_id, third_vertex_id, fourth_vertex_id])

    def set_mesh_quads(self, mesh_name: str, vertices: ArrayLike) -> None:
        """`vertices`: rows of 4 ids, one per convex quad, in the order around it. Error: ids that are not of
        this rank, the same twice in a quad, another shape, a mesh that is not provided, or locked by
        initialize()."""
        self._native.set_mesh_quads(mesh_name, to_ids(vertices))

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
        self._native.set_mesh_tetrahedra(mesh_name, to_ids(vertices))

    def reset_mesh(self, mesh_name: str) -> None:
        """Empties a provided mesh, to be defined anew before the next advance(), which must end the time
        window. All ranks call it, also those whose part stays the same. Error: a window that is not complete,
        a configuration without allow-remeshing."""
        self._native.reset_mesh(mesh_name)

    def set_mesh_access_region(self, mesh_name: str, bounding_box: ArrayLike) -> None:
        """The part of a received mesh that this rank is given; not needed where a mapping tells it.
        `bounding_box`: the least and the greatest coordinate of each axis: x0, x1, y0, y1 and in 3D z0, z1.
        Error: after initialize(), a second call for a mesh, another size, a mesh that is not received with
        api-access."""
        self._native.set_mesh_access_region(mesh_name, to_doubles(bounding_box))

    def get_mesh_vertex_ids_and_coordinates(self, mesh_name: str) -> tuple[Ids, Doubles]:
        """Ids and rows of coordinates of what a received mesh has in the access region. Error: a mesh that is
        not received with api-access, before initialize()."""
        import numpy as np

        ids = np.empty(self.get_mesh_vertex_size(mesh_name), np.int32)
        positions = np.empty((ids.size, self.get_mesh_dimensions(mesh_name)))
        self._native.mesh_vertex_ids_and_coordinates(mesh_name, ids, positions)
        return ids, positions
