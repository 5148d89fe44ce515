// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/sparse/sparse_exchange.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace isthmus::comm {

/// What goes in an open round to ranks that do not expect it, and what comes from such.
class Strangers {
 public:
  /// Adds to what goes to `rank`.
  void append(int rank, std::span<const std::byte> bytes);
  /// Collective. Delivers it by consensus. What one rank brings as a failure all throw.
  void exchange(const Comm& comm, const std::optional<std::string>& failure, Traffic* traffic);
  /// What came, until the next exchange.
  [[nodiscard]] std::span<const Parcel> arrived() const { return arrived_; }
  /// The ranks to which something went or from which something came, perhaps twice.
  [[nodiscard]] std::span<const int> met() const { return met_; }

 private:
  std::map<int, std::vector<std::byte>> outgoing_;
  std::vector<Parcel> arrived_;
  std::vector<int> met_;
};

} // namespace isthmus::comm
