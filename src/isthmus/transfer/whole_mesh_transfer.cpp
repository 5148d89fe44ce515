// SPDX-License-Identifier: BSD-3-Clause
// The way of a mesh in the one-level initialization: gathered, through the first ranks, broadcast.
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/protocol/mesh_arrays.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

namespace isthmus::transfer {

void send_whole_mesh(const comm::Comm& comm, transport::Hub& hub, transport::LinkId to_first,
                     const mesh::Mesh& mesh) {
  const auto coordinates = comm::gather(comm, mesh.coordinates());
  const auto edges = comm::gather(comm, mesh.edges());
  const auto triangles = comm::gather(comm, mesh.triangles());
  const auto tetrahedra = comm::gather(comm, mesh.tetrahedra());
  comm::agree(comm, [&] {
    if (comm.is_root()) {
      Writer writer;
      writer.put(comm.size());
      for (int r = 0; r < comm.size(); ++r) {
        protocol::write_arrays(writer, coordinates.of(r),
                               {edges.of(r), triangles.of(r), tetrahedra.of(r)});
      }
      hub.send(to_first, transport::Kind::whole_mesh, writer.take());
    }
  });
}

TransferredMesh receive_whole_mesh(const comm::Comm& comm, transport::Hub& hub,
                                   transport::LinkId to_first, const std::string& name,
                                   int dimensions, double timeout) {
  std::vector<std::byte> bytes;
  comm::agree(comm, [&] {
    if (comm.is_root()) {
      bytes = hub.receive(to_first, transport::Kind::whole_mesh, timeout);
    }
  });
  comm::bcast(comm, bytes);
  Reader reader(bytes);
  const int ranks = reader.get<int>();
  std::vector<Part> parts;
  protocol::MeshArrays all;
  for (int r = 0; r < ranks; ++r) {
    const protocol::MeshArrays part = protocol::read_arrays(reader, dimensions, "a mesh message");
    parts.push_back({r, -1, all.num_vertices(dimensions), part.num_vertices(dimensions)});
    all.append(dimensions, part);
  }
  reader.finish();
  return {all.take(name, dimensions), std::move(parts)};
}

} // namespace isthmus::transfer
