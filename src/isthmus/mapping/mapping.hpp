// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/elements.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace isthmus::comm {
class Comm;
}

namespace isthmus::mesh {
class Mesh;
}

namespace isthmus::mapping {

/// So many points are one piece of work for a thread.
constexpr std::size_t block_of_points = 4096;

/// For each of some points the vertices of a mesh and their weights: `counts[i]` entries of point i
/// follow each other in `columns` and `weights`, in an order that vertex coordinates decide, so
/// that a sum over them has the same bits however the mesh is distributed.
struct Interpolation {
  std::vector<LocalIndex> counts;
  std::vector<LocalIndex> columns; // vertices of the mesh
  std::vector<double> weights;
  std::vector<double> distances2; // squared distance from each point to what it was mapped to
  // up to which squared distance nothing may be missed, where that is more; empty: nowhere
  std::vector<double> needed2{};

  [[nodiscard]] std::size_t num_points() const { return counts.size(); }
  /// Calls `f(point, column, weight)` for each entry.
  template <typename F>
  void for_each(const F& f) const {
    std::size_t k = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      for (LocalIndex n = 0; n < counts[i]; ++n, ++k) {
        f(static_cast<LocalIndex>(i), columns[k], weights[k]);
      }
    }
  }
  /// Of so many points that are mapped to nothing.
  [[nodiscard]] static Interpolation of_nothing(std::size_t num_points);
};

/// A mapping between vertices and points that are spread over ranks, each with one, by a system
/// that is solved for each field: where rows would be dense.
class DistributedMapping {
 public:
  DistributedMapping() = default;
  DistributedMapping(const DistributedMapping&) = delete;
  DistributedMapping& operator=(const DistributedMapping&) = delete;
  virtual ~DistributedMapping() = default;

  /// Collective. Values of points from those of vertices, `components` interleaved values each.
  virtual void interpolate(int components, std::span<const double> values,
                           std::span<double> out) = 0;
  /// Collective. The transposed: what values of points add to vertices; keeps sums.
  virtual void spread(int components, std::span<const double> values, std::span<double> out) = 0;
  /// Doubles that this rank keeps in matrices and factors.
  [[nodiscard]] virtual std::size_t num_entries() const = 0;
  /// What somebody should know who chose the settings, the same on all ranks; mostly nothing.
  [[nodiscard]] virtual const std::string& remark() const = 0;
};

/// An interpolation whose weights take long, where the vertices that it takes are known before. It
/// outlives mesh and mapping. Local, serial.
class LateInterpolation {
 public:
  LateInterpolation() = default;
  LateInterpolation(const LateInterpolation&) = delete;
  LateInterpolation& operator=(const LateInterpolation&) = delete;
  virtual ~LateInterpolation() = default;

  /// The vertices that have entries, ascending.
  [[nodiscard]] virtual std::vector<LocalIndex> vertices() const = 0;
  /// Up to which distance from the points nothing may be missed of the mesh.
  [[nodiscard]] virtual double needed() const { return 0; }
  [[nodiscard]] virtual Interpolation find() const = 0;
};

/// One way to interpolate from the part of a mesh at hand to points. Local, serial.
class Mapping {
 public:
  Mapping() = default;
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  virtual ~Mapping() = default;

  /// Weights for `points` (interleaved coordinates). Where the mesh is empty, points get no entries
  /// and an infinite distance.
  [[nodiscard]] virtual Interpolation interpolate(std::span<const double> points) const = 0;

  /// The same for the vertices of a mesh whose elements may matter.
  [[nodiscard]] virtual Interpolation onto(const mesh::Mesh& asking) const;

  /// What onto() finds, where that takes long and is closest to all points alike: no distance of it
  /// is more than 0. Null where onto() is to be asked.
  [[nodiscard]] virtual std::unique_ptr<LateInterpolation> later(const mesh::Mesh& asking) const;

  /// Where points go to a few candidates of the whole mesh: those elements of the part at hand that
  /// decide about any of these points, none of which lies in a cell (geometry::Candidates). Empty
  /// where there are no candidates.
  [[nodiscard]] virtual std::vector<geometry::Element> candidates(
      std::span<const double> points) const;

  /// Collective. The same for the vertices and points of all ranks, each given by one, without
  /// dense rows. Null if there is no such form of this mapping.
  [[nodiscard]] virtual std::unique_ptr<DistributedMapping> distribute(
      const comm::Comm& comm, std::span<const double> points) const;
};

/// The nearest vertex; ties by place go to the smallest coordinates, and by number to that which
/// preCICE finds, if the mesh is whole. `mesh` must outlive the result.
[[nodiscard]] std::unique_ptr<Mapping> make_nearest_neighbor(
    const mesh::Mesh& mesh, geometry::Ties ties = geometry::Ties::by_place);

/// The nearest vertex and its gradient: 1 + dimensions entries per point with the same column. The
/// first weighs the value of the vertex, the next ones its derivatives along x, y, z: with the way
/// from the vertex to the point.
[[nodiscard]] std::unique_ptr<Mapping> make_nearest_neighbor_gradient(
    const mesh::Mesh& mesh, geometry::Ties ties = geometry::Ties::by_place);

/// Where points outside of all cells go: to the closest point on them, on triangles, edges and
/// vertices; or to what preCICE finds: the closest of four triangles (geometry::Candidates)
/// onto which they fall, else of four edges, both no farther than the nearest vertex, else that
/// vertex. All triangles and edges of cells take part in that. Numbered candidates follow from the
/// numbers of vertices where boxes or vertices are equally near, and need the whole mesh: then they
/// are preCICE's.
enum class Outside { closest, candidates, numbered_candidates };

/// The closest point on triangles, edges and vertices, as weights of its corners, or where points
/// go that are `outside` of all cells.
/// Source: Totounferoush et al., Algorithms 14 (2021) 166, doi 10.3390/a14060166, section 3, there
/// with a few candidates per kind of element; the closest point is exact. Tetrahedra count as their
/// faces. `mesh` must outlive the result.
[[nodiscard]] std::unique_ptr<Mapping> make_nearest_projection(const mesh::Mesh& mesh,
                                                               Outside outside = Outside::closest);

/// Linear in the triangle (2D) or tetrahedron (3D) around the point.
[[nodiscard]] std::unique_ptr<Mapping> make_linear_cell(const mesh::Mesh& mesh,
                                                        Outside outside = Outside::closest);

/// The L2 projection of piecewise linear functions with dual shape functions, on the intersections
/// of the elements of both meshes: tetrahedra, triangles where `mesh` has no tetrahedra, or edges
/// where it has neither. It is local and of second order; on meshes that cover the same space,
/// plane or line it keeps integrals and linear functions, elsewhere constants. A vertex of which
/// less than half of the surroundings lies in or opposite the mesh, and points without elements,
/// are mapped as by make_linear_cell() between tetrahedra, else by make_nearest_projection().
/// Source: B. Wohlmuth, SIAM J. Numer. Anal. 38 (2000) 989, doi 10.1137/S0036142999350929.
[[nodiscard]] std::unique_ptr<Mapping> make_intersection(const mesh::Mesh& mesh);

/// What the weights of coarse graining sum to: of a density their integral over the space around
/// the point is one, and a point without a vertex within the radius has no entry; of an average
/// their sum is one, and such a point takes the nearest vertex.
enum class Grain { density, average };

/// The vertices within `radius` h, weighed by Lucy's kernel (1 + 3 r) (1 - r)^3 of their distance r
/// in radii, of a density times 105 / (16 pi h^3) in three dimensions and 5 / (pi h^2) in two.
/// Source: L. B. Lucy, Astron. J. 82 (1977) 1013, doi 10.1086/112164.
[[nodiscard]] std::unique_ptr<Mapping> make_coarse_graining(const mesh::Mesh& mesh, double radius,
                                                            Grain grain);

} // namespace isthmus::mapping
