// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/distances.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/config/names.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace isthmus::planning {

void Distances::add(double distance2) {
  if (!std::isfinite(distance2)) {
    return;
  }
  const double distance = std::sqrt(distance2);
  least = std::min(least, distance);
  most = std::max(most, distance);
  sum += distance;
  ++count;
}

void report_distances(const partner::Context& context, const transfer::MeshRelation& relation,
                      std::span<const Distances> own) {
  if (context.log.is_silent() || own.empty()) {
    return;
  }
  std::vector<double> ends; // of each use the largest, and minus the smallest
  std::vector<double> sums; // and the number
  for (const Distances& one : own) {
    ends.insert(ends.end(), {one.most, -one.least});
    sums.insert(sums.end(), {one.sum, static_cast<double>(one.count)});
  }
  comm::allreduce(context.comm, std::span(ends), comm::Op::max);
  comm::allreduce(context.comm, std::span(sums), comm::Op::sum);
  for (std::size_t u = 0; u < own.size(); ++u) {
    const transfer::MappingUse& use = relation.uses[u];
    const double count = sums[2 * u + 1];
    if (count > 0) {
      context.log.info(
          "mapping {} from \"{}\" to \"{}\": distances of {:.0f} vertices from their places: "
          "min {:.4g}, max {:.4g}, average {:.4g}",
          config::name(use.mapping->kind), use.mapping->from, use.mapping->to, count,
          -ends[2 * u + 1], ends[2 * u], sums[2 * u] / count);
    }
  }
}

} // namespace isthmus::planning
