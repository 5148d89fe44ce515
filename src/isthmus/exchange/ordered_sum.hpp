// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/exchange/halo.hpp"
#include "isthmus/exchange/interface_plan.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace isthmus::exchange {

/// What one element adds to one node of this rank.
struct Contribution {
  LocalIndex node;
  GlobalIndex element;
};

/// Sums whose bits do not depend on how elements are dealt over ranks: contributions to a shared
/// node travel one by one, once to each other sharer, and all of them are added in the order of
/// the elements' global ids, for other nodes, too. Costs as many times the bytes of a sum of
/// partial sums as elements of a rank meet at a shared node.
class OrderedSum {
 public:
  /// Collective. Contributions in any order; each pair of node and element once on all ranks.
  OrderedSum(const comm::Comm& comm, const InterfacePlan& plan,
             std::span<const Contribution> contributions, int components);

  /// Collective over the neighbours. Sends what this rank adds to shared nodes: `components` values
  /// for each contribution, in the order of the constructor.
  void begin(std::span<const double> added);
  /// Collective like begin(), with the same `added`. Sets the sums of all touched nodes; nodes
  /// without contributions become zero.
  void finish(std::span<const double> added, std::span<double> sums);

 private:
  const comm::Comm& comm_;
  std::size_t width_;
  Halo halo_;                        // entries are contributions
  std::vector<std::size_t> offsets_; // of the terms of each node
  std::vector<std::size_t> terms_;   // own contributions, then ghosts
  std::vector<double> ghosts_;
  std::optional<Halo::Pending> pending_;
};

} // namespace isthmus::exchange
