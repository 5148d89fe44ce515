// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>

namespace isthmus::flow {

using Index3 = std::array<int, 3>; // i, j, k

/// Layers of ghost cells around a block; none along k if the grid is flat (one cell thick).
constexpr int num_layers = 2;

/// How the cells (or nodes) of a block lie in memory: i fastest, with ghosts at both ends.
class Extent {
 public:
  Extent() = default;
  /// `count` cells or nodes without ghosts.
  Extent(const Index3& count, bool is_flat)
      : count_(count), ghosts_{num_layers, num_layers, is_flat ? 0 : num_layers} {}

  [[nodiscard]] int count(int axis) const { return count_[static_cast<std::size_t>(axis)]; }
  [[nodiscard]] int ghosts(int axis) const { return ghosts_[static_cast<std::size_t>(axis)]; }
  [[nodiscard]] const Index3& counts() const { return count_; }
  [[nodiscard]] bool is_flat() const { return ghosts_[2] == 0; }
  [[nodiscard]] std::size_t length(int axis) const {
    return static_cast<std::size_t>(count(axis) + 2 * ghosts(axis));
  }
  /// With ghosts.
  [[nodiscard]] std::size_t stored() const { return length(0) * length(1) * length(2); }
  /// Without.
  [[nodiscard]] std::size_t interior() const {
    return static_cast<std::size_t>(count_[0]) * static_cast<std::size_t>(count_[1]) *
           static_cast<std::size_t>(count_[2]);
  }
  /// From a cell to the next one along an axis.
  [[nodiscard]] std::ptrdiff_t stride(int axis) const {
    return static_cast<std::ptrdiff_t>(axis == 0   ? 1
                                       : axis == 1 ? length(0)
                                                   : length(0) * length(1));
  }
  /// Position of a cell; ghosts have indices below 0 and from count() on.
  [[nodiscard]] std::size_t at(int i, int j, int k) const {
    const auto ii = static_cast<std::size_t>(i + ghosts_[0]);
    const auto jj = static_cast<std::size_t>(j + ghosts_[1]);
    const auto kk = static_cast<std::size_t>(k + ghosts_[2]);
    return (kk * length(1) + jj) * length(0) + ii;
  }
  [[nodiscard]] std::size_t at(const Index3& c) const { return at(c[0], c[1], c[2]); }
  /// Whether a cell is no ghost.
  [[nodiscard]] bool contains(const Index3& c) const {
    for (int axis = 0; axis < 3; ++axis) {
      const int index = c[static_cast<std::size_t>(axis)];
      if (index < 0 || index >= count(axis)) {
        return false;
      }
    }
    return true;
  }

  /// Calls visit(cell) for all, with ghosts.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for_each_in({-ghosts_[0], -ghosts_[1], -ghosts_[2]},
                {count_[0] + ghosts_[0], count_[1] + ghosts_[1], count_[2] + ghosts_[2]}, visit);
  }
  template <typename Visit>
  static void for_each_in(const Index3& low, const Index3& high, Visit&& visit) {
    for (int k = low[2]; k < high[2]; ++k) {
      for (int j = low[1]; j < high[1]; ++j) {
        for (int i = low[0]; i < high[0]; ++i) {
          visit(Index3{i, j, k});
        }
      }
    }
  }
  /// Calls visit(first, j, k) with the position of the first cell of each row without ghosts.
  template <typename Visit>
  void for_each_row(Visit&& visit) const {
    for (int k = 0; k < count_[2]; ++k) {
      for (int j = 0; j < count_[1]; ++j) {
        visit(at(0, j, k), j, k);
      }
    }
  }

 private:
  Index3 count_{};
  Index3 ghosts_{};
};

} // namespace isthmus::flow
