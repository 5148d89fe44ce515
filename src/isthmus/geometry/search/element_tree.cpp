// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/search/element_tree.hpp"

#include "isthmus/geometry/search/packing.hpp"

#include <algorithm>
#include <array>

namespace isthmus::geometry {
namespace {

// Entries between the load of corners and their use.
constexpr std::size_t ahead = 16;

} // namespace

ElementTree::ElementTree(int dim, std::span<const double> coords, std::span<const LocalIndex> edges,
                         std::span<const LocalIndex> triangles)
    : dim_(dim), coords_(coords) {
  const Elements elements(dim, point_count(dim, coords), edges, triangles);
  const Box extent = bounding_box(dim, coords);
  const std::vector<Packed> order = packed(extent, elements.size(), [&](LocalIndex i) {
    return center(elements[static_cast<std::size_t>(i)]);
  });
  bvh_ = Bvh(extent, elements.size());
  elements_.resize(elements.size());
  const auto position = [&](std::size_t i) {
    return static_cast<std::size_t>(order[std::min(i, order.size() - 1)].id);
  };
  const auto element = [&](std::size_t i) { return elements[position(i)]; };
  for (std::size_t i = 0; i < order.size(); ++i) {
    elements.prefetch(position(i + 2 * ahead));
    prefetch(element(i + ahead));
    const Element e = element(i);
    e[2] >= 0 ? set<3>(i, e) : e[1] >= 0 ? set<2>(i, e) : set<1>(i, e);
  }
  bvh_.close();
}

inline Point ElementTree::center(const Element& element) const {
  const int count = num_corners(element);
  Point sum = point(element[0]);
  for (int k = 1; k < count; ++k) {
    sum = sum + point(element[k]);
  }
  return 1.0 / count * sum;
}

inline void ElementTree::prefetch(const Element& element) const {
  for (const LocalIndex id : element) {
    __builtin_prefetch(coords_.data() + static_cast<std::ptrdiff_t>(std::max(id, 0)) * dim_);
  }
}

Element ElementTree::ordered(Element element) const {
  std::sort(element.begin(), element.begin() + num_corners(element),
            [this](LocalIndex a, LocalIndex b) { return lexicographic(corner(a), corner(b)); });
  return element;
}

template <int count>
void ElementTree::set(std::size_t item, const Element& element) {
  std::array<Corner, count> v;
  Box box;
  for (int k = 0; k < count; ++k) {
    v[k] = corner(element[k]);
    box.expand(v[k].x);
  }
  std::array<int, count> rank{};
  for (int k = 1; k < count; ++k) {
    for (int j = 0; j < k; ++j) {
      const int after = lexicographic(v[j], v[k]) ? 1 : 0;
      rank[k] += after;
      rank[j] += 1 - after;
    }
  }
  elements_[item] = element; // corners that are not numbers may get equal ranks
  for (int k = 0; k < count; ++k) {
    elements_[item][rank[k]] = element[k];
  }
  bvh_.set_box(item, box);
}

} // namespace isthmus::geometry
