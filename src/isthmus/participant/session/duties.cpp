// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/session/duties.hpp"

#include "isthmus/base/error.hpp"

namespace isthmus::participant {

bool Duties::requires_initial_data() {
  check(call_order_.is(CallOrder::Stage::defining), "{}() has to be called before initialize()",
        calls_[Call::requires_initial_data]);
  owes_initial_data_ = false;
  return gives_initial_data_;
}

bool Duties::requires_writing_checkpoint() {
  call_order_.check_running(calls_[Call::requires_writing_checkpoint]);
  owes_writing_ = false;
  return run_.coupling().starts_iterating();
}

bool Duties::requires_reading_checkpoint() {
  call_order_.check_running(calls_[Call::requires_reading_checkpoint]);
  owes_reading_ = false;
  return run_.coupling().repeats_window();
}

void Duties::check_initial_data(const std::string& participant) const {
  check(!owes_initial_data_,
        "participant \"{}\" has to provide initial data: ask {}() and write it before initialize()",
        participant, calls_[Call::requires_initial_data]);
}

void Duties::check_checkpoints() const {
  check(!owes_writing_,
        "a checkpoint has to be written: ask {}() after initialize() and after each advance(), and "
        "keep the state of the solver where it is true",
        calls_[Call::requires_writing_checkpoint]);
  check(!owes_reading_,
        "the time window is repeated, so the checkpoint has to be read: ask {}() after each "
        "advance(), and restore the state of the solver where it is true",
        calls_[Call::requires_reading_checkpoint]);
}

void Duties::impose() {
  owes_writing_ = run_.coupling().starts_iterating();
  owes_reading_ = run_.coupling().repeats_window();
}

} // namespace isthmus::participant
