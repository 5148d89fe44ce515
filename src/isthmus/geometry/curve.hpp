// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/morton.hpp"

#include <bit>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace isthmus::geometry {

/// Sorts ascending by bits [first, first + count); words that agree there keep their order.
void radix_sort(std::vector<std::uint64_t>& words, int first, int count);

/// Sorts ids of items along the Morton curve of their bounding box, where `point_of(id)` is the
/// place of an item. A crowded cell is sorted along a finer curve of its own; items in one place
/// keep their order.
template <typename PointOf>
void sort_along_curve(int dim, std::span<LocalIndex> ids, const PointOf& point_of) {
  constexpr std::size_t crowd = 32;
  const std::size_t n = ids.size();
  Box box;
  for (const LocalIndex id : ids) {
    box.expand(point_of(id));
  }
  const MortonGrid grid(dim, box);
  const int id_bits = std::bit_width(n);
  const int grid_bits = dim * grid.max_level();
  const int key_bits = std::min(64 - id_bits, grid_bits);
  const auto key_of = [id_bits](std::uint64_t word) { return word >> id_bits; };
  std::vector<std::uint64_t> words(n); // key above, position in ids below
  for (std::size_t i = 0; i < n; ++i) {
    words[i] = grid.key(point_of(ids[i])) >> (grid_bits - key_bits) << id_bits | i;
  }
  radix_sort(words, id_bits, key_bits);
  const std::vector<LocalIndex> before(ids.begin(), ids.end());
  for (std::size_t i = 0; i < n; ++i) {
    ids[i] = before[words[i] & ((std::uint64_t{1} << id_bits) - 1)];
  }
  for (std::size_t begin = 0, end = 0; begin < n; begin = end) {
    for (end = begin + 1; end < n && key_of(words[end]) == key_of(words[begin]);) {
      ++end;
    }
    if (end - begin > crowd && end - begin < n) {
      sort_along_curve(dim, ids.subspan(begin, end - begin), point_of);
    }
  }
}

/// The order of items 0 to n - 1 along the curve.
template <typename PointOf>
[[nodiscard]] std::vector<LocalIndex> order_along_curve(int dim, std::size_t n,
                                                        const PointOf& point_of) {
  std::vector<LocalIndex> ids(n);
  std::iota(ids.begin(), ids.end(), 0);
  sort_along_curve(dim, ids, point_of);
  return ids;
}

} // namespace isthmus::geometry
