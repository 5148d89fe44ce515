// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::geometry {

/// The order in which to work through a sequence of points: as given when most follow each other
/// within `near`, along the Morton curve otherwise.
class QueryOrder {
 public:
  QueryOrder(int dim, std::span<const double> queries, double near);
  [[nodiscard]] std::size_t operator[](std::size_t i) const {
    return order_.empty() ? i : static_cast<std::size_t>(order_[i]);
  }

 private:
  std::vector<LocalIndex> order_;
};

} // namespace isthmus::geometry
