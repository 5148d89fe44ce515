// SPDX-License-Identifier: BSD-3-Clause
// The way of a mesh in the one-level initialization: gathered, through the first ranks, broadcast.
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
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
        writer.put_array(coordinates.of(r)).put_array(edges.of(r));
        writer.put_array(triangles.of(r)).put_array(tetrahedra.of(r));
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
  std::vector<double> coordinates;
  std::vector<LocalIndex> edges;
  std::vector<LocalIndex> triangles;
  std::vector<LocalIndex> tetrahedra;
  const auto dim = static_cast<std::size_t>(dimensions);
  for (int r = 0; r < ranks; ++r) {
    const auto first = static_cast<LocalIndex>(coordinates.size() / dim);
    const auto x = reader.get_array<double>();
    coordinates.insert(coordinates.end(), x.begin(), x.end());
    parts.push_back({r, -1, first, static_cast<LocalIndex>(x.size() / dim)});
    for (std::vector<LocalIndex>* list : {&edges, &triangles, &tetrahedra}) {
      const auto corners = reader.get_array<LocalIndex>();
      check_corners("a mesh message", corners, parts.back().count);
      for (const LocalIndex vertex : corners) {
        list->push_back(first + vertex);
      }
    }
  }
  reader.finish();
  return {mesh::Mesh(name, dimensions, std::move(coordinates), std::move(edges),
                     std::move(triangles), std::move(tetrahedra)),
          std::move(parts)};
}

} // namespace isthmus::transfer
