// SPDX-License-Identifier: GPL-3.0-or-later
#include "deliveries.hpp"

#include <sched.h>

#include <stdexcept>
#include <string>

namespace isthmus::openfoam {

namespace {

constexpr double most_seconds = 3600;
constexpr int num_tags = 32768; // what MPI guarantees; so many exchanges are never open at a time

/// Waits for a message and tells its bytes.
int wait_for(int from, int tag, MPI_Comm comm) {
  const double end = MPI_Wtime() + most_seconds;
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(from, tag, comm, &there, &status);
  while (there == 0) {
    if (MPI_Wtime() > end) {
      throw std::runtime_error("rank " + std::to_string(from) +
                               " has sent nothing that is read here for an hour; if it runs, start "
                               "the program without LD_PRELOAD=libPstream.so");
    }
    sched_yield();
    MPI_Iprobe(from, tag, comm, &there, &status);
  }
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  return bytes;
}

} // namespace

void Deliveries::begin(const void* holder, int index, MPI_Comm comm) {
  Line& line = lines_[index];
  if (line.comm == MPI_COMM_NULL) {
    MPI_Comm_dup(comm, &line.comm);
  }
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  exchanges_[holder] = {line.comm, line.next, std::vector<char>(static_cast<std::size_t>(ranks))};
  line.next = (line.next + 1) % num_tags;
}

void Deliveries::send(const void* holder, std::span<const char> bytes, int to, Postbox& postbox) {
  const Exchange& exchange = exchanges_.at(holder);
  postbox.send(bytes, to, exchange.tag, exchange.comm);
}

std::optional<std::vector<char>> Deliveries::take(const void* holder, int from) {
  Exchange& exchange = exchanges_.at(holder);
  char& taken = exchange.taken.at(static_cast<std::size_t>(from));
  if (taken != 0) {
    return std::nullopt;
  }
  taken = 1;
  std::vector<char> bytes(static_cast<std::size_t>(wait_for(from, exchange.tag, exchange.comm)));
  MPI_Recv(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, from, exchange.tag,
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
