// SPDX-License-Identifier: GPL-3.0-or-later
#include "ranks.hpp"

#include "watch.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>

namespace isthmus::openfoam {

const Communicators::Entry& Communicators::entry(int index) const {
  if (index < 0 || static_cast<std::size_t>(index) >= entries_.size() ||
      entries_[static_cast<std::size_t>(index)].comm == MPI_COMM_NULL) {
    throw std::out_of_range("this rank has no part in communicator " + std::to_string(index) +
                            ", or it has been freed");
  }
  return entries_[static_cast<std::size_t>(index)];
}

void Communicators::put(int index, MPI_Comm comm) {
  const auto place = static_cast<std::size_t>(index);
  entries_.resize(std::max(entries_.size(), place + 1));
  entries_[place] = {comm, {}};
  if (comm == MPI_COMM_NULL) {
    return;
  }
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Group part = MPI_GROUP_NULL;
  int size = 0;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Comm_group(comm, &part);
  MPI_Group_size(part, &size);
  std::vector<int> numbers(static_cast<std::size_t>(size));
  std::iota(numbers.begin(), numbers.end(), 0);
  entries_[place].ranks.resize(numbers.size());
  MPI_Group_translate_ranks(part, size, numbers.data(), world, entries_[place].ranks.data());
  MPI_Group_free(&world);
  MPI_Group_free(&part);
}

void Communicators::set_world(int index) {
  put(index, MPI_COMM_WORLD);
}

int Communicators::make(int parent, int index, std::span<const int> ranks) {
  MPI_Group whole = MPI_GROUP_NULL;
  MPI_Group part = MPI_GROUP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  const Waiting waiting("a new communicator", parent);
  MPI_Comm_group(at(parent), &whole);
  MPI_Group_incl(whole, static_cast<int>(ranks.size()), ranks.data(), &part);
  MPI_Comm_create(at(parent), part, &comm);
  MPI_Group_free(&whole);
  MPI_Group_free(&part);
  put(index, comm);
  int rank = -1;
  if (comm != MPI_COMM_NULL) {
    MPI_Comm_rank(comm, &rank);
  }
  return rank;
}

void Communicators::free(int index) {
  const auto place = static_cast<std::size_t>(index);
  if (place >= entries_.size()) {
    return;
  }
  MPI_Comm& comm = entries_[place].comm;
  if (comm != MPI_COMM_NULL && comm != MPI_COMM_WORLD) {
    MPI_Comm_free(&comm);
  }
  entries_[place] = {};
}

MPI_Request& Requests::at(int number) {
  if (number < 0 || number >= count()) {
    throw std::out_of_range("there is no request " + std::to_string(number) + " among " +
                            std::to_string(count()));
  }
  return open_[static_cast<std::size_t>(number)];
}

void Requests::truncate(int count) {
  const auto left = static_cast<std::size_t>(std::max(count, 0));
  for (std::size_t i = left; i < open_.size(); ++i) {
    if (open_[i] != MPI_REQUEST_NULL) {
      MPI_Request_free(&open_[i]);
    }
  }
  open_.resize(std::min(open_.size(), left));
  ranks_.resize(open_.size());
}

void Requests::wait_from(int first) {
  const int left = count() - first;
  if (left > 0) {
    const Waiting waiting("messages", std::span(ranks_).subspan(static_cast<std::size_t>(first)));
    MPI_Waitall(left, open_.data() + first, MPI_STATUSES_IGNORE);
    truncate(first);
  }
}

void Requests::wait(int number) {
  MPI_Request& request = at(number);
  const Waiting waiting("a message",
                        std::span(ranks_).subspan(static_cast<std::size_t>(number), 1));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

bool Requests::is_done(int number) {
  int done = 0;
  MPI_Test(&at(number), &done, MPI_STATUS_IGNORE);
  return done != 0;
}

void Postbox::send(std::span<const char> bytes, int to, int tag, MPI_Comm comm) {
  drop_sent();
  Message& message = messages_.emplace_back();
  message.bytes.assign(bytes.begin(), bytes.end());
  MPI_Isend(message.bytes.data(), static_cast<int>(message.bytes.size()), MPI_BYTE, to, tag, comm,
            &message.request);
}

void Postbox::drop_sent() {
  messages_.remove_if([](Message& message) {
    int done = 0;
    MPI_Test(&message.request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  });
}

void Postbox::flush() {
  const Waiting waiting("messages to be taken", -1);
  for (Message& message : messages_) {
    MPI_Wait(&message.request, MPI_STATUS_IGNORE);
  }
  messages_.clear();
}

std::size_t Postbox::bytes() const {
  return std::accumulate(
      messages_.begin(), messages_.end(), std::size_t{0},
      [](std::size_t sum, const Message& message) { return sum + message.bytes.size(); });
}

namespace {

/// Adds neighbours among the first 2 `pairs` of `left` rows, and closes the gaps. Returns how many
/// are left.
std::size_t add_pairs(double* rows, std::size_t width, std::size_t pairs, std::size_t left) {
  for (std::size_t row = 0; row < pairs; ++row) {
    for (std::size_t i = 0; i < width; ++i) {
      rows[row * width + i] = rows[2 * row * width + i] + rows[(2 * row + 1) * width + i];
    }
  }
  std::copy(rows + 2 * pairs * width, rows + left * width, rows + pairs * width);
  return left - pairs;
}

} // namespace

void add_rows(std::span<double> rows, std::size_t width) {
  const std::size_t num = rows.size() / width;
  std::size_t left = add_pairs(rows.data(), width, num - std::bit_floor(num), num);
  while (left > 1) {
    left = add_pairs(rows.data(), width, left / 2, left);
  }
}

} // namespace isthmus::openfoam
