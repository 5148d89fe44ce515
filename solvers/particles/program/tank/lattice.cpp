// SPDX-License-Identifier: BSD-3-Clause
#include "particles/program/tank/lattice.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::mps {

Lattice::Lattice(const Case& from)
    : from_(from),
      layers_(static_cast<std::int64_t>(std::ceil(from.radius))),
      planes_(from.tank.planes(from.dimensions)) {
  for (std::size_t d = 0; d < static_cast<std::size_t>(from.dimensions); ++d) {
    const double cells = (from.tank.upper[d] - from.tank.lower[d]) / from.spacing;
    cells_[d] = std::llround(cells);
    check(std::abs(cells - static_cast<double>(cells_[d])) < 1e-6 * cells,
          "{}: the tank is {} spacings long in direction {}; make it a whole number",
          from.tank.place, cells, d + 1);
    check(cells > from.radius || planes_.empty(),
          "{}: the tank is {} spacings long in direction {}, and particles act {} spacings far; "
          "make it longer than that",
          from.tank.place, cells_[d], d + 1, from.radius);
  }
  for (const Water& water : from.waters) {
    for (std::size_t d = 0; d < static_cast<std::size_t>(from.dimensions); ++d) {
      check(water.lower[d] >= from.tank.lower[d] - slack() &&
                water.upper[d] <= from.tank.upper[d] + slack(),
            "{}: the water reaches out of the tank in direction {}", water.place, d + 1);
    }
  }
}

exchange::Position Lattice::at(const Place& place) const {
  exchange::Position result{};
  for (std::size_t d = 0; d < 3 && has(d); ++d) {
    result[d] =
        from_.tank.lower[d] + (static_cast<double>(place[d] - layers_) + 0.5) * from_.spacing;
  }
  return result;
}

const Obstacle* Lattice::obstacle(const Place& place) const {
  if (outside(place) != 0) {
    return nullptr;
  }
  const exchange::Position here = at(place);
  const Obstacle* result = nullptr;
  std::int64_t solid = 0;
  for (const Obstacle& obstacle : from_.tank.obstacles) {
    if (const std::int64_t depth = inside(obstacle, here); depth > solid) {
      solid = depth;
      result = &obstacle;
    }
  }
  return result;
}

const Inflow* Lattice::inflow(const Place& place) const {
  const exchange::Position here = at(place);
  for (const Inflow& inflow : from_.tank.inflows) {
    bool is_behind = (here[inflow.direction] - inflow.lower[inflow.direction]) * inflow.sign < 0;
    for (std::size_t d = 0; d < 3 && has(d); ++d) {
      is_behind = is_behind && (d == inflow.direction ||
                                (here[d] > inflow.lower[d] && here[d] < inflow.upper[d]));
    }
    if (is_behind) {
      return &inflow;
    }
  }
  return nullptr;
}

std::optional<Lattice::Content> Lattice::content(const Place& place) const {
  const exchange::Position here = at(place);
  if (const std::int64_t depth = outside(place); depth > 0) {
    return wall(depth);
  } else if (depth < 0) {
    return std::nullopt;
  }
  const Obstacle* const solid = obstacle(place);
  for (const Water& water : from_.waters) {
    if (inside(water, here) > 0 && (!water.is_round || is_in_ellipse(water, here))) {
      check(solid == nullptr, "{}: the water is inside of an obstacle at ({}, {}, {})", water.place,
            here[0], here[1], here[2]);
      return Content{Kind::fluid, &water};
    }
  }
  return solid == nullptr ? std::nullopt : wall(inside(*solid, here));
}

std::optional<Lattice::Content> Lattice::wall(std::int64_t depth) const {
  if (depth > layers_) {
    return std::nullopt;
  }
  return Content{depth == 1 ? Kind::wall : Kind::dummy, nullptr};
}

/// Whether a side of the tank is a wall of particles.
bool Lattice::has_wall(std::size_t d, std::size_t side) const {
  return !from_.tank.is_open[d][side] &&
         std::none_of(planes_.begin(), planes_.end(), [&](const Plane& plane) {
           return plane.direction == d && (plane.inward > 0 ? 0U : 1U) == side;
         });
}

/// Layers beyond the tank's sides, 0 within, -1 beyond one that is open or a plane.
std::int64_t Lattice::outside(const Place& place) const {
  std::int64_t result = 0;
  for (std::size_t d = 0; d < 3 && has(d); ++d) {
    const std::int64_t below = layers_ - place[d];
    const std::int64_t above = place[d] - layers_ - cells_[d] + 1;
    if ((below > 0 && !has_wall(d, 0)) || (above > 0 && !has_wall(d, 1))) {
      return -1;
    }
    result = std::max({result, below, above});
  }
  return result;
}

bool Lattice::is_in_ellipse(const Box& box, const exchange::Position& here) const {
  double sum = 0;
  for (std::size_t d = 0; d < 3 && has(d); ++d) {
    const double half = (box.upper[d] - box.lower[d]) / 2;
    const double off = (here[d] - box.lower[d] - half) / half;
    sum += off * off;
  }
  return sum < 1;
}

/// Layers within a box, from its sides on; 0 outside.
std::int64_t Lattice::inside(const Box& box, const exchange::Position& here) const {
  double least = 1e300;
  for (std::size_t d = 0; d < 3 && has(d); ++d) {
    least = std::min({least, here[d] - box.lower[d], box.upper[d] - here[d]});
  }
  return least < slack() ? 0 : static_cast<std::int64_t>(std::floor(least / from_.spacing)) + 1;
}

} // namespace isthmus::mps
