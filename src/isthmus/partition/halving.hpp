// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/comm/comm.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace isthmus::partition {

/// A point on its way through the ranks.
struct KeyedPoint {
  std::array<std::uint64_t, 3> keys; // what it is sorted by
  GlobalIndex weight;
  GlobalIndex id; // global number, decides where keys agree
  int home;       // rank that wants to know the part
};

/// A number that is ordered as `x` is; -0 and 0 are equal.
[[nodiscard]] std::uint64_t sortable(double x);
/// The inverse.
[[nodiscard]] double unsortable(std::uint64_t key);

/// What a halving is made along.
enum class HalvingAxis {
  longest, // of the keys, which are sortable numbers
  first    // key
};

struct Placed {
  GlobalIndex id;
  int part;
};

/// Collective. Halves the items of all ranks again and again until each part has its share, and
/// returns the parts of the items whose home is here, in no order.
[[nodiscard]] std::vector<Placed> halve(const comm::Comm& comm, std::vector<KeyedPoint> items,
                                        int parts, HalvingAxis direction);

} // namespace isthmus::partition
