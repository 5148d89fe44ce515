// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/pause.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace isthmus::exchange {

/// Collective when it is asked of a communicator for the first time, local afterwards. The ranks
/// that can share memory with this one, itself included, ascending: those of its computer.
[[nodiscard]] const std::vector<int>& ranks_here(const comm::Comm& comm);

/// Collective as ranks_here(). Whether all ranks can share memory.
[[nodiscard]] bool is_one_computer(const comm::Comm& comm);

/// Memory that the ranks of one computer share: of each rank a counter and two slots of values,
/// used in turn. A rank may write a slot again because whoever reads it has read the one before.
class NodeMemory {
 public:
  /// Collective. Room for `values` of this rank. Error on all ranks if there is no memory.
  NodeMemory(const comm::Comm& comm, std::size_t values);
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;
  /// Local: the others keep what they see.
  ~NodeMemory();

  /// Position of a rank of the communicator among those of this computer; negative elsewhere.
  [[nodiscard]] int local_rank(int rank) const;
  /// Where to write the next values; publish() shows them.
  [[nodiscard]] double* next_slot();
  void publish();
  /// What the rank at this position published as many times as this one did. Waits for it.
  [[nodiscard]] const double* published(int local) const;
  /// Whether that would not wait.
  [[nodiscard]] bool is_published(int local) const;

 private:
  struct Segment {
    std::uint64_t* counter; // of what was published
    double* slots;
    std::size_t size; // values of a slot
  };
  [[nodiscard]] const Segment& own_segment() const {
    return segments_[static_cast<std::size_t>(own_)];
  }
  void map(int file, std::span<const std::uint64_t> begins);

  const comm::Comm& comm_;
  const std::vector<int>& here_;
  comm::SpinPolicy spin_;
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
  std::vector<Segment> segments_; // of the ranks of this computer
  int own_ = 0;
  std::uint64_t count_ = 0; // published
};

} // namespace isthmus::exchange
