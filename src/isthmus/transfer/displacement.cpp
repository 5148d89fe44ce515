// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transfer/displacement.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::transfer {

void Displacement::add(const Changes& provided, const Changes& received) {
  if (provided.reset != 0) {
    provider = provided.moved_by;
  }
  if (received.reset != 0) {
    receiver = received.moved_by;
  }
}

Changes note_moves(const mesh::Mesh& before, const mesh::Mesh& now,
                   std::span<const LocalIndex> moved, std::span<const geometry::Box> boxes,
                   double reach, Origins& origins) {
  Changes changes;
  geometry::Box around;
  for (const LocalIndex vertex : moved) {
    const auto at = static_cast<std::size_t>(vertex);
    const geometry::Point from = geometry::point_at(now.dimensions(), before.coordinates(), at);
    const geometry::Point to = geometry::point_at(now.dimensions(), now.coordinates(), at);
    origins.try_emplace(vertex, from);
    around.expand(from);
    around.expand(to);
    if (std::none_of(boxes.begin(), boxes.end(),
                     [&to](const geometry::Box& box) { return box.contains(to); })) {
      changes.is_small = 0;
    }
  }
  for (const auto& [vertex, from] : origins) {
    const auto to =
        geometry::point_at(now.dimensions(), now.coordinates(), static_cast<std::size_t>(vertex));
    changes.moved_by =
        std::max(changes.moved_by, std::hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]));
  }
  around.expand(reach);
  changes.enclose(around);
  return changes;
}

} // namespace isthmus::transfer
