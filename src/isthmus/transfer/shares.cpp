// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transfer/shares.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

namespace isthmus::transfer {

std::vector<geometry::Box> number_boxes(const Share& share) {
  if (share.count == 0) {
    return {};
  }
  return {{{static_cast<double>(share.first), 0, 0},
           {static_cast<double>(share.first + share.count - 1), 0, 0}}};
}

protocol::Stretch add_share(const mesh::Mesh& mesh, GlobalIndex first,
                            std::span<const geometry::Box> boxes, Selection& selection) {
  check(boxes.size() <= 1, "a share of a mesh is not one range of numbers");
  const GlobalIndex count = mesh.num_vertices();
  const auto number = [&](double at) {
    return static_cast<LocalIndex>(
        std::clamp(at - static_cast<double>(first), 0.0, static_cast<double>(count)));
  };
  const LocalIndex begin = boxes.empty() ? 0 : number(boxes[0].lo[0]);
  const LocalIndex end = boxes.empty() ? 0 : number(boxes[0].hi[0] + 1);
  if (begin >= end) {
    return {0, 0};
  }
  if (selection.everything) {
    return {begin, end - begin};
  }
  std::vector<LocalIndex> numbers(static_cast<std::size_t>(end - begin));
  std::iota(numbers.begin(), numbers.end(), begin);
  const std::vector<LocalIndex> before = std::exchange(selection.vertices, {});
  std::set_union(before.begin(), before.end(), numbers.begin(), numbers.end(),
                 std::back_inserter(selection.vertices));
  const auto position_of = [&selection](LocalIndex vertex) {
    return static_cast<LocalIndex>(
        std::lower_bound(selection.vertices.begin(), selection.vertices.end(), vertex) -
        selection.vertices.begin());
  };
  for (auto* list : {&selection.edges, &selection.triangles, &selection.tetrahedra}) {
    for (LocalIndex& corner : *list) {
      corner = position_of(before[static_cast<std::size_t>(corner)]);
    }
  }
  return {position_of(begin), end - begin};
}

} // namespace isthmus::transfer
