// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transfer/extent.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/geometry/morton.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

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
  for (const mesh::Mesh* mesh : meshes) {
    extent.box.expand(geometry::bounding_box(mesh->dimensions(), mesh->coordinates()));
    if (with_spacing) {
      extent.spacing = std::max(extent.spacing, typical_spacing(*mesh));
    }
  }
  // the largest of the upper corner, the negated lower corner, the spacing, the objections; sums of
  // the vertices
  std::vector<comm::LargestAndSum> all(std::max<std::size_t>(8, meshes.size()));
  for (std::size_t k = 0; k < 3; ++k) {
    all[k].largest = extent.box.hi[k];
    all[k + 3].largest = -extent.box.lo[k];
  }
  all[6].largest = extent.spacing;
  all[7].largest = keeps ? 0.0 : 1.0;
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    all[i].sum = static_cast<double>(meshes[i]->num_vertices()); // exact below 2^53
  }
  comm::allreduce(comm, std::span(all));
  for (std::size_t k = 0; k < 3; ++k) {
    extent.box.hi[k] = all[k].largest;
    extent.box.lo[k] = -all[k + 3].largest;
  }
  extent.spacing = all[6].largest;
  extent.keeps = all[7].largest == 0;
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    extent.num_vertices += static_cast<std::int64_t>(all[i].sum);
    extent.filled |= all[i].sum > 0 && i < 64 ? std::uint64_t{1} << i : 0;
  }
  return extent;
}

} // namespace isthmus::transfer
