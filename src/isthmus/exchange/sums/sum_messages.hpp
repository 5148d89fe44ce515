// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/exchange/interface_halo.hpp"
#include "isthmus/exchange/interface_sum.hpp"

#include <optional>
#include <span>
#include <vector>

/// Interface sums by messages between sharers.
namespace isthmus::exchange {

/// Of one exchange forward.
[[nodiscard]] SumCost message_cost(const Halo& halo, int components);

/// Every sharer sends its partial sum to the others; all of them add.
class OneRound {
 public:
  OneRound(const comm::Comm& comm, const InterfacePlan& plan, int components);
  void begin(std::span<const double> values);
  bool progress(std::span<double> values);
  void finish(std::span<double> values);
  [[nodiscard]] SumCost cost() const;

 private:
  const comm::Comm& comm_;
  int components_;
  Halo halo_;
  Fold fold_;
  std::vector<double> ghosts_;
  std::optional<Halo::Pending> pending_;
};

/// Sharers send their partial sums to the owner, which adds and sends the sum back.
class TwoStage {
 public:
  TwoStage(const comm::Comm& comm, const InterfacePlan& plan, int components);
  void begin(std::span<const double> values);
  bool progress(std::span<double> values);
  void finish(std::span<double> values);
  [[nodiscard]] SumCost cost() const;

 private:
  void send_down(std::span<double> values);

  const comm::Comm& comm_;
  int components_;
  Halo up_;
  InterfaceHalo down_;
  Fold fold_;
  std::vector<double> gathered_; // at owners
  std::vector<double> sums_;     // from owners
  std::optional<Halo::Pending> pending_;
  bool is_down_ = false; // the second stage is under way
};

} // namespace isthmus::exchange
