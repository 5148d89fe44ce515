// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "particles/fluid/kernel.hpp"
#include "particles/fluid/state.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace isthmus::mps {

/// A wall across a direction that extends without end: what is before it has an image behind it.
struct Plane {
  std::size_t direction;
  double at;
  double inward; // 1 where the fluid is above it, -1 below
};

/// How far a place is before a plane.
[[nodiscard]] inline double before(const Plane& plane, const exchange::Position& place) {
  return (place[plane.direction] - plane.at) * plane.inward;
}

/// A particle near another one, or an image near it.
struct Neighbour {
  std::size_t row;
  Vector way; // to it
  double distance;
  double weight;
  std::uint8_t turned = 0; // the directions across which it is an image, as bits
};

/// What flows past it: an image has the velocity of its particle, turned across the plane.
[[nodiscard]] inline Vector velocity_of(std::span<const double> velocities,
                                        const Neighbour& neighbour) {
  Vector result{};
  for (std::size_t d = 0; d < 3; ++d) {
    const double component = velocities[3 * neighbour.row + d];
    result[d] = (neighbour.turned >> d & 1) != 0 ? -component : component;
  }
  return result;
}

/// The particles within the kernel's radius of each owned particle, in an order that does not
/// depend on the ranks: sums over them have the same bits on any. Images behind planes are among
/// them, that of the particle itself, too. Walls that no fluid is near have none.
class Neighbours {
 public:
  /// `of_dummies`: whether these have any.
  explicit Neighbours(bool of_dummies = true, std::vector<Plane> planes = {})
      : of_dummies_(of_dummies), planes_(std::move(planes)) {}

  /// Finds them. Throws Error naming two particles at one place.
  void find(const Kernel& kernel, State& state);

  [[nodiscard]] std::span<const Neighbour> of(std::size_t owned) const {
    return std::span(all_).subspan(begin_[owned], begin_[owned + 1] - begin_[owned]);
  }
  [[nodiscard]] std::size_t num_pairs() const { return all_.size(); }

 private:
  void sort_into_cells(State& state);
  [[nodiscard]] bool has_fluid_near(std::size_t cell) const;
  void add_row(const Kernel& kernel, State& state, std::size_t row);
  void add_images(const Kernel& kernel, State& state, std::size_t row);
  [[nodiscard]] std::size_t cell(const exchange::Position& at) const;

  bool of_dummies_;
  std::vector<Plane> planes_;
  double edge_ = 1; // of a cell
  std::array<std::int64_t, 3> low_{}, count_{};
  std::vector<std::size_t> first_; // of each cell in rows_
  std::vector<std::size_t> rows_;  // in each cell ascending by number
  std::vector<char> is_wet_;       // cells with fluid
  std::vector<std::size_t> begin_;
  std::vector<Neighbour> all_;
};

} // namespace isthmus::mps
