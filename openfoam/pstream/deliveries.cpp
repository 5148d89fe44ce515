// SPDX-License-Identifier: GPL-3.0-or-later
#include "deliveries.hpp"

#include "watch.hpp"

#include <sched.h>

#include <stdexcept>
#include <string>

namespace isthmus::openfoam {

namespace {

constexpr double most_seconds = 3600; // where nothing is known of the other rank
constexpr double last_seconds = 2;    // after it is known to have sent all that it sends
constexpr int last_looks = 1000;
constexpr int num_tags = 32768; // what MPI guarantees; so many exchanges are never open at a time

/// Whether a rank of the world has sent all that it sends in its first exchanges, or ever.
bool has_passed(int rank, int index, int number) {
  if (watch() == nullptr) {
    return false;
  }
  const Board& board = watch()->board();
  return board.state(rank) != Board::State::works ||
         (index == 0 && board.num_exchanges(rank) > number);
}

[[noreturn]] void end(int rank, Board::Cause cause) {
  if (watch() == nullptr) {
    throw std::runtime_error("rank " + std::to_string(rank) + " has sent nothing");
  }
  watch()->end({cause, rank});
}

} // namespace

/// Waits for a message and says how many bytes it has.
int Deliveries::wait_for(int from, const Exchange& exchange) {
  const int tag = exchange.number % num_tags;
  const int rank = exchange.ranks[static_cast<std::size_t>(from)];
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(from, tag, exchange.comm, &there, &status);
  if (there == 0) {
    const Waiting waiting("a message", std::span(&rank, 1));
    const double start = MPI_Wtime();
    double passed = 0; // since when it is known that nothing comes any more
    for (int looks = 0; there == 0; ++looks) {
      const double now = MPI_Wtime();
      if (passed == 0 && has_passed(rank, exchange.index, exchange.number)) {
        passed = now;
        looks = 0;
      }
      if (passed > 0 && now > passed + last_seconds && looks > last_looks) {
        end(rank, Board::Cause::silence);
      }
      if (now > start + most_seconds) {
        end(rank, Board::Cause::hour);
      }
      sched_yield();
      MPI_Iprobe(from, tag, exchange.comm, &there, &status);
    }
  }
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  return bytes;
}

void Deliveries::begin(const void* holder, int index, const Communicators& communicators) {
  Line& line = lines_[index];
  if (line.comm == MPI_COMM_NULL) {
    const Waiting waiting("the first exchange", index);
    MPI_Comm_dup(communicators.at(index), &line.comm);
  }
  const auto ranks = communicators.ranks(index);
  exchanges_[holder] = {
      line.comm, index, line.next, {ranks.begin(), ranks.end()}, std::vector<char>(ranks.size())};
  ++line.next;
}

void Deliveries::send(const void* holder, std::span<const char> bytes, int to, Postbox& postbox) {
  const Exchange& exchange = exchanges_.at(holder);
  postbox.send(bytes, to, exchange.number % num_tags, exchange.comm);
}

void Deliveries::end_sends(const void* holder) {
  const Exchange& exchange = exchanges_.at(holder);
  if (exchange.index == 0 && watch() != nullptr) {
    watch()->board().end_exchanges(exchange.number + 1);
  }
}

std::optional<std::vector<char>> Deliveries::take(const void* holder, int from) {
  Exchange& exchange = exchanges_.at(holder);
  char& taken = exchange.taken.at(static_cast<std::size_t>(from));
  if (taken != 0) {
    return std::nullopt;
  }
  taken = 1;
  std::vector<char> bytes(static_cast<std::size_t>(wait_for(from, exchange)));
  MPI_Recv(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, from, exchange.number % num_tags,
           exchange.comm, MPI_STATUS_IGNORE);
  return bytes;
}

void Deliveries::free(int index) {
  if (const auto line = lines_.find(index); line != lines_.end()) {
    MPI_Comm_free(&line->second.comm);
    lines_.erase(line);
  }
}

} // namespace isthmus::openfoam
