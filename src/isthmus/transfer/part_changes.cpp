// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transfer/part_changes.hpp"

#include "isthmus/protocol/messages.hpp"

#include <algorithm>
#include <cstring>

namespace isthmus::transfer {

namespace {

bool same(std::span<const LocalIndex> a, std::span<const LocalIndex> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

} // namespace

std::optional<std::vector<LocalIndex>> moved_vertices(const mesh::Mesh& before,
                                                      const mesh::Mesh& now) {
  if (before.num_vertices() != now.num_vertices() || !same(before.edges(), now.edges()) ||
      !same(before.triangles(), now.triangles()) || !same(before.tetrahedra(), now.tetrahedra())) {
    return std::nullopt;
  }
  std::vector<LocalIndex> moved;
  const auto dim = static_cast<std::size_t>(now.dimensions());
  const std::span<const double> a = before.coordinates();
  const std::span<const double> b = now.coordinates();
  constexpr std::size_t run = 64; // vertices; most of them have not changed
  for (std::size_t i = 0; i < a.size(); i += dim) {
    const std::size_t ahead = std::min(run * dim, a.size() - i);
    if (i % (run * dim) == 0 && std::memcmp(&a[i], &b[i], ahead * sizeof(double)) == 0) {
      i += ahead - dim;
      continue;
    }
    if (!std::equal(a.begin() + static_cast<std::ptrdiff_t>(i),
                    a.begin() + static_cast<std::ptrdiff_t>(i + dim),
                    b.begin() + static_cast<std::ptrdiff_t>(i))) {
      moved.push_back(static_cast<LocalIndex>(i / dim));
    }
  }
  return moved;
}

void write_part(Writer& writer, const mesh::Mesh& mesh, const Selection& selection,
                const std::vector<LocalIndex>* moved) {
  if (moved == nullptr) {
    protocol::PartChanges::write(writer, SelectedArrays(mesh, selection, true).view);
    return;
  }
  std::vector<LocalIndex> vertices;
  std::vector<LocalIndex> positions;
  for (const LocalIndex vertex : *moved) {
    const auto at = std::lower_bound(selection.vertices.begin(), selection.vertices.end(), vertex);
    if (selection.everything || (at != selection.vertices.end() && *at == vertex)) {
      positions.push_back(
          selection.everything ? vertex : static_cast<LocalIndex>(at - selection.vertices.begin()));
      vertices.push_back(vertex);
    }
  }
  protocol::PartChanges::write(writer, positions, mesh::coordinates_of(mesh, vertices));
}

namespace {

/// The part as it was, as a whole.
protocol::MeshArrays whole(const mesh::Mesh& mesh, const Part& part) {
  protocol::MeshArrays result;
  const auto dim = static_cast<std::size_t>(mesh.dimensions());
  const auto coordinates = mesh.coordinates().subspan(static_cast<std::size_t>(part.first) * dim,
                                                      static_cast<std::size_t>(part.count) * dim);
  result.coordinates.assign(coordinates.begin(), coordinates.end());
  const protocol::Elements all = protocol::elements_of(mesh);
  for (std::size_t kind = 0; kind < all.size(); ++kind) {
    for (std::size_t e = 0; e < all[kind].size(); e += kind + 2) {
      const LocalIndex corner = all[kind][e] - part.first;
      for (std::size_t i = 0; corner >= 0 && corner < part.count && i < kind + 2; ++i) {
        result.elements[kind].push_back(all[kind][e + i] - part.first);
      }
    }
  }
  return result;
}

/// Some parts are others: puts all together again.
void assemble(TransferredMesh& mesh, const std::vector<protocol::PartChanges>& parts) {
  protocol::MeshArrays all;
  const int dimensions = mesh.mesh.dimensions();
  for (std::size_t p = 0; p < parts.size(); ++p) {
    mesh.parts[p].first = all.num_vertices(dimensions);
    mesh.parts[p].count = parts[p].whole.num_vertices(dimensions);
    all.append(dimensions, parts[p].whole);
  }
  mesh.mesh = all.take(mesh.mesh.name(), dimensions);
}

} // namespace

std::optional<std::vector<LocalIndex>> receive_changes(ChangeMessages& pieces,
                                                       TransferredMesh& mesh) {
  std::vector<protocol::PartChanges> parts;
  std::vector<LocalIndex> moved;
  bool is_another = false;
  for (Part& part : mesh.parts) {
    const auto bytes = pieces.receive(part.link, protocol::PartChanges::kind);
    auto& changes = parts.emplace_back(
        protocol::read_message<protocol::PartChanges>(bytes, mesh.mesh.dimensions(), part.count));
    part.is_new = changes.is_whole;
    is_another = is_another || changes.is_whole;
    for (LocalIndex& vertex : changes.moved) {
      vertex += part.first;
    }
    mesh.mesh.move_vertices(changes.moved, changes.coordinates);
    moved.insert(moved.end(), changes.moved.begin(), changes.moved.end());
  }
  if (!is_another) {
    return moved;
  }
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (!parts[p].is_whole) {
      parts[p].whole = whole(mesh.mesh, mesh.parts[p]);
    }
  }
  assemble(mesh, parts);
  return std::nullopt;
}

void remember_mesh(const mesh::Mesh& mesh, const std::vector<LocalIndex>* moved,
                   mesh::Mesh& remembered) {
  if (moved == nullptr) {
    remembered = mesh;
    return;
  }
  for (const LocalIndex vertex : *moved) {
    remembered.move_vertices(std::span(&vertex, 1), mesh.vertex(vertex));
  }
}

} // namespace isthmus::transfer
