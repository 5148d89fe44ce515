// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/weighing/integrals.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/mesh/measures.hpp"

#include <array>
#include <numeric>

namespace isthmus::planning {

Integrals integrals_of(const comm::Comm& comm, const protocol::MappingUse& use,
                       const mesh::Mesh& received, const protocol::Measured::One& measures,
                       const mesh::Mesh& own) {
  const bool volume = protocol::weighing_of(use) == protocol::Weighing::volume;
  Integrals integrals{
      measures.vertices,
      mesh::vertex_measures(own, volume ? mesh::Domain::volume : mesh::Domain::surface)};
  // vertices of both meshes, exact below 2^53, and the integral over the own one
  std::array<double, 3> sums{static_cast<double>(own.num_vertices()),
                             static_cast<double>(received.num_vertices()),
                             std::accumulate(integrals.own.begin(), integrals.own.end(), 0.0)};
  comm::allreduce(comm, std::span<double>(sums), comm::Op::sum);
  const auto [num_own, num_received, total] = sums;
  if (num_own == 0 || num_received == 0) {
    return integrals; // nothing is mapped
  }
  const bool solid = received.dimensions() == 3;
  check(total > 0 && measures.total > 0,
        "the scaled mapping from \"{}\" to \"{}\" in line {} integrates over both meshes, but mesh "
        "\"{}\" has no {}; define them before initialize() or use constraint=\"consistent\"",
        use.mapping->from, use.mapping->to, use.mapping->line,
        total > 0 ? received.name() : own.name(),
        solid && volume   ? "tetrahedra"
        : solid == volume ? "edges"
                          : "triangles");
  return integrals;
}

std::vector<double> only_at(std::span<const LocalIndex> vertices,
                            std::span<const double> measures) {
  std::vector<double> result(measures.size(), 0.0);
  for (const LocalIndex vertex : vertices) {
    result[static_cast<std::size_t>(vertex)] = measures[static_cast<std::size_t>(vertex)];
  }
  return result;
}

} // namespace isthmus::planning
