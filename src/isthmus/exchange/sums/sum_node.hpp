// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/pause.hpp"
#include "isthmus/exchange/interface_halo.hpp"
#include "isthmus/exchange/interface_sum.hpp"

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace isthmus::exchange {

/// Collective. Whether all ranks can share memory.
[[nodiscard]] bool is_one_computer(const comm::Comm& comm);

/// Memory that the ranks of one computer share: of each rank a counter and two slots of values,
/// used in turn. A rank may write a slot again because whoever reads it has read the one before.
class NodeMemory {
 public:
  /// Collective. Room for `values` of this rank.
  NodeMemory(const comm::Comm& comm, std::size_t values);
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;
  /// Collective.
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

  const comm::Comm& comm_;
  MPI_Comm node_;
  comm::SpinPolicy spin_;
  MPI_Win window_ = MPI_WIN_NULL;
  std::vector<Segment> segments_; // of the ranks of this computer
  int own_ = 0;
  std::uint64_t count_ = 0; // published
};

/// Sharers on one computer read each other's partial sums, others send them.
class NodeSum {
 public:
  NodeSum(const comm::Comm& comm, const InterfacePlan& plan, int components);
  void begin(std::span<const double> values);
  bool progress(std::span<double> values);
  void finish(std::span<double> values);
  [[nodiscard]] SumCost cost() const;

 private:
  struct Reader {
    int local;                       // position on this computer
    std::vector<LocalIndex> entries; // in its slot
  };

  const comm::Comm& comm_;
  int components_;
  std::vector<Reader> readers_;
  Halo far_; // to other computers
  Fold fold_;
  std::vector<double> ghosts_; // of far_, then of all readers
  NodeMemory memory_;
  std::optional<Halo::Pending> pending_;
};

} // namespace isthmus::exchange
