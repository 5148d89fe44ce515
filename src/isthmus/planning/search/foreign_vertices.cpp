// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/search/foreign_vertices.hpp"

#include "isthmus/base/sequence.hpp"

#include <algorithm>
#include <iterator>

namespace isthmus::planning {

ForeignVertices::ForeignVertices(LocalIndex first_own, LocalIndex num_own,
                                 std::span<const LocalIndex> used)
    : first_own_(first_own), num_own_(num_own) {
  std::copy_if(used.begin(), used.end(), std::back_inserter(foreign_),
               [this](LocalIndex vertex) { return !is_own(vertex); });
  sort_once(foreign_);
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
