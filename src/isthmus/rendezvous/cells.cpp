// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/rendezvous/cells.hpp"

#include <algorithm>
#include <bit>

namespace isthmus::rendezvous {

namespace {

constexpr double furthest = 1 << 30; // |Cell::at|

unsigned position(int level) {
  return static_cast<unsigned>(level - Cell::bottom);
}

/// Smallest e with 2^e >= x, for finite x > 0.
int ceil_log2(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent); // in [0.5, 1)
  return mantissa == 0.5 ? exponent - 1 : exponent;
}

} // namespace

void Levels::insert(int level) {
  bits[position(level) / 64] |= std::uint64_t{1} << position(level) % 64;
}

bool Levels::contains(int level) const {
  return (bits[position(level) / 64] >> position(level) % 64 & 1U) != 0;
}

int Levels::lowest() const {
  return Cell::bottom + (bits[0] != 0 ? std::countr_zero(bits[0]) : 64 + std::countr_zero(bits[1]));
}

int Levels::at_least(int level) const {
  int highest = Cell::bottom;
  for (int candidate = Cell::bottom; candidate <= Cell::top; ++candidate) {
    if (contains(candidate)) {
      highest = candidate;
      if (candidate >= level) {
        break;
      }
    }
  }
  return highest;
}

int level_of(const geometry::Box& box) {
  double furthest_corner = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    furthest_corner = std::max({furthest_corner, std::abs(box.lo[k]), std::abs(box.hi[k])});
  }
  const double edge = box.longest_edge();
  if (!std::isfinite(furthest_corner) || !std::isfinite(edge)) {
    return Cell::top;
  }
  const int fitting = edge > 0.0 ? ceil_log2(edge) : Cell::bottom;
  const int countable =
      furthest_corner > 0.0 ? ceil_log2(furthest_corner / furthest) : Cell::bottom;
  return std::clamp(std::max(fitting, countable), Cell::bottom, Cell::top);
}

Cell cell_at(int level, const geometry::Point& point) {
  Cell cell{level, {0, 0, 0}};
  for (std::size_t k = 0; k < 3 && level < Cell::top; ++k) {
    const double at = std::floor(std::ldexp(point[k], -level));
    cell.at[k] = static_cast<std::int32_t>(std::clamp(at, -furthest, furthest));
  }
  return cell;
}

std::int64_t CellRange::size() const {
  double size = 1.0;
  for (std::size_t k = 0; k < 3; ++k) {
    size *= 1.0 + hi.at[k] - lo.at[k];
  }
  return static_cast<std::int64_t>(std::min(size, 1e18));
}

CellRange cells_of(const geometry::Box& box, int level) {
  return {cell_at(level, box.lo), cell_at(level, box.hi)};
}

std::uint64_t hash(const Cell& cell) {
  // Rounds of splitmix64, one for each number.
  std::uint64_t h = 0;
  for (const int number : {cell.level, cell.at[0], cell.at[1], cell.at[2]}) {
    h += 0x9e3779b97f4a7c15U + static_cast<std::uint32_t>(number);
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9U;
    h = (h ^ h >> 27) * 0x94d049bb133111ebU;
    h ^= h >> 31;
  }
  return h;
}

int owner(const Cell& cell, int ranks) {
  return static_cast<int>((hash(cell) >> 32) * static_cast<std::uint64_t>(ranks) >> 32);
}

} // namespace isthmus::rendezvous
