// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transfer/displacement.hpp"

#include "isthmus/transfer/part_changes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isthmus::transfer {

void Displacement::add(const Changes& provided, const Changes& received) {
  if (provided.reset != 0) {
    provider = provided.moved_by;
  }
  if (received.reset != 0) {
    receiver = received.moved_by;
  }
}

void note_moves(RememberedMesh& last, const mesh::Mesh& now,
                const std::vector<geometry::Box>* boxes, double reach, Changes& changes) {
  auto moved = moved_vertices(last.mesh, now);
  if (!moved) {
    changes.is_small = 0;
    return;
  }
  last.moved = std::move(*moved);
  Changes noted;
  geometry::Box around;
  for (const LocalIndex vertex : last.moved) {
    const auto at = static_cast<std::size_t>(vertex);
    const geometry::Point from = geometry::point_at(now.dimensions(), last.mesh.coordinates(), at);
    const geometry::Point to = geometry::point_at(now.dimensions(), now.coordinates(), at);
    last.origins.try_emplace(vertex, from);
    around.expand(from);
    around.expand(to);
    if (boxes != nullptr &&
        std::none_of(boxes->begin(), boxes->end(),
                     [&to](const geometry::Box& box) { return box.contains(to); })) {
      noted.is_small = 0;
    }
  }
  for (const auto& [vertex, from] : last.origins) {
    const auto to =
        geometry::point_at(now.dimensions(), now.coordinates(), static_cast<std::size_t>(vertex));
    noted.moved_by =
        std::max(noted.moved_by, std::hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]));
  }
  around.expand(reach);
  noted.enclose(around);
  changes.merge(noted);
}

} // namespace isthmus::transfer
