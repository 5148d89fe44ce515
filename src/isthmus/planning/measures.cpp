// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/measures.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/mesh/measures.hpp"
#include "isthmus/planning/protocol/messages.hpp"

#include <algorithm>
#include <numeric>

namespace isthmus::planning {

namespace {

constexpr std::array every_weighing{Weighing::surface, Weighing::volume, Weighing::action};

bool is_weighed_by(const transfer::MeshRelation& relation, Weighing what) {
  return what == Weighing::action ? relation.is_weighed
                                  : std::any_of(relation.uses.begin(), relation.uses.end(),
                                                [what](const transfer::MappingUse& use) {
                                                  return use.scaled() && weighing_of(use) == what;
                                                });
}

std::vector<Weighing> asked_for(const transfer::MeshRelation& relation) {
  std::vector<Weighing> asked;
  for (const Weighing what : every_weighing) {
    if (is_weighed_by(relation, what)) {
      asked.push_back(what);
    }
  }
  return asked;
}

} // namespace

Weighing weighing_of(const transfer::MappingUse& use) {
  return use.mapping->constraint == config::Constraint::scaled_consistent_volume
             ? Weighing::volume
             : Weighing::surface;
}

Measures measure(const comm::Comm& comm, const transfer::MeshRelation& relation,
                 const mesh::Mesh& mesh) {
  Measures measures;
  for (const Weighing what : asked_for(relation)) {
    Measures::Of& of = measures.of(what);
    if (what == Weighing::action) { // the elements that the mesh has, on any rank
      of.vertices = mesh::vertex_measures(
          mesh, comm::allreduce(comm, mesh::surface_dimension(mesh), comm::Op::max));
    } else {
      of.vertices = mesh::vertex_measures(
          mesh, what == Weighing::volume ? mesh::Domain::volume : mesh::Domain::surface);
    }
    of.total = comm::allreduce(comm, std::accumulate(of.vertices.begin(), of.vertices.end(), 0.0),
                               comm::Op::sum);
  }
  return measures;
}

void send_measures(partner::Context& context, const transfer::MeshRelation& relation,
                   const mesh::Mesh& mesh, std::span<const Recipient> recipients) {
  const std::vector<Weighing> asked = asked_for(relation);
  if (asked.empty()) {
    return;
  }
  const Measures measures = measure(context.comm, relation, mesh);
  for (const Recipient& recipient : recipients) {
    Writer writer;
    for (const Weighing what : asked) {
      const Measures::Of& of = measures.of(what);
      std::vector<double> sent;
      for (LocalIndex i = 0; i < recipient.selection.num_vertices(mesh); ++i) {
        sent.push_back(of.vertices[static_cast<std::size_t>(recipient.selection.vertex(i))]);
      }
      writer.put(of.total).put_array(sent);
    }
    context.hub.send(recipient.link, transport::Kind::measures, writer.take());
  }
}

Measures receive_measures(partner::Context& context, const transfer::MeshRelation& relation,
                          const transfer::TransferredMesh& received) {
  Measures measures;
  const std::vector<Weighing> asked = asked_for(relation);
  for (const Weighing what : asked) {
    measures.of(what).vertices.assign(static_cast<std::size_t>(received.mesh.num_vertices()), 0.0);
  }
  for (const transfer::Part& part : received.parts) {
    if (asked.empty()) {
      break;
    }
    const auto bytes =
        context.hub.receive(part.link, transport::Kind::measures, context.progress_timeout);
    Reader reader(bytes);
    for (const Weighing what : asked) {
      measures.of(what).total = reader.get<double>();
      const auto of_part = reader.get_array<double>();
      check(of_part.size() == static_cast<std::size_t>(part.count),
            "a message of measures has {} values for {} vertices", of_part.size(), part.count);
      std::copy(of_part.begin(), of_part.end(), measures.of(what).vertices.begin() + part.first);
    }
    reader.finish();
  }
  for (const Weighing what : asked) { // a rank without vertices was told nothing
    Measures::Of& of = measures.of(what);
    of.total = comm::allreduce(context.comm, of.total, comm::Op::max);
  }
  return measures;
}

} // namespace isthmus::planning
