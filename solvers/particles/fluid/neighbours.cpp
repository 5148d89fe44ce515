// SPDX-License-Identifier: BSD-3-Clause
#include "particles/fluid/neighbours.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace isthmus::mps {

namespace {

std::int64_t square(double at, double edge) {
  return static_cast<std::int64_t>(std::floor(at / edge));
}

/// The planes across each direction, or null.
using Turn = std::array<const Plane*, 3>;

/// Of another particle as the one at `row` sees it, if it is near enough.
std::optional<Neighbour> image(const Kernel& kernel, std::span<const exchange::Position> positions,
                               std::size_t row, std::size_t other, const Turn& turn) {
  const exchange::Position &here = positions[row], &there = positions[other];
  Neighbour result{other, {}, 0, 0};
  for (std::size_t d = 0; d < 3; ++d) {
    if (turn[d] == nullptr) {
      result.way[d] = there[d] - here[d];
    } else if (before(*turn[d], there) > 0) {
      result.way[d] = (turn[d]->at - there[d]) + (turn[d]->at - here[d]); // the same bits back
      result.turned = static_cast<std::uint8_t>(result.turned | (1U << d));
    } else {
      return std::nullopt;
    }
  }
  const Vector& way = result.way;
  const double square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
  if (square >= kernel.radius() * kernel.radius()) {
    return std::nullopt;
  }
  result.distance = std::sqrt(square);
  result.weight = kernel.weight(result.distance);
  return result;
}

} // namespace

std::size_t Neighbours::cell(const exchange::Position& at) const {
  std::int64_t result = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    result = result * count_[d] + square(at[d], edge_) - low_[d];
  }
  return static_cast<std::size_t>(result);
}

/// With an empty cell around all that have particles.
void Neighbours::sort_into_cells(State& state) {
  const auto positions = state.positions();
  const auto kinds = state.kinds();
  for (std::size_t d = 0; d < 3; ++d) {
    std::int64_t low = 0, high = 0;
    for (std::size_t row = 0; row < positions.size(); ++row) {
      const std::int64_t at = square(positions[row][d], edge_);
      low = row == 0 ? at : std::min(low, at);
      high = row == 0 ? at : std::max(high, at);
    }
    low_[d] = low - 1;
    count_[d] = high - low + 3;
  }
  std::vector<std::size_t> by_id(positions.size());
  std::iota(by_id.begin(), by_id.end(), std::size_t{0});
  std::sort(
      by_id.begin(), by_id.end(),
      [ids = state.particles().ids()](std::size_t a, std::size_t b) { return ids[a] < ids[b]; });
  first_.assign(static_cast<std::size_t>(count_[0] * count_[1] * count_[2]) + 1, 0);
  for (const exchange::Position& at : positions) {
    ++first_[cell(at) + 1];
  }
  is_wet_.assign(first_.size() - 1, 0);
  for (std::size_t row = 0; row < positions.size(); ++row) {
    if (kinds[row] == Kind::fluid) {
      is_wet_[cell(positions[row])] = 1;
    }
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  std::vector<std::size_t> next = first_;
  rows_.resize(by_id.size());
  for (const std::size_t row : by_id) {
    rows_[next[cell(positions[row])]++] = row;
  }
}

bool Neighbours::has_fluid_near(std::size_t cell) const {
  for (std::int64_t x = -1; x <= 1; ++x) {
    for (std::int64_t y = -1; y <= 1; ++y) {
      const std::size_t middle = cell + static_cast<std::size_t>((x * count_[1] + y) * count_[2]);
      if (is_wet_[middle - 1] != 0 || is_wet_[middle] != 0 || is_wet_[middle + 1] != 0) {
        return true;
      }
    }
  }
  return false;
}

void Neighbours::add_row(const Kernel& kernel, State& state, std::size_t row) {
  const auto positions = state.positions();
  const auto kinds = state.kinds();
  const exchange::Position at = positions[row];
  const std::size_t own = cell(at);
  bool is_dry = kinds[row] != Kind::fluid;
  if ((is_dry && !has_fluid_near(own)) || (kinds[row] == Kind::dummy && !of_dummies_)) {
    return;
  }
  const double most = kernel.radius() * kernel.radius();
  for (std::int64_t x = -1; x <= 1; ++x) {
    for (std::int64_t y = -1; y <= 1; ++y) {
      // three cells in a row
      const std::size_t middle = own + static_cast<std::size_t>((x * count_[1] + y) * count_[2]);
      for (std::size_t n = first_[middle - 1]; n < first_[middle + 2]; ++n) {
        const std::size_t other = rows_[n];
        const Vector way = {positions[other][0] - at[0], positions[other][1] - at[1],
                            positions[other][2] - at[2]};
        const double square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
        if (other == row || square >= most) {
          continue;
        }
        check(square > 0, "particles {} and {} are at one place, ({}, {}, {})",
              state.particles().ids()[row], state.particles().ids()[other], at[0], at[1], at[2]);
        is_dry = is_dry && kinds[other] != Kind::fluid;
        const double distance = std::sqrt(square);
        all_.push_back({other, way, distance, kernel.weight(distance), 0});
      }
    }
  }
  if (is_dry) {
    all_.resize(begin_.back());
  } else {
    add_images(kernel, state, row);
  }
}

/// Of the particle and its neighbours, behind each plane that is near, and behind two or three at
/// edges and corners.
void Neighbours::add_images(const Kernel& kernel, State& state, std::size_t row) {
  const auto positions = state.positions();
  std::array<std::array<const Plane*, 3>, 3> near{}; // of each direction: none, and those near
  std::array<std::size_t, 3> count{1, 1, 1};
  for (const Plane& plane : planes_) {
    const double far = before(plane, positions[row]);
    if (far > 0 && far < kernel.radius()) {
      near[plane.direction][count[plane.direction]++] = &plane;
    }
  }
  const std::size_t begin = begin_.back(), end = all_.size();
  for (std::size_t n = 1; n < count[0] * count[1] * count[2]; ++n) {
    const Turn turn{near[0][n % count[0]], near[1][n / count[0] % count[1]],
                    near[2][n / count[0] / count[1]]};
    if (const auto own = image(kernel, positions, row, row, turn)) {
      all_.push_back(*own);
    }
    for (std::size_t k = begin; k < end; ++k) {
      if (const auto other = image(kernel, positions, row, all_[k].row, turn)) {
        all_.push_back(*other);
      }
    }
  }
}

void Neighbours::find(const Kernel& kernel, State& state) {
  edge_ = kernel.radius();
  sort_into_cells(state);
  all_.clear();
  begin_.assign(1, 0);
  for (std::size_t row = 0; row < state.num_owned(); ++row) {
    add_row(kernel, state, row);
    begin_.push_back(all_.size());
  }
}

} // namespace isthmus::mps
