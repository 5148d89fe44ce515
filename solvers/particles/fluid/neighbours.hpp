// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "particles/fluid/kernel.hpp"
#include "particles/fluid/state.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::mps {

/// A particle near another one.
struct Neighbour {
  std::size_t row;
  Vector way; // to it
  double distance;
  double weight;
};

/// The particles within the kernel's radius of each owned particle, in an order that does not
/// depend on the ranks: sums over them have the same bits on any. Walls that no fluid is near have
/// none.
class Neighbours {
 public:
  /// `of_dummies`: whether these have any.
  explicit Neighbours(bool of_dummies = true) : of_dummies_(of_dummies) {}

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
  [[nodiscard]] std::size_t cell(const exchange::Position& at) const;

  bool of_dummies_;
  double edge_ = 1; // of a cell
  std::array<std::int64_t, 3> low_{}, count_{};
  std::vector<std::size_t> first_; // of each cell in rows_
  std::vector<std::size_t> rows_;  // in each cell ascending by number
  std::vector<char> is_wet_;       // cells with fluid
  std::vector<std::size_t> begin_;
  std::vector<Neighbour> all_;
};

} // namespace isthmus::mps
