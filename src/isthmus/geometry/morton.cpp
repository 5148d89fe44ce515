// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/morton.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
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

// Sorts ascending by bits [first, first + count); words that agree there keep their order.
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

// Keys of points along the curve of their bounding box, as many leading bits as fit above the
// positions in ids, sorted.
struct Keyed {
  std::vector<std::uint64_t> words;
  int id_bits;

  Keyed(int dim, std::span<const double> coords, std::span<const LocalIndex> ids)
      : words(ids.size()), id_bits(std::bit_width(ids.size())) {
    const auto point = [&](LocalIndex id) {
      return point_at(dim, coords, static_cast<std::size_t>(id));
    };
    Box box;
    for (const LocalIndex id : ids) {
      box.expand(point(id));
    }
    const MortonGrid grid(dim, box);
    const int grid_bits = dim * grid.max_level();
    const int key_bits = std::min(64 - id_bits, grid_bits);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      words[i] = grid.key(point(ids[i])) >> (grid_bits - key_bits) << id_bits | i;
    }
    radix_sort(words, id_bits, key_bits);
  }

  [[nodiscard]] std::uint64_t key(std::size_t i) const { return words[i] >> id_bits; }
  [[nodiscard]] std::size_t position(std::size_t i) const {
    return words[i] & ((std::uint64_t{1} << id_bits) - 1);
  }
};

// Crowded cells are sorted along a finer curve of their own; points in one place keep their order.
void sort_along_curve(int dim, std::span<const double> coords, std::span<LocalIndex> ids) {
  constexpr std::size_t crowd = 32;
  const std::size_t n = ids.size();
  const Keyed keyed(dim, coords, ids);
  const std::vector<LocalIndex> before(ids.begin(), ids.end());
  for (std::size_t i = 0; i < n; ++i) {
    ids[i] = before[keyed.position(i)];
  }
  for (std::size_t begin = 0, end = 0; begin < n; begin = end) {
    for (end = begin + 1; end < n && keyed.key(end) == keyed.key(begin);) {
      ++end;
    }
    if (end - begin > crowd && end - begin < n) {
      sort_along_curve(dim, coords, ids.subspan(begin, end - begin));
    }
  }
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

std::uint64_t MortonGrid::first_key(std::uint64_t key, int level) const {
  const int below = dim_ * (max_level() - level);
  return key >> below << below;
}

std::vector<LocalIndex> curve_order(int dim, std::span<const double> coords) {
  std::vector<LocalIndex> ids(point_count(dim, coords));
  std::iota(ids.begin(), ids.end(), 0);
  sort_along_curve(dim, coords, ids);
  return ids;
}

} // namespace isthmus::geometry
