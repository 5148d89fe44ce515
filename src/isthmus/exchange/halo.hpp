// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/comm/comm.hpp"

#include <mpi.h>

#include <span>
#include <utility>
#include <vector>

namespace isthmus::exchange {

/// Ghosts of values that other ranks of the same communicator own: an immutable pattern and its
/// execution, forward (owners to ghosts) and reverse (ghosts are added to their owners). Ghosts
/// are ordered by source rank. Nothing is allocated after the first call with as many components.
class Halo {
 public:
  /// What one rank sends to or receives from this one.
  struct Neighbour {
    int rank;
    std::vector<LocalIndex> entries; // own entries to send, in the order of the other's ghosts
  };
  struct Source {
    int rank;
    LocalIndex count;
  };
  class Pending;

  Halo() = default;
  /// `targets` and `sources` ascending by rank; what rank r sends here is what it lists for us.
  Halo(std::vector<Neighbour> targets, std::vector<Source> sources);

  [[nodiscard]] LocalIndex num_ghosts() const { return num_ghosts_; }
  [[nodiscard]] LocalIndex num_sent() const { return num_sent_; }
  [[nodiscard]] bool empty() const { return targets_.empty() && sources_.empty(); }
  [[nodiscard]] std::span<const Neighbour> targets() const { return targets_; }
  [[nodiscard]] std::span<const Source> sources() const { return sources_; }

  /// Makes room for exchanges of so many components: none of them allocates then.
  void reserve(int components);

  /// Collective over the neighbours. Fills `ghosts` (num_ghosts() * components values) with the
  /// owners' `values`.
  void forward(const comm::Comm& comm, int components, std::span<const double> values,
               std::span<double> ghosts);

  /// Collective over the neighbours. Adds to `values` what the holders of ghosts have in `ghosts`,
  /// in the order of their ranks: the sum does not depend on which message comes first.
  void reverse(const comm::Comm& comm, int components, std::span<const double> ghosts,
               std::span<double> values);

  /// The first half of forward(): `ghosts` must not be touched before the second half. One exchange
  /// of a Halo at a time; ranks begin those of several in the same order.
  [[nodiscard]] Pending begin_forward(const comm::Comm& comm, int components,
                                      std::span<const double> values, std::span<double> ghosts);

  /// The first half of reverse(): `ghosts` must not be touched before the second half, `values` may
  /// be.
  [[nodiscard]] Pending begin_reverse(const comm::Comm& comm, int components,
                                      std::span<const double> ghosts, std::span<double> values);

 private:
  void add_arrived(int components, std::span<double> values) const;

  std::vector<Neighbour> targets_;
  std::vector<Source> sources_;
  LocalIndex num_ghosts_ = 0;
  LocalIndex num_sent_ = 0;
  std::vector<double> packed_; // values of all targets, to send (forward) or received (reverse)
  std::vector<MPI_Request> requests_;
};

/// An exchange under way; the Halo must stay where it is. Unless finished, it ends at destruction
/// and nothing is added.
class Halo::Pending {
 public:
  Pending(Pending&& other) noexcept
      : halo_(std::exchange(other.halo_, nullptr)),
        comm_(other.comm_),
        components_(other.components_),
        values_(other.values_) {}
  Pending& operator=(Pending&&) = delete;
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  ~Pending();

  /// Lets MPI work on the messages between the halves; whether all have come and gone.
  bool progress();
  /// The second half.
  void finish();

 private:
  friend class Halo;
  Pending(Halo& halo, const comm::Comm& comm, int components, std::span<double> values)
      : halo_(&halo), comm_(&comm), components_(components), values_(values) {}

  Halo* halo_; // nullptr when finished
  const comm::Comm* comm_;
  int components_;
  std::span<double> values_; // to add to; empty when forward
};

} // namespace isthmus::exchange
