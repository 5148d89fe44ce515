// SPDX-License-Identifier: BSD-3-Clause
#include "particles/program/fill.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace isthmus::mps {

namespace {

class Lattice {
 public:
  explicit Lattice(const Case& from)
      : from_(from), layers_(static_cast<std::int64_t>(std::ceil(from.radius))) {
    for (std::size_t d = 0; d < static_cast<std::size_t>(from.dimensions); ++d) {
      const double cells = (from.tank.upper[d] - from.tank.lower[d]) / from.spacing;
      cells_[d] = std::llround(cells);
      check(std::abs(cells - static_cast<double>(cells_[d])) < 1e-6 * cells,
            "{}: the tank is {} spacings long in direction {}; make it a whole number",
            from.tank.place, cells, d + 1);
    }
    for (const Box& water : from.waters) {
      for (std::size_t d = 0; d < static_cast<std::size_t>(from.dimensions); ++d) {
        check(water.lower[d] >= from.tank.lower[d] - slack() &&
                  water.upper[d] <= from.tank.upper[d] + slack(),
              "{}: the water reaches out of the tank in direction {}", water.place, d + 1);
      }
    }
  }

  /// Places in each direction, those of walls included.
  [[nodiscard]] std::int64_t count(std::size_t d) const {
    return has(d) ? cells_[d] + 2 * layers_ : 1;
  }
  [[nodiscard]] exchange::Position at(const std::array<std::int64_t, 3>& place) const {
    exchange::Position result{};
    for (std::size_t d = 0; d < 3 && has(d); ++d) {
      result[d] =
          from_.tank.lower[d] + (static_cast<double>(place[d] - layers_) + 0.5) * from_.spacing;
    }
    return result;
  }
  [[nodiscard]] GlobalIndex id(const std::array<std::int64_t, 3>& place) const {
    return (place[0] * count(1) + place[1]) * count(2) + place[2];
  }

  /// What is at a place, and how fast it moves.
  struct Content {
    Kind kind;
    Vector velocity;
  };
  [[nodiscard]] std::optional<Content> content(const std::array<std::int64_t, 3>& place) const {
    const exchange::Position here = at(place);
    if (const std::int64_t depth = outside(place); depth > 0) {
      return wall(depth);
    } else if (depth < 0) {
      return std::nullopt;
    }
    std::int64_t solid = 0;
    for (const Box& obstacle : from_.obstacles) {
      solid = std::max(solid, inside(obstacle, here));
    }
    for (const Box& water : from_.waters) {
      if (inside(water, here) > 0) {
        check(solid == 0, "{}: the water is inside of an obstacle at ({}, {}, {})", water.place,
              here[0], here[1], here[2]);
        return Content{Kind::fluid, water.velocity};
      }
    }
    return solid > 0 ? wall(solid) : std::nullopt;
  }

 private:
  [[nodiscard]] bool has(std::size_t d) const {
    return d < static_cast<std::size_t>(from_.dimensions);
  }
  [[nodiscard]] double slack() const { return 1e-6 * from_.spacing; }

  [[nodiscard]] std::optional<Content> wall(std::int64_t depth) const {
    if (depth > layers_) {
      return std::nullopt;
    }
    return Content{depth == 1 ? Kind::wall : Kind::dummy, {}};
  }

  /// Layers beyond the tank's sides, 0 within, -1 beyond an open one.
  [[nodiscard]] std::int64_t outside(const std::array<std::int64_t, 3>& place) const {
    std::int64_t result = 0;
    for (std::size_t d = 0; d < 3 && has(d); ++d) {
      const std::int64_t below = layers_ - place[d];
      const std::int64_t above = place[d] - layers_ - cells_[d] + 1;
      if ((below > 0 && from_.is_open[d][0]) || (above > 0 && from_.is_open[d][1])) {
        return -1;
      }
      result = std::max({result, below, above});
    }
    return result;
  }

  /// Layers within a box, from its sides on; 0 outside.
  [[nodiscard]] std::int64_t inside(const Box& box, const exchange::Position& here) const {
    double least = 1e300;
    for (std::size_t d = 0; d < 3 && has(d); ++d) {
      least = std::min({least, here[d] - box.lower[d], box.upper[d] - here[d]});
    }
    return least < slack() ? 0 : static_cast<std::int64_t>(std::floor(least / from_.spacing)) + 1;
  }

  const Case& from_;
  std::int64_t layers_;
  std::array<std::int64_t, 3> cells_{1, 1, 1};
};

} // namespace

void fill(const comm::Comm& comm, const Case& from, State& to) {
  comm::agree(comm, [&] {
    const Lattice lattice(from);
    const std::int64_t begin = lattice.count(0) * comm.rank() / comm.size();
    const std::int64_t end = lattice.count(0) * (comm.rank() + 1) / comm.size();
    for (std::int64_t i = begin; i < end; ++i) {
      for (std::int64_t j = 0; j < lattice.count(1); ++j) {
        for (std::int64_t k = 0; k < lattice.count(2); ++k) {
          const std::array<std::int64_t, 3> place{i, j, k};
          if (const auto content = lattice.content(place)) {
            const auto row = static_cast<std::size_t>(
                to.particles().insert(lattice.id(place), lattice.at(place)));
            to.kinds()[row] = content->kind;
            std::copy(content->velocity.begin(), content->velocity.end(),
                      to.velocities().begin() + static_cast<std::ptrdiff_t>(3 * row));
          }
        }
      }
    }
  });
}

} // namespace isthmus::mps
