// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ranks.hpp"

#include <map>
#include <optional>

namespace isthmus::openfoam {

/// Exchanges whose messages nobody announces: a rank looks for a message when it reads it, so no
/// sizes are sent beforehand. OpenFOAM ends a program that leaves a message of an exchange unread,
/// so what was sent is read; each exchange has a tag of its own, so none takes the message of
/// another.
class Deliveries {
 public:
  /// Collective over the communicator. The next exchange, under the name of who holds its buffers,
  /// instead of an earlier one of that name. `index` is OpenFOAM's number of the communicator.
  void begin(const void* holder, int index, const Communicators& communicators);
  /// Local. What this holder receives from now on is none of ours.
  void forget(const void* holder) { exchanges_.erase(holder); }
  [[nodiscard]] bool has(const void* holder) const { return exchanges_.contains(holder); }

  /// Local. Sends in the exchange of this holder; returns at once.
  void send(const void* holder, std::span<const char> bytes, int to, Postbox& postbox);
  /// Local. All has been sent in the exchange of this holder.
  void end_sends(const void* holder);
  /// The bytes that this rank sent in the exchange of this holder; nothing if they have been taken
  /// before. Waits for them; ends the program, with the names of both ranks, where the other has
  /// sent nothing in this exchange.
  std::optional<std::vector<char>> take(const void* holder, int from);

  /// The communicator goes, and its number may come again.
  void free(int index);

 private:
  struct Line {
    MPI_Comm comm = MPI_COMM_NULL; // of these messages alone
    int next = 0;
  };
  struct Exchange {
    MPI_Comm comm = MPI_COMM_NULL;
    int index = 0;
    int number = 0;          // of the exchanges of the communicator
    std::vector<int> ranks;  // of the world, by rank
    std::vector<char> taken; // by rank
  };

  [[nodiscard]] static int wait_for(int from, const Exchange& exchange);

  std::map<int, Line> lines_;
  std::map<const void*, Exchange> exchanges_;
};

} // namespace isthmus::openfoam
