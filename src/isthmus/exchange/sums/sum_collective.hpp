// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/exchange/interface_halo.hpp"
#include "isthmus/exchange/interface_sum.hpp"

#include <memory>
#include <span>
#include <vector>

/// Interface sums by collective operations over all ranks, for comparison and for interfaces that
/// most ranks share.
namespace isthmus::exchange {

/// A collective operation under way and the values that MPI reads and writes.
class Collective {
 public:
  Collective(const comm::Comm& comm, std::size_t part, std::size_t all);
  Collective(const Collective&) = delete;
  Collective& operator=(const Collective&) = delete;
  ~Collective();

  [[nodiscard]] std::span<double> part() { return lent_->part; } // of this rank
  [[nodiscard]] std::span<double> all() { return lent_->all; }
  [[nodiscard]] std::size_t size() const { return lent_->all.size(); }
  [[nodiscard]] MPI_Request* request() { return &request_; }
  bool progress();
  void finish();

 private:
  struct Values {
    std::vector<double> part, all;
  };

  const comm::Comm& comm_;
  std::unique_ptr<Values> lent_; // left to MPI when a wait fails
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// The whole interface, zero where a rank has no part, is reduced on every rank.
class AllreduceSum {
 public:
  AllreduceSum(const comm::Comm& comm, const InterfacePlan& plan, int components);
  void begin(std::span<const double> values);
  bool progress(std::span<double> values);
  void finish(std::span<double> values);
  [[nodiscard]] SumCost cost() const;

 private:
  const comm::Comm& comm_;
  int components_;
  std::vector<LocalIndex> nodes_;      // shared local nodes
  std::vector<std::size_t> positions_; // of each in the interface
  Collective interface_;
};

/// Every rank gets the partial sums of all and adds those of its nodes.
class AllgatherSum {
 public:
  AllgatherSum(const comm::Comm& comm, const InterfacePlan& plan, int components);
  void begin(std::span<const double> values);
  bool progress(std::span<double> values);
  void finish(std::span<double> values);
  [[nodiscard]] SumCost cost() const;

 private:
  const comm::Comm& comm_;
  int components_;
  Fold fold_;
  std::vector<int> counts_, begins_; // of all ranks, values
  Collective all_;
};

} // namespace isthmus::exchange
