// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/exchange/interface_plan.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace isthmus::exchange {

/// How the partial sums of shared nodes become sums. All but allreduce add in the order of the
/// ranks: the same bits on all sharers, whatever comes first and whichever of them is taken.
enum class SumStrategy {
  automatic,     ///< shared_memory where all ranks are on one computer, else what a simple model
                 ///< of messages and bytes finds fastest
  allreduce,     ///< one reduction of the whole interface on every rank
  allgather,     ///< every rank gets all partial sums of the interface
  two_stage,     ///< to the owner, and back (Elias et al. 2009, EdgeCFD)
  shared_memory, ///< as one_round, but through common memory where ranks share a computer;
                 ///< simulated ranks do not
  one_round,     ///< every sharer to every other
};

[[nodiscard]] std::string_view to_string(SumStrategy strategy);

/// What one sum costs a rank; collective operations as their algorithm with the fewest bytes does.
struct SumCost {
  int rounds = 0;            // messages that wait for one another
  std::int64_t messages = 0; // sent
  std::int64_t bytes = 0;    // sent
};

/// Sums over the ranks that share a node, split in two so that work on nodes of one rank alone
/// fits between. Nothing is allocated by begin() and finish().
class InterfaceSum {
 public:
  /// Collective. For values with `components` per node; `comm` must outlive this.
  InterfaceSum(const comm::Comm& comm, const InterfacePlan& plan, int components,
               SumStrategy strategy = SumStrategy::automatic);
  InterfaceSum(InterfaceSum&& other) noexcept;
  InterfaceSum& operator=(InterfaceSum&& other) noexcept;
  /// Collective.
  ~InterfaceSum();

  /// Collective over the neighbours, or over all ranks where the strategy is. Sends partial sums.
  /// `values` are of all touched nodes; only those of shared nodes are read, and must stay until
  /// finish(). Ranks begin several sums in the same order.
  void begin(std::span<const double> values);
  /// Local. Lets the messages of a sum under way travel on; `values` as for finish(). To be called
  /// now and then by work that takes long: MPI moves large messages, and two stages begin their
  /// second one, only in its calls. No other sum may be under way, and finish() must follow.
  /// Whether all has arrived, so that finish() will not wait. Simulated ranks do not look, and say
  /// no.
  bool progress(std::span<double> values);
  /// Collective like begin(). Replaces the partial sums in `values` by the sums.
  void finish(std::span<double> values);
  /// Both halves.
  void operator()(std::span<double> values) {
    begin(values);
    finish(values);
  }

  /// Never `automatic`.
  [[nodiscard]] SumStrategy strategy() const;
  [[nodiscard]] const SumCost& cost() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace isthmus::exchange
