// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/search/foreign_vertices.hpp"

#include <algorithm>
#include <iterator>

namespace isthmus::planning {

ForeignVertices::ForeignVertices(LocalIndex first_own, LocalIndex num_own,
                                 std::span<const LocalIndex> used)
    : first_own_(first_own), num_own_(num_own) {
  std::copy_if(used.begin(), used.end(), std::back_inserter(foreign_),
               [this](LocalIndex vertex) { return !is_own(vertex); });
  std::sort(foreign_.begin(), foreign_.end());
  foreign_.erase(std::unique(foreign_.begin(), foreign_.end()), foreign_.end());
}

void ForeignVertices::renumber(std::span<LocalIndex> vertices) const {
  for (LocalIndex& vertex : vertices) {
    if (is_own(vertex)) {
      vertex -= first_own_;
    } else {
      const auto ghost = std::lower_bound(foreign_.begin(), foreign_.end(), vertex);
      vertex = num_own_ + static_cast<LocalIndex>(ghost - foreign_.begin());
    }
  }
}

} // namespace isthmus::planning
