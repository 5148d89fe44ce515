// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/candidates/numbered_boxes.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

namespace isthmus::geometry {

namespace {

Element ascending(Element element) {
  std::sort(element.begin(), element.end(), [](LocalIndex a, LocalIndex b) {
    return static_cast<std::uint32_t>(a) < static_cast<std::uint32_t>(b); // -1 last
  });
  return element;
}

/// Calls visit(element) for all of so many corners, those around larger ones included, corners in
/// ascending order; some more than once.
template <typename Visit>
void for_each(const ElementTree& elements, int corners, Visit&& visit) {
  if (corners == 1) {
    for (LocalIndex v = 0; static_cast<std::size_t>(v) < elements.num_vertices(); ++v) {
      visit(Element{v, -1, -1});
    }
    return;
  }
  for (const Element& element : elements.all()) {
    if (num_corners(element) == corners) {
      visit(ascending(element));
    } else if (num_corners(element) > corners) {
      for (const auto& [a, b, none] : edges_of(element)) {
        visit(a < b ? Element{a, b, none} : Element{b, a, none});
      }
    }
  }
}

} // namespace

void NumberedBoxes::make() {
  std::vector<std::size_t> end(elements_.num_vertices() + 1); // of rows with the same first corner
  for_each(elements_, corners_,
           [&](const Element& element) { ++end[static_cast<std::size_t>(element[0]) + 1]; });
  std::partial_sum(end.begin(), end.end(), end.begin());
  ordered_.resize(end.back());
  for_each(elements_, corners_, [&](const Element& element) {
    ordered_[end[static_cast<std::size_t>(element[0])]++] = element;
  });
  auto first = ordered_.begin();
  for (std::size_t row = 0; row + 1 < end.size(); ++row) {
    const auto last = ordered_.begin() + static_cast<std::ptrdiff_t>(end[row]);
    std::sort(first, last);
    first = last;
  }
  ordered_.erase(std::unique(ordered_.begin(), ordered_.end()), ordered_.end());
  std::vector<Box> boxes(ordered_.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (int k = 0; k < corners_; ++k) {
      boxes[i].expand(elements_.point(ordered_[i][k]));
    }
  }
  boxes_ = std::make_unique<PackedBoxes>(std::move(boxes));
}

std::vector<Element> NumberedBoxes::nearest(const Point& query, std::size_t count) {
  const std::lock_guard<std::mutex> lock(one_at_a_time_);
  if (!boxes_) {
    make();
  }
  std::vector<Element> found;
  for (const std::size_t number : boxes_->nearest(query, count)) {
    found.push_back(ordered_[number]);
  }
  return found;
}

} // namespace isthmus::geometry
