// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/numbered_vertices.hpp"

#include <utility>
#include <vector>

namespace isthmus::mapping {

void NumberedVertices::find(std::span<const double> queries, std::span<const std::size_t> tied,
                            std::span<LocalIndex> ids) {
  if (tied.empty()) {
    return;
  }
  const std::lock_guard<std::mutex> lock(one_at_a_time_);
  if (!boxes_) {
    std::vector<geometry::Box> boxes(geometry::point_count(dimensions_, coordinates_));
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      boxes[i].expand(geometry::point_at(dimensions_, coordinates_, i));
    }
    boxes_ = std::make_unique<geometry::PackedBoxes>(std::move(boxes));
  }
  for (const std::size_t i : tied) {
    const geometry::Point query = geometry::point_at(dimensions_, queries, i);
    ids[i] = static_cast<LocalIndex>(boxes_->nearest(query, 1).front());
  }
}

} // namespace isthmus::mapping
