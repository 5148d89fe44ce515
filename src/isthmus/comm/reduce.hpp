// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace isthmus::comm {

/// Sums of a few doubles over all ranks while the ranks compute: recursive doubling on plain
/// messages, moved on by progress() from the compute loop because MPI moves non-blocking
/// collectives on only when it is called (Hoefler, Lumsdaine, doi 10.1109/CLUSTR.2008.4663757).
/// Additions have a fixed order: all ranks get the same bits, in every run. Ranks beyond the
/// largest power of two add theirs to a neighbour's first. Allocates in the constructor only.
class Reduction {
 public:
  struct Counts {
    std::int64_t reductions = 0;
    std::int64_t messages = 0; ///< sent
    std::int64_t polls = 0;    ///< looks of progress() at messages
  };

  /// For up to `capacity` values. Reductions that are under way at the same time on one
  /// communicator need different streams 0…7, the same on all ranks.
  Reduction(const Comm& comm, std::size_t capacity, int stream = 0);
  Reduction(Reduction&&) noexcept;
  Reduction& operator=(Reduction&&) noexcept;
  Reduction(const Reduction&) = delete;
  Reduction& operator=(const Reduction&) = delete;
  ~Reduction();

  /// Collective. Starts to sum `values`; the same number on all ranks.
  void begin(std::span<const double> values);
  /// Local. Looks whether the message of this stage is there, if it can be by what earlier ones
  /// took, and sends that of the next. Some calls for each of num_stages(), spread over the work,
  /// hide a reduction; a call that is too early reads the clock, and those after the end cost less.
  void progress();
  /// Collective. The sums, valid until the next begin(). Ends with an error as comm::await does.
  std::span<const double> finish();
  /// Collective. begin() and finish().
  std::span<const double> sum(std::span<const double> values);

  [[nodiscard]] bool under_way() const;
  /// Messages that a rank sends and awaits one after the other.
  [[nodiscard]] int num_stages() const;
  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  struct State;
  void step();
  void end();

  const Comm* comm_;
  std::unique_ptr<State> state_; // left to MPI where a reduction is not finished
  Counts counts_;
};

} // namespace isthmus::comm
