// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/grid/ghosts.hpp"
#include "isthmus/comm/sparse/message.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace isthmus::flow {

/// Where the own pieces meet others of their blocks: lines of cells that go on through all pieces
/// of a block are worked on piece by piece, and what one has found at its end is handed to the
/// next.
class Seams {
 public:
  /// A piece has `fields` arrays, see Blocks::offsets. The others must outlive it.
  Seams(const comm::Comm& comm, const Blocks& blocks, std::size_t fields);

  /// Whether an own piece is a part of a block.
  [[nodiscard]] bool is_cut(std::size_t own) const { return !seams_[own].empty(); }

  /// Collective over the ranks that share a block. Calls sweep(own) for all cut own pieces in their
  /// order along an axis, after their ghosts at the seam before have the values of the first
  /// `handed` fields there.
  void pass(int axis, bool upwards, std::size_t handed, std::span<double> values,
            const std::function<void(std::size_t own)>& sweep) const;

 private:
  struct Seam {
    int axis;
    bool is_above; // the other piece
    int rank;      // of it
    int tag;       // of messages through it, either way
    Index3 begin;  // own cells at it, counted in the piece
    Index3 end;
  };
  void send(std::size_t own, const Seam& seam, std::size_t handed, std::span<const double> values,
            comm::Sends& sent) const;
  void receive(std::size_t own, const Seam& seam, std::size_t handed,
               std::span<double> values) const;
  template <typename Visit>
  void for_each_value(std::size_t own, const Seam& seam, int layer, std::size_t handed,
                      Visit&& visit) const;

  const comm::Comm& comm_;
  const Blocks& blocks_;
  std::vector<std::size_t> begins_;      // of the arrays, per own piece
  std::vector<std::vector<Seam>> seams_; // per own piece
};

} // namespace isthmus::flow
