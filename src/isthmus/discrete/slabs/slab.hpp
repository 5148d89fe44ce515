// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/exchange/halo.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::discrete {

/// One rank's part of a box of n × n cells across and a multiple along x, which is cut across x:
/// its layers and one layer around them, of other ranks' cells or behind walls. Cells are numbered
/// from 1 in each direction, 0 and the last plus 1 are outside.
class Slab {
 public:
  /// Of `length` · n layers, at least two for each rank.
  Slab(const comm::Comm& comm, int length, int n);

  [[nodiscard]] const comm::Comm& comm() const { return comm_; }
  [[nodiscard]] int n() const { return n_; }
  [[nodiscard]] int first() const { return first_; }   ///< of the box, the first own layer
  [[nodiscard]] int layers() const { return layers_; } ///< own ones
  [[nodiscard]] bool has_left_wall() const { return comm_.is_root(); }
  [[nodiscard]] bool has_right_wall() const { return comm_.rank() + 1 == comm_.size(); }

  /// Number of a cell, those outside as well.
  [[nodiscard]] std::size_t at(int i, int j, int k) const {
    return static_cast<std::size_t>((i * (n_ + 2) + j) * (n_ + 2) + k);
  }
  /// Cells, those outside as well.
  [[nodiscard]] std::size_t size() const { return at(layers_ + 2, 0, 0); }

  /// Calls action(i, j, k) for all own cells.
  template <typename Action>
  void for_cells(Action&& action) const {
    for (int i = 1; i <= layers_; ++i) {
      for (int j = 1; j <= n_; ++j) {
        for (int k = 1; k <= n_; ++k) {
          action(i, j, k);
        }
      }
    }
  }

  /// Collective. Fills the outer layers with the other ranks' values, so many of each cell; behind
  /// walls they stay.
  void exchange(int components, std::span<double> values);

 private:
  const comm::Comm& comm_;
  int n_;
  int first_;
  int layers_;
  exchange::Halo halo_;
  std::vector<double> arrived_; // the outer layers, left and right
};

} // namespace isthmus::discrete
