// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/exchange/interface_halo.hpp"
#include "isthmus/exchange/interface_sum.hpp"
#include "isthmus/exchange/sums/node_memory.hpp"

#include <optional>
#include <span>
#include <vector>

namespace isthmus::exchange {

/// Sharers on one computer read each other's partial sums, others send them.
class NodeSum {
 public:
  NodeSum(const comm::Comm& comm, const InterfacePlan& plan, int components);
  void begin(std::span<const double> values);
  bool progress(std::span<double> values);
  void finish(std::span<double> values);
  [[nodiscard]] SumCost cost() const;

 private:
  struct Reader {
    int local;                       // position on this computer
    std::vector<LocalIndex> entries; // in its slot
  };

  const comm::Comm& comm_;
  int components_;
  std::vector<Reader> readers_;
  Halo far_; // to other computers
  Fold fold_;
  std::vector<double> ghosts_; // of far_, then of all readers
  NodeMemory memory_;
  std::optional<Halo::Pending> pending_;
};

} // namespace isthmus::exchange
