// SPDX-License-Identifier: BSD-3-Clause
// The way of a mesh in the one-level initialization: gathered, through the first ranks, broadcast.
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/protocol/messages.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <utility>
#include <vector>

namespace isthmus::transfer {

void send_whole_mesh(const comm::Comm& comm, transport::Hub& hub, transport::LinkId to_first,
                     const mesh::Mesh& mesh) {
  const auto coordinates = comm::gather(comm, mesh.coordinates());
  const auto edges = comm::gather(comm, mesh.edges());
  const auto triangles = comm::gather(comm, mesh.triangles());
  const auto tetrahedra = comm::gather(comm, mesh.tetrahedra());
  comm::agree(comm, [&] {
    if (comm.is_root()) {
      std::vector<protocol::MeshView> parts;
      for (int r = 0; r < comm.size(); ++r) {
        parts.push_back({coordinates.of(r), {edges.of(r), triangles.of(r), tetrahedra.of(r)}});
      }
      Writer writer;
      protocol::WholeMesh::write(writer, parts);
      hub.send(to_first, protocol::WholeMesh::kind, writer.take());
    }
  });
}

TransferredMesh receive_whole_mesh(const comm::Comm& comm, transport::Hub& hub,
                                   transport::LinkId to_first, const std::string& name,
                                   int dimensions, double timeout) {
  std::vector<std::byte> bytes;
  comm::agree(comm, [&] {
    if (comm.is_root()) {
      bytes = hub.receive(to_first, protocol::WholeMesh::kind, timeout);
    }
  });
  comm::bcast(comm, bytes);
  auto whole = protocol::read_message<protocol::WholeMesh>(bytes, dimensions);
  std::vector<Part> parts;
  LocalIndex first = 0;
  for (const LocalIndex count : whole.counts) {
    parts.push_back({static_cast<int>(parts.size()), -1, first, count});
    first += count;
  }
  return {whole.arrays.take(name, dimensions), std::move(parts)};
}

} // namespace isthmus::transfer
