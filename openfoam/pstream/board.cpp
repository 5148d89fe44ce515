// SPDX-License-Identifier: GPL-3.0-or-later
#include "board.hpp"

#include <mpi.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>

namespace isthmus::openfoam {

namespace {

// of the values of a rank
constexpr int at_state = 0;
constexpr int at_process = 1;
constexpr int at_collectives = 2;
constexpr int at_exchanges = 3;
constexpr int at_failure = 4;  // of the first process: the first one
constexpr int at_messages = 5; // to each process of the host

constexpr int num_causes = 5;

int load(int* value) {
  return std::atomic_ref(*value).load(std::memory_order_acquire);
}

void store(int* value, int number) {
  std::atomic_ref(*value).store(number, std::memory_order_release);
}

} // namespace

Board::Board() {
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host);
  int ranks = 0;
  int processes = 0;
  int own = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_size(host, &processes);
  MPI_Comm_rank(host, &own);

  width_ = static_cast<std::size_t>(at_messages + processes);
  const std::size_t bytes = static_cast<std::size_t>(processes) * width_ * sizeof(int);
  memory_.emplace(host, bytes);
  places_.assign(static_cast<std::size_t>(ranks), -1);
  if (!memory_->bytes().empty()) {
    own_ = values(own);
    store(own_ + at_process, getpid());
    std::vector<int> on_host(static_cast<std::size_t>(processes));
    MPI_Allgather(&rank_, 1, MPI_INT, on_host.data(), 1, MPI_INT, host);
    for (std::size_t i = 0; i < on_host.size(); ++i) {
      places_[static_cast<std::size_t>(on_host[i])] = static_cast<int>(i);
      if (on_host[i] != rank_) {
        others_.push_back(on_host[i]);
      }
    }
  }
  MPI_Comm_free(&host);
}

int Board::place(int rank) const {
  const auto at = static_cast<std::size_t>(rank);
  return rank >= 0 && at < places_.size() ? places_[at] : -1;
}

int* Board::values(int place) const {
  return reinterpret_cast<int*>(memory_->bytes().data()) + static_cast<std::size_t>(place) * width_;
}

void Board::set(State state) {
  if (own_ != nullptr) {
    store(own_ + at_state, static_cast<int>(state));
  }
}

Board::State Board::state(int rank) const {
  return has(rank) ? static_cast<State>(load(values(place(rank)) + at_state)) : State::works;
}

int Board::process(int rank) const {
  return load(values(place(rank)) + at_process);
}

Board::Failure Board::first(Failure failure) {
  if (own_ == nullptr) {
    return failure;
  }
  int none = 0;
  std::atomic_ref(values(0)[at_failure])
      .compare_exchange_strong(none, failure.rank * num_causes + static_cast<int>(failure.cause));
  return first();
}

Board::Failure Board::first() const {
  const int code = own_ != nullptr ? load(values(0) + at_failure) : 0;
  return {static_cast<Cause>(code % num_causes), code / num_causes};
}

void Board::begin_collective() {
  if (own_ != nullptr) {
    store(own_ + at_collectives, own_[at_collectives] + 1);
  }
}

int Board::num_collectives(int rank) const {
  return load(values(place(rank)) + at_collectives);
}

void Board::end_exchanges(int number) {
  if (own_ != nullptr) {
    store(own_ + at_exchanges, number);
  }
}

int Board::num_exchanges(int rank) const {
  return has(rank) ? load(values(place(rank)) + at_exchanges) : 0;
}

void Board::count_message(int to) {
  if (own_ != nullptr && has(to)) {
    int* value = own_ + at_messages + place(to);
    store(value, *value + 1);
  }
}

int Board::num_messages_from(int rank) const {
  return load(values(place(rank)) + at_messages + place(rank_));
}

} // namespace isthmus::openfoam
