// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transfer/shares.hpp"

#include <algorithm>

namespace isthmus::transfer {

Share share_of(int rank, int ranks, GlobalIndex total) {
  const GlobalIndex first = total * rank / ranks;
  return {first, total * (rank + 1) / ranks - first};
}

std::vector<geometry::Box> number_boxes(const Share& share) {
  if (share.count == 0) {
    return {};
  }
  return {{{static_cast<double>(share.first), 0, 0},
           {static_cast<double>(share.first + share.count - 1), 0, 0}}};
}

Selection select_numbers(const mesh::Mesh& mesh, GlobalIndex first,
                         std::span<const geometry::Box> boxes) {
  Selection selection;
  for (LocalIndex v = 0; v < mesh.num_vertices(); ++v) {
    const geometry::Point number{static_cast<double>(first + v), 0, 0};
    if (std::any_of(boxes.begin(), boxes.end(),
                    [&number](const geometry::Box& box) { return box.contains(number); })) {
      selection.vertices.push_back(v);
    }
  }
  return selection;
}

} // namespace isthmus::transfer
