// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/participant/call_names.hpp"
#include "isthmus/participant/session/call_order.hpp"
#include "isthmus/participant/session/coupled_run.hpp"

#include <string>

namespace isthmus::participant {

/// What the solver has to ask before it may go on, and to do where the answer is yes: to give
/// initial data, to keep its state, to go back to it.
class Duties {
 public:
  /// The arguments must outlive the object. `initial_data`: whether this run starts with some.
  Duties(const CallNames& calls, const CallOrder& call_order, const CoupledRun& run,
         bool initial_data)
      : calls_(calls),
        call_order_(call_order),
        run_(run),
        gives_initial_data_(initial_data),
        owes_initial_data_(initial_data) {}

  [[nodiscard]] bool requires_initial_data();
  [[nodiscard]] bool requires_writing_checkpoint();
  [[nodiscard]] bool requires_reading_checkpoint();

  /// Error in initialize() where the solver has not asked for initial data.
  void check_initial_data(const std::string& participant) const;
  /// Error in advance() where it has not asked for checkpoints.
  void check_checkpoints() const;
  /// After a step of the coupling: what the solver owes from now on.
  void impose();

 private:
  const CallNames& calls_;
  const CallOrder& call_order_;
  const CoupledRun& run_;
  bool gives_initial_data_;
  bool owes_initial_data_;    // requires_initial_data() must be asked
  bool owes_writing_ = false; // requires_writing_checkpoint() must be asked
  bool owes_reading_ = false; // requires_reading_checkpoint() must be asked
};

} // namespace isthmus::participant
