// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/integrals.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/mesh/measures.hpp"

#include <algorithm>
#include <numeric>

namespace isthmus::planning {

namespace {

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

} // namespace

Integrals integrals_of(const comm::Comm& comm, const transfer::MappingUse& use,
                       const mesh::Mesh& received, const mesh::Mesh& own) {
  const bool volume = use.mapping->constraint == config::Constraint::scaled_consistent_volume;
  const auto domain = volume ? mesh::Domain::volume : mesh::Domain::surface;
  Integrals integrals{mesh::vertex_measures(received, domain), mesh::vertex_measures(own, domain)};
  const auto num_own = comm::allreduce(comm, GlobalIndex{own.num_vertices()}, comm::Op::sum);
  if (num_own == 0 || received.num_vertices() == 0) {
    return integrals; // nothing is mapped
  }
  const double total = comm::allreduce(comm, sum(integrals.own), comm::Op::sum);
  const bool solid = received.dimensions() == 3;
  check(total > 0 && sum(integrals.received) > 0,
        "the scaled mapping from \"{}\" to \"{}\" in line {} integrates over both meshes, but mesh "
        "\"{}\" has no {}; define them before initialize() or use constraint=\"consistent\"",
        use.mapping->from, use.mapping->to, use.mapping->line,
        total > 0 ? received.name() : own.name(),
        solid && volume   ? "tetrahedra"
        : solid == volume ? "edges"
                          : "triangles");
  return integrals;
}

std::vector<double> share_of(const comm::Comm& comm, std::span<const double> measures) {
  const auto begin_of = [&measures, &comm](int rank) {
    return measures.size() * static_cast<std::size_t>(rank) / static_cast<std::size_t>(comm.size());
  };
  const std::size_t begin = begin_of(comm.rank());
  std::vector<double> share(measures.size(), 0.0);
  const auto own = measures.subspan(begin, begin_of(comm.rank() + 1) - begin);
  std::copy(own.begin(), own.end(), share.begin() + static_cast<std::ptrdiff_t>(begin));
  return share;
}

} // namespace isthmus::planning
