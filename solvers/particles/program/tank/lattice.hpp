// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "particles/program/case.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace isthmus::mps {

/// The places where particles start. The number of a particle identifies its place.
class Lattice {
 public:
  using Place = std::array<std::int64_t, 3>;

  /// `from` must outlive it. Throws Error: a tank whose sides are no whole number of spacings
  /// apart or too near, water outside of it.
  explicit Lattice(const Case& from);

  /// Places in each direction, those of walls included.
  [[nodiscard]] std::int64_t count(std::size_t d) const {
    return has(d) ? cells_[d] + 2 * layers_ : 1;
  }
  [[nodiscard]] exchange::Position at(const Place& place) const;
  [[nodiscard]] GlobalIndex id(const Place& place) const {
    return (place[0] * count(1) + place[1]) * count(2) + place[2];
  }
  [[nodiscard]] Place place(GlobalIndex id) const {
    return {id / count(2) / count(1), id / count(2) % count(1), id % count(2)};
  }

  /// Of all places.
  [[nodiscard]] GlobalIndex size() const { return count(0) * count(1) * count(2); }

  /// What is at a place.
  struct Content {
    Kind kind;
    const Water* water; // that it is of; null for walls
  };
  /// Nothing in the air. Throws Error for water inside of an obstacle.
  [[nodiscard]] std::optional<Content> content(const Place& place) const;
  /// That is at a place, the thickest there; null: none, or the tank's wall.
  [[nodiscard]] const Obstacle* obstacle(const Place& place) const;
  /// Behind which a place of the tank's wall is; else null.
  [[nodiscard]] const Inflow* inflow(const Place& place) const;

 private:
  [[nodiscard]] bool has(std::size_t d) const {
    return d < static_cast<std::size_t>(from_.dimensions);
  }
  [[nodiscard]] double slack() const { return 1e-6 * from_.spacing; }
  [[nodiscard]] std::optional<Content> wall(std::int64_t depth) const;
  [[nodiscard]] std::int64_t outside(const Place& place) const;
  [[nodiscard]] bool has_wall(std::size_t d, std::size_t side) const;
  [[nodiscard]] bool is_in_ellipse(const Box& box, const exchange::Position& here) const;
  [[nodiscard]] std::int64_t inside(const Box& box, const exchange::Position& here) const;

  const Case& from_;
  std::int64_t layers_; // of walls
  Place cells_{1, 1, 1};
  std::vector<Plane> planes_;
};

} // namespace isthmus::mps
