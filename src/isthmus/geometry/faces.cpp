// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/faces.hpp"

#include "isthmus/base/sequence.hpp"

#include <algorithm>
#include <array>

namespace isthmus::geometry {

namespace {

using Face = std::array<LocalIndex, 3>;
using Tetrahedron = std::array<LocalIndex, 4>;

std::vector<Tetrahedron> different(std::span<const LocalIndex> tetrahedra) {
  std::vector<Tetrahedron> sorted(tetrahedra.size() / 4);
  for (std::size_t t = 0; t < sorted.size(); ++t) {
    std::copy_n(tetrahedra.begin() + static_cast<std::ptrdiff_t>(4 * t), 4, sorted[t].begin());
    std::sort(sorted[t].begin(), sorted[t].end());
  }
  sort_once(sorted);
  return sorted;
}

} // namespace

std::vector<LocalIndex> faces_of(std::span<const LocalIndex> tetrahedra, Faces which) {
  std::vector<Face> faces;
  faces.reserve(tetrahedra.size());
  for (const auto& [a, b, c, d] : different(tetrahedra)) {
    faces.insert(faces.end(), {{a, b, c}, {a, b, d}, {a, c, d}, {b, c, d}});
  }
  std::sort(faces.begin(), faces.end());
  std::vector<LocalIndex> result;
  for (auto first = faces.begin(); first != faces.end();) {
    const auto last =
        std::find_if(first, faces.end(), [first](const Face& f) { return f != *first; });
    if (which == Faces::all || last - first == 1) {
      result.insert(result.end(), first->begin(), first->end());
    }
    first = last;
  }
  return result;
}

} // namespace isthmus::geometry
