// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transfer/extent.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/geometry/morton.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace isthmus::transfer {

double typical_spacing(const mesh::Mesh& mesh) {
  const int dim = mesh.dimensions();
  const auto coords = mesh.coordinates();
  if (mesh.num_vertices() < 2) {
    return 0;
  }
  const std::vector<LocalIndex> order = geometry::curve_order(dim, coords);
  std::vector<double> distances(order.size() - 1);
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    const auto a = geometry::point_at(dim, coords, static_cast<std::size_t>(order[i]));
    const auto b = geometry::point_at(dim, coords, static_cast<std::size_t>(order[i + 1]));
    distances[i] = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  }
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

MeshExtent extent_of(const comm::Comm& comm, const std::vector<const mesh::Mesh*>& meshes,
                     const geometry::Box& region, bool with_spacing, bool keeps) {
  MeshExtent extent;
  extent.num_ranks = comm.size();
  if (!region.empty() && geometry::finite(region.lo) && geometry::finite(region.hi)) {
    extent.box = region;
  }
  std::vector<std::int64_t> counts;
  for (const mesh::Mesh* mesh : meshes) {
    extent.box.expand(geometry::bounding_box(mesh->dimensions(), mesh->coordinates()));
    counts.push_back(mesh->num_vertices());
    if (with_spacing) {
      extent.spacing = std::max(extent.spacing, typical_spacing(*mesh));
    }
  }
  // one reduction: maxima of the upper corner, the negated lower corner, the spacing, the
  // objections
  std::array<double, 8> largest{extent.box.hi[0],  extent.box.hi[1],  extent.box.hi[2],
                                -extent.box.lo[0], -extent.box.lo[1], -extent.box.lo[2],
                                extent.spacing,    keeps ? 0.0 : 1.0};
  comm::allreduce<double>(comm, largest, comm::Op::max);
  for (std::size_t k = 0; k < 3; ++k) {
    extent.box.hi[k] = largest[k];
    extent.box.lo[k] = -largest[k + 3];
  }
  extent.spacing = largest[6];
  extent.keeps = largest[7] == 0;
  comm::allreduce<std::int64_t>(comm, counts, comm::Op::sum);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    extent.num_vertices += counts[i];
    extent.filled |= counts[i] > 0 && i < 64 ? std::uint64_t{1} << i : 0;
  }
  return extent;
}

} // namespace isthmus::transfer
