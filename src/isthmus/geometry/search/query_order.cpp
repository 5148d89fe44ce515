// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/search/query_order.hpp"

#include "isthmus/geometry/morton.hpp"

namespace isthmus::geometry {

QueryOrder::QueryOrder(int dim, std::span<const double> queries, double near) {
  const auto d = static_cast<std::size_t>(dim);
  std::size_t jumps = 0;
  for (std::size_t i = d; i < queries.size(); i += d) {
    bool jump = false;
    for (std::size_t k = i; k < i + d; ++k) {
      jump = jump || std::abs(queries[k] - queries[k - d]) > near;
    }
    jumps += jump ? 1 : 0;
  }
  constexpr std::size_t tolerated = 16; // one jump in so many queries costs less than a sort
  if (jumps * tolerated > point_count(dim, queries)) {
    order_ = curve_order(dim, queries);
  }
}

} // namespace isthmus::geometry
