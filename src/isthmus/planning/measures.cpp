// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/measures.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/mesh/measures.hpp"

#include <algorithm>
#include <numeric>

namespace isthmus::planning {

Measures measure(const comm::Comm& comm, const protocol::MeshRelation& relation,
                 const mesh::Mesh& mesh) {
  Measures measures;
  for (const protocol::Weighing what : protocol::weighings_of(relation)) {
    protocol::Measured::One& of = measures.of(what);
    if (what == protocol::Weighing::action) { // the elements that the mesh has, on any rank
      of.vertices = mesh::vertex_measures(
          mesh, comm::allreduce(comm, mesh::surface_dimension(mesh), comm::Op::max));
    } else {
      of.vertices = mesh::vertex_measures(
          mesh, what == protocol::Weighing::volume ? mesh::Domain::volume : mesh::Domain::surface);
    }
    of.total = comm::allreduce(comm, std::accumulate(of.vertices.begin(), of.vertices.end(), 0.0),
                               comm::Op::sum);
  }
  return measures;
}

void send_measures(partner::Context& context, const protocol::MeshRelation& relation,
                   const mesh::Mesh& mesh, std::span<const Recipient> recipients) {
  const std::vector<protocol::Weighing> asked = protocol::weighings_of(relation);
  const Measures measures = measure(context.comm, relation, mesh);
  for (const Recipient& recipient : recipients) {
    protocol::Measured message;
    for (const protocol::Weighing what : asked) {
      const protocol::Measured::One& of = measures.of(what);
      protocol::Measured::One& sent = message.list.emplace_back();
      sent.total = of.total;
      for (LocalIndex i = 0; i < recipient.selection.num_vertices(mesh); ++i) {
        sent.vertices.push_back(
            of.vertices[static_cast<std::size_t>(recipient.selection.vertex(i))]);
      }
    }
    protocol::send(context, recipient.link, message);
  }
}

Measures receive_measures(partner::Context& context, const protocol::MeshRelation& relation,
                          const transfer::TransferredMesh& received) {
  Measures measures;
  const std::vector<protocol::Weighing> asked = protocol::weighings_of(relation);
  for (const protocol::Weighing what : asked) {
    measures.of(what).vertices.assign(static_cast<std::size_t>(received.mesh.num_vertices()), 0.0);
  }
  for (const transfer::Part& part : received.parts) {
    const protocol::Measured message =
        protocol::receive<protocol::Measured>(context, part.link, asked.size(), part.count);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const protocol::Measured::One& sent = message.list[i];
      protocol::Measured::One& of = measures.of(asked[i]);
      of.total = sent.total;
      std::copy(sent.vertices.begin(), sent.vertices.end(), of.vertices.begin() + part.first);
    }
  }
  for (const protocol::Weighing what : asked) { // a rank without vertices was sent nothing
    protocol::Measured::One& of = measures.of(what);
    of.total = comm::allreduce(context.comm, of.total, comm::Op::max);
  }
  return measures;
}

Integrals integrals_of(const comm::Comm& comm, const protocol::MappingUse& use,
                       const mesh::Mesh& received, const protocol::Measured::One& measures,
                       const mesh::Mesh& own) {
  const bool volume = use.weighing() == protocol::Weighing::volume;
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
        "the scaled mapping from \"{}\" to \"{}\" in line {} integrates over both meshes, but "
        "connectivity is missing: mesh \"{}\" has no {}; define them before initialize() or use "
        "constraint=\"consistent\"",
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
