// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/grid/pieces/seams.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace isthmus::flow {

/// Implicit smoothing of changes along i, then j, then k: (1 - e d2) new = old along each line of a
/// block, with nothing through its ends. Jameson (1983), doi:10.1016/0096-3003(83)90019-X. Lines go
/// on through all pieces of a block: where it is cut, ranks hand the elimination on, and the bits
/// are those of the whole block.
class Smoother {
 public:
  /// `strength` e; a piece has `fields` arrays, see Blocks::offsets. The others must outlive it.
  Smoother(const comm::Comm& comm, const Blocks& blocks, double strength, std::size_t fields);

  /// Collective over the ranks that share a block. In place, all arrays of all own pieces; what
  /// these have as ghosts is lost. Adds the processor time of each piece to `busy`.
  void smooth(std::span<double> values, std::span<double> busy);

 private:
  /// The elimination of a tridiagonal matrix with rows (-e, 1 + 2 e, -e), 1 + e at the ends.
  struct Elimination {
    Elimination(int n, double e);
    std::vector<double> pivots;
    std::vector<double> factors;
  };
  /// All cut pieces of this rank along an axis: elimination upwards, substitution downwards.
  void pass(int axis, bool upwards, std::span<double> values, std::span<double> busy);
  void sweep(std::size_t own, int axis, bool upwards, std::span<double> values, double& busy) const;

  const Blocks& blocks_;
  double strength_;
  std::size_t fields_;
  std::vector<std::size_t> begins_; // of the arrays, per own piece
  Seams seams_;
  std::map<int, Elimination> lines_; // by number of cells of a block along an axis
};

} // namespace isthmus::flow
