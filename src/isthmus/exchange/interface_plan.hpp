// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/sparse/traffic.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::exchange {

/// The interface of a mesh whose elements are dealt over ranks: which nodes a rank shares with
/// which others. A node belongs to the lowest rank that touches it. Immutable once made; memory
/// grows with the shared nodes and their sharers, never with the number of ranks. Lists of nodes
/// are in the order of the global ids.
struct InterfacePlan {
  struct Neighbour {
    int rank;
    std::vector<LocalIndex> nodes;  // local nodes that both touch
    std::vector<LocalIndex> theirs; // position of each among the shared nodes of the other
  };

  int rank = 0;
  LocalIndex num_nodes = 0;               // that this rank touches
  std::vector<LocalIndex> shared;         // local nodes that others touch too
  std::vector<std::size_t> offsets = {0}; // of the sharers of shared[i]
  std::vector<int> sharers;               // ascending, own rank included
  std::vector<Neighbour> neighbours;      // ascending by rank
  std::vector<LocalIndex> foreign;        // local nodes that another rank owns, ascending

  [[nodiscard]] std::span<const int> sharers_of(std::size_t i) const {
    return std::span(sharers).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
  [[nodiscard]] int owner_of(std::size_t i) const { return sharers[offsets[i]]; }
  [[nodiscard]] LocalIndex num_owned() const {
    return num_nodes - static_cast<LocalIndex>(foreign.size());
  }
};

/// Collective. `ids` are the global ids of the nodes that this rank touches, ascending, each once;
/// node i of the plan is ids[i]. Sharers meet at ranks that are found by hashing ids.
[[nodiscard]] InterfacePlan make_interface_plan(const comm::Comm& comm,
                                                std::span<const GlobalIndex> ids,
                                                comm::Traffic* traffic = nullptr);

/// The same plan where node i is called numbers[i].
[[nodiscard]] InterfacePlan renumber(InterfacePlan plan, std::span<const LocalIndex> numbers);

} // namespace isthmus::exchange
