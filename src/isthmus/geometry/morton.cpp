// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/morton.hpp"

#include "isthmus/geometry/curve.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace isthmus::geometry {
namespace {

// Spreads the low 21 bits to every third place.
std::uint64_t spread3(std::uint64_t x) {
  x = (x | x << 32) & 0x001f00000000ffff;
  x = (x | x << 16) & 0x001f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  x = (x | x << 2) & 0x1249249249249249;
  return x;
}

// Spreads the low 31 bits to every second place.
std::uint64_t spread2(std::uint64_t x) {
  x = (x | x << 16) & 0x0000ffff0000ffff;
  x = (x | x << 8) & 0x00ff00ff00ff00ff;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
  x = (x | x << 2) & 0x3333333333333333;
  x = (x | x << 1) & 0x5555555555555555;
  return x;
}

// Every `dim`-th bit of `key` from `first` on, closed up.
std::uint64_t gather(std::uint64_t key, int dim, int first, int bits) {
  std::uint64_t x = 0;
  for (int b = 0; b < bits; ++b) {
    x |= (key >> (dim * b + first) & 1) << b;
  }
  return x;
}

} // namespace

MortonGrid::MortonGrid(int dim, const Box& box)
    : dim_(dim), lo_(box.empty() ? Point{} : box.lo), edge_(box.longest_edge()) {
  const auto cells = static_cast<double>(std::uint64_t{1} << max_level());
  cells_per_length_ = edge_ > 0.0 && edge_ < Box::infinity ? cells / edge_ : 0.0;
}

std::uint64_t MortonGrid::key(const Point& point) const {
  const auto last = static_cast<double>((std::uint64_t{1} << max_level()) - 1);
  std::array<std::uint64_t, 3> cell{};
  for (int k = 0; k < dim_; ++k) {
    const double x = (point[k] - lo_[k]) * cells_per_length_;
    cell[k] =
        x > 0.0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(x < last ? x : last)) : 0;
  }
  return dim_ == 3 ? spread3(cell[0]) | spread3(cell[1]) << 1 | spread3(cell[2]) << 2
                   : spread2(cell[0]) | spread2(cell[1]) << 1;
}

KeyRange MortonGrid::range(std::uint64_t key, int level) const {
  const int below = dim_ * (max_level() - level);
  const std::uint64_t begin = key >> below << below;
  return {begin, begin + (std::uint64_t{1} << below)};
}

Box MortonGrid::cell(std::uint64_t key, int level) const {
  const double edge = edge_ / static_cast<double>(std::uint64_t{1} << level);
  Box box{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  for (int k = 0; k < dim_; ++k) {
    const std::uint64_t x = gather(key, dim_, k, max_level()) >> (max_level() - level);
    box.lo[k] = lo_[k] + static_cast<double>(x) * edge;
    box.hi[k] = lo_[k] + static_cast<double>(x + 1) * edge;
  }
  return box;
}

void radix_sort(std::vector<std::uint64_t>& words, int first, int count) {
  constexpr int digit = 11;
  std::vector<std::uint64_t> other(words.size());
  for (int shift = first; shift < first + count; shift += digit) {
    const int bits = std::min(digit, first + count - shift);
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    std::array<std::uint32_t, std::size_t{1} << digit> place{};
    for (const std::uint64_t word : words) {
      ++place[word >> shift & mask];
    }
    std::uint32_t sum = 0;
    for (std::uint32_t& p : place) {
      sum += std::exchange(p, sum);
    }
    for (const std::uint64_t word : words) {
      other[place[word >> shift & mask]++] = word;
    }
    words.swap(other);
  }
}

std::vector<LocalIndex> curve_order(int dim, std::span<const double> coords) {
  return order_along_curve(dim, point_count(dim, coords), [&](LocalIndex i) {
    return point_at(dim, coords, static_cast<std::size_t>(i));
  });
}

} // namespace isthmus::geometry
