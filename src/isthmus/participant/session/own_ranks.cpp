// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/session/own_ranks.hpp"

#include "isthmus/base/clock.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/alarm.hpp"
#include "isthmus/participant/factory.hpp"

#include <new>
#include <utility>

namespace isthmus::participant {

OwnRanks::~OwnRanks() {
  mpi_end_.reset();
  roll_call_.reset();
  comm_ = comm::Comm();
  if (ends_mpi_ && !has_mpi_ended()) {
    MPI_Finalize();
  }
}

void OwnRanks::gather(const Launch& launch, std::function<void()> mpi_ends, bool& met) {
  comm_ = make_comm(participant_, launch, initialized_mpi_, met);
  mpi_end_.emplace(std::move(mpi_ends));
  roll_call_.emplace(comm_);
}

bool OwnRanks::has_mpi_ended() {
  int ended = 0;
  MPI_Finalized(&ended);
  return ended != 0;
}

void OwnRanks::watch(std::function<void()> work, double progress_timeout_s) {
  comm_.set_watch(std::move(work), progress_timeout_s);
}

void OwnRanks::leave() {
  roll_call_->leave(num_steps_);
}

void OwnRanks::check_others() {
  comm::check_alarm(comm_);
  check(roll_call_->is_complete(num_steps_),
        "rank {} has called finalize(), and this one has gone on; all ranks of participant \"{}\" "
        "must call advance() equally often, and finalize() after it",
        (comm_.rank() + comm_.size() - 1) % comm_.size(), participant_);
}

void OwnRanks::check_others_seldom() {
  const double time = now();
  if (time - last_look_ > 0.1) {
    last_look_ = time;
    check_others();
  }
}

std::string OwnRanks::raise_alarm(const std::string& cause, bool from_alarm) noexcept {
  std::string text;
  try {
    text =
        from_alarm || comm_.size() == 1 ? cause : fmt::format("rank {}: {}", comm_.rank(), cause);
  } catch (const std::bad_alloc&) {
    text = "std::bad_alloc"; // short enough to need no memory
  }
  comm::raise_alarm(comm_, text);
  return text;
}

} // namespace isthmus::participant
