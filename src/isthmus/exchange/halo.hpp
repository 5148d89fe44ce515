// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/comm/comm.hpp"

#include <mpi.h>

#include <span>
#include <vector>

namespace isthmus::exchange {

/// Copies of vertex values that other ranks of the same participant own: an immutable pattern and
/// its execution. Copies follow the rank's own entries, ordered by source rank.
class Halo {
 public:
  /// What one rank sends to or receives from this one.
  struct Neighbour {
    int rank;
    std::vector<LocalIndex> entries; // own entries to send, in the order of the other's copies
  };
  struct Source {
    int rank;
    LocalIndex count;
  };
  class Pending;

  Halo() = default;
  /// `targets` and `sources` ascending by rank; what rank r sends here is what it lists for us.
  Halo(std::vector<Neighbour> targets, std::vector<Source> sources);

  [[nodiscard]] LocalIndex num_copies() const { return num_copies_; }
  [[nodiscard]] bool empty() const { return targets_.empty() && sources_.empty(); }
  [[nodiscard]] std::span<const Neighbour> targets() const { return targets_; }
  [[nodiscard]] std::span<const Source> sources() const { return sources_; }

  /// Collective over the neighbours. Fills `copies` (num_copies() * components values) with the
  /// owners' `values`. Allocates nothing after the first call with as many components.
  void forward(const comm::Comm& comm, int components, std::span<const double> values,
               std::span<double> copies);
  /// The first half of forward(): `copies` must not be touched before the second half.
  [[nodiscard]] Pending begin_forward(const comm::Comm& comm, int components,
                                      std::span<const double> values, std::span<double> copies);

 private:
  std::vector<Neighbour> targets_;
  std::vector<Source> sources_;
  LocalIndex num_copies_ = 0;
  std::vector<double> outgoing_; // packed values of all targets
  std::vector<MPI_Request> requests_;
};

/// An exchange under way; the Halo must stay where it is.
class Halo::Pending {
 public:
  /// The second half.
  void finish();

 private:
  friend class Halo;
  Pending(Halo& halo, const comm::Comm& comm) : halo_(&halo), comm_(&comm) {}

  Halo* halo_;
  const comm::Comm* comm_;
};

} // namespace isthmus::exchange
