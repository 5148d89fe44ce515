// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "host_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace isthmus::openfoam {

/// A few values of each rank of the world, for all of them, where all are on one host: without
/// messages, each rank writes its own and reads those of the others.
class HostRows {
 public:
  static constexpr std::size_t most_values = 7;

  /// Collective over the world, all on one host.
  HostRows();

  /// False where memory cannot be shared.
  [[nodiscard]] bool are_usable() const { return !memory_.bytes().empty(); }
  /// Collective over the world; so many values on every rank, at most most_values. `rows` gets
  /// those of all, by rank.
  void exchange(std::span<const double> values, std::span<double> rows);

 private:
  struct alignas(64) Row {
    std::uint64_t number; // of the exchange that these values belong to
    double values[most_values];
  };
  static constexpr std::size_t rows_per_rank = 2; // who is quick writes while others still read

  [[nodiscard]] Row& row(std::size_t rank) const;
  void wait_for(const Row& row) const;

  std::size_t num_ranks_ = 0;
  std::size_t rank_ = 0;
  HostMemory memory_;
  std::uint64_t number_ = 0; // of exchanges
  bool is_crowded_ = false;  // more processes than cores
};

} // namespace isthmus::openfoam
