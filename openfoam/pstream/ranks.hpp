// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <span>
#include <string>
#include <vector>

/// What libPstream.so does with MPI, apart from OpenFOAM's classes: communicators and requests by
/// their numbers, messages that are sent behind the caller's back, the order of sums.
namespace isthmus::openfoam {

/// The communicators of OpenFOAM, by its index of them; one that has gone is MPI_COMM_NULL.
class Communicators {
 public:
  /// Throws std::out_of_range, naming the index, where there is none.
  [[nodiscard]] MPI_Comm at(int index) const { return entry(index).comm; }
  /// The ranks of the world that are in it, in the order of their numbers there.
  [[nodiscard]] std::span<const int> ranks(int index) const { return entry(index).ranks; }
  void set_world(int index);
  /// Collective over the parent. `ranks` of the parent, in the order of their new numbers. Returns
  /// the own rank in it; -1 if this rank has no part in it.
  int make(int parent, int index, std::span<const int> ranks);
  void free(int index);

 private:
  struct Entry {
    MPI_Comm comm = MPI_COMM_NULL;
    std::vector<int> ranks;
  };

  [[nodiscard]] const Entry& entry(int index) const;
  void put(int index, MPI_Comm comm);
  std::vector<Entry> entries_;
};

/// Requests that OpenFOAM waits for by number.
class Requests {
 public:
  [[nodiscard]] int count() const { return static_cast<int>(open_.size()); }
  /// For MPI to fill; its number is count() - 1. `rank` of the world is the other end; -1: all are.
  [[nodiscard]] MPI_Request* add(int rank) {
    ranks_.push_back(rank);
    return &open_.emplace_back(MPI_REQUEST_NULL);
  }
  /// Forgets those from this one on; MPI brings to an end what nobody has waited for.
  void truncate(int count);
  /// Waits for all from this one on, which are forgotten then.
  void wait_from(int first);
  void wait(int number);
  [[nodiscard]] bool is_done(int number);
  /// Those that nobody has waited for.
  [[nodiscard]] std::ptrdiff_t num_open() const {
    return std::ranges::count_if(open_, [](MPI_Request r) { return r != MPI_REQUEST_NULL; });
  }

 private:
  [[nodiscard]] MPI_Request& at(int number);
  std::vector<MPI_Request> open_;
  std::vector<int> ranks_; // of the world, at the other end
};

/// Messages whose sender does not wait: each is copied and kept until MPI has moved it, however
/// many and however large they are.
class Postbox {
 public:
  void send(std::span<const char> bytes, int to, int tag, MPI_Comm comm);
  /// Until all have left.
  void flush();
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Message {
    std::vector<char> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void drop_sent();
  std::list<Message> messages_; // addresses stay
};

/// Adds up rows of `width` values, of which each rank has one, always in the same order: pairs of
/// neighbours, pairs of pairs, …; where they are no power of two, as many of the first are added in
/// pairs beforehand as there are too many. The result stands in the first row.
void add_rows(std::span<double> rows, std::size_t width);

} // namespace isthmus::openfoam
