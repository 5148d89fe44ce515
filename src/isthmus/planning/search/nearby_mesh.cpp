// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/search/nearby_mesh.hpp"

#include "isthmus/base/wire.hpp"
#include "isthmus/comm/sparse/sparse_exchange.hpp"
#include "isthmus/geometry/cover.hpp"
#include "isthmus/protocol/mesh_arrays.hpp"
#include "isthmus/rendezvous/wanted_boxes.hpp"
#include "isthmus/transfer/mesh_transfer.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace isthmus::planning {

namespace {

/// The own vertices in some boxes, with elements those of these that touch them, too.
std::vector<std::byte> vertices_in(const mesh::Mesh& own, std::span<const geometry::Box> boxes,
                                   bool with_elements) {
  const transfer::Selection selection = transfer::select(own, boxes, with_elements);
  std::vector<LocalIndex> numbers;
  for (LocalIndex i = 0; i < selection.num_vertices(own); ++i) {
    numbers.push_back(selection.vertex(i));
  }
  Writer writer;
  writer.put_array(numbers);
  protocol::write_arrays(writer, transfer::SelectedArrays(own, selection, with_elements).view);
  return numbers.empty() ? std::vector<std::byte>() : writer.take();
}

} // namespace

Asking asking_for(const mesh::Mesh& received, std::span<const LocalIndex> awarded,
                  bool with_elements) {
  const auto is_awarded = [awarded](LocalIndex v) {
    return awarded[static_cast<std::size_t>(v)] > 0;
  };
  const protocol::Elements all = protocol::elements_of(received);
  protocol::MeshArrays arrays;
  std::vector<char> marked(awarded.size());
  std::transform(awarded.begin(), awarded.end(), marked.begin(),
                 [](LocalIndex count) -> char { return count > 0 ? 1 : 0; });
  for (std::size_t kind = 0; with_elements && kind < all.size(); ++kind) {
    for (std::size_t i = 0; i < all[kind].size(); i += kind + 2) {
      const auto corners = all[kind].subspan(i, kind + 2);
      if (std::any_of(corners.begin(), corners.end(), is_awarded)) {
        arrays.elements[kind].insert(arrays.elements[kind].end(), corners.begin(), corners.end());
        for (const LocalIndex corner : corners) {
          marked[static_cast<std::size_t>(corner)] = 1;
        }
      }
    }
  }
  Asking asking;
  std::vector<LocalIndex> positions(marked.size(), -1);
  for (LocalIndex v = 0; v < received.num_vertices(); ++v) {
    if (marked[static_cast<std::size_t>(v)] != 0) {
      positions[static_cast<std::size_t>(v)] = static_cast<LocalIndex>(asking.vertices.size());
      asking.vertices.push_back(v);
    }
  }
  for (std::vector<LocalIndex>& list : arrays.elements) {
    for (LocalIndex& corner : list) {
      corner = positions[static_cast<std::size_t>(corner)];
    }
  }
  arrays.coordinates = mesh::coordinates_of(received, asking.vertices);
  asking.mesh = arrays.take(received.name(), received.dimensions());
  return asking;
}

NearbyMesh mesh_around(const comm::Comm& comm, const mesh::Mesh& own, bool with_elements,
                       std::span<const geometry::Box> boxes) {
  std::vector<geometry::Box> has = geometry::cover(own.dimensions(), own.coordinates(), most_boxes);
  const double beyond = with_elements ? transfer::longest_element(own) : 0.0; // of their vertices
  for (geometry::Box& box : has) {
    box.expand(beyond);
  }
  std::vector<comm::Parcel> parcels;
  for (const rendezvous::WantedBoxes& wanted : rendezvous::wanted_boxes(comm, has, boxes)) {
    std::vector<std::byte> bytes = vertices_in(own, wanted.boxes, with_elements);
    if (!bytes.empty()) {
      parcels.push_back({wanted.rank, std::move(bytes)});
    }
  }
  NearbyMesh nearby;
  protocol::MeshArrays all(
      {own.coordinates(), with_elements ? protocol::elements_of(own) : protocol::Elements()});
  for (const comm::Parcel& parcel : comm::sparse_exchange(comm, std::move(parcels))) {
    Reader reader(parcel.bytes);
    for (const LocalIndex vertex : reader.get_array<LocalIndex>()) {
      nearby.others.push_back({parcel.rank, vertex});
    }
    all.append(own.dimensions(),
               protocol::read_arrays(reader, own.dimensions(), "a message about a near mesh"));
  }
  nearby.mesh = all.take(own.name(), own.dimensions());
  return nearby;
}

} // namespace isthmus::planning
