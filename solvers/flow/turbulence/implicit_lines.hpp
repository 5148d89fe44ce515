// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/grid/pieces/seams.hpp"
#include "flow/turbulence/transport.hpp"

#include <span>
#include <vector>

namespace isthmus::flow {

/// Changes of k and omega by implicit transport: along the lines of each axis one after the other,
/// with all that a cell loses on the diagonal of each (diagonally dominant approximate
/// factorization: Pulliam, Chaussee (1981), doi:10.1016/0021-9991(81)90156-X; Bardina, Lombard
/// (1987), doi:10.2514/6.1987-1164). Lines go on through all pieces of a block, and the bits are
/// those of the whole block; to other blocks changes are not linked.
class ImplicitLines {
 public:
  /// The others must outlive it.
  ImplicitLines(const comm::Comm& comm, const Blocks& blocks);

  /// Collective over the ranks that share a block. `rates` of k and omega, num_turbulent arrays of
  /// each own piece, become changes; `diagonals` and `links` (per own piece) are what they grow
  /// less by, for each more of the cell and its neighbours. Adds to `busy` as Smoother does.
  void solve(std::span<const Links> links, std::span<const double> diagonals,
             std::span<double> rates, std::span<double> busy);

 private:
  struct Line;
  void eliminate(const Line& line);
  void substitute(const Line& line);

  const Blocks& blocks_;
  std::vector<std::size_t> begins_; // of num_turbulent arrays, per own piece
  std::vector<std::size_t> places_; // of twice as many
  std::vector<double> work_;        // changes, then what the next cell of a line takes of its own
  Seams seams_;
};

} // namespace isthmus::flow
