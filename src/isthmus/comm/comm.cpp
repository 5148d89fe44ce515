// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/comm.hpp"

#include "isthmus/comm/alarm.hpp"

namespace isthmus::comm {

Comm::Comm(MPI_Comm parent) {
  MPI_Comm fresh = MPI_COMM_NULL;
  MPI_Comm_dup(parent, &fresh);
  *this = own(fresh);
}

Comm Comm::own(MPI_Comm fresh) {
  Comm result;
  result.comm_ = fresh;
  MPI_Comm_set_errhandler(fresh, MPI_ERRORS_RETURN);
  MPI_Comm_rank(fresh, &result.rank_);
  MPI_Comm_size(fresh, &result.size_);
  return result;
}

Comm::Comm(Comm&& other) noexcept
    : comm_(std::exchange(other.comm_, MPI_COMM_NULL)),
      rank_(std::exchange(other.rank_, 0)),
      size_(std::exchange(other.size_, 1)),
      watch_(std::exchange(other.watch_, nullptr)),
      progress_timeout_s_(other.progress_timeout_s_),
      state_(std::exchange(other.state_, {})) {}

Comm& Comm::operator=(Comm&& other) noexcept {
  std::swap(comm_, other.comm_);
  std::swap(rank_, other.rank_);
  std::swap(size_, other.size_);
  std::swap(watch_, other.watch_);
  std::swap(progress_timeout_s_, other.progress_timeout_s_);
  std::swap(state_, other.state_);
  return *this;
}

Comm::~Comm() {
  if (comm_ == MPI_COMM_NULL || state_.kept > 0) {
    return;
  }
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0) {
    MPI_Comm_free(&comm_);
  }
}

void Comm::set_watch(std::function<void()> watch, double progress_timeout_s) {
  watch_ = std::move(watch);
  progress_timeout_s_ = progress_timeout_s;
}

void Comm::look() const {
  check_alarm(*this);
  if (watch_) {
    watch_();
  }
}

Comm Comm::split(int color) const {
  if (comm_ == MPI_COMM_NULL) {
    return {};
  }
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(comm_, color, rank_, &part);
  Comm result = own(part);
  result.set_watch([this] { look(); }, progress_timeout_s_);
  return result;
}

} // namespace isthmus::comm
