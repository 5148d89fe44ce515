// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/exchange/halo.hpp"
#include "isthmus/exchange/interface_plan.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::exchange {

/// A Halo between sharers of nodes; entries are local nodes.
struct InterfaceHalo {
  Halo halo;
  std::vector<LocalIndex> nodes; // local node of each ghost
};

/// Everybody gets what all other sharers of its nodes have.
[[nodiscard]] InterfaceHalo all_sharers(const InterfacePlan& plan);
/// Owners get what the other sharers have.
[[nodiscard]] InterfaceHalo to_owners(const InterfacePlan& plan);
/// The other sharers get what the owners have.
[[nodiscard]] InterfaceHalo from_owners(const InterfacePlan& plan);

/// Sums of own values and ghosts, always in the order of the ranks that they come from: whoever
/// adds the same values gets the same bits.
struct Fold {
  static constexpr LocalIndex own = -1;

  std::vector<LocalIndex> nodes;
  std::vector<std::size_t> offsets = {0}; // of the terms of nodes[i]
  std::vector<LocalIndex> terms;          // ghosts, or own

  /// values[node] becomes the sum of the terms of each node.
  void apply(int components, std::span<const double> ghosts, std::span<double> values) const;
  /// Ghost k is found at positions[k] from now on.
  void move_ghosts(std::span<const LocalIndex> positions);
};

/// Of all shared nodes and the ghosts of all_sharers().
[[nodiscard]] Fold fold_all(const InterfacePlan& plan);
/// Of the owned shared nodes and the ghosts of to_owners().
[[nodiscard]] Fold fold_owned(const InterfacePlan& plan);

} // namespace isthmus::exchange
