// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/distances.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/config/names.hpp"

#include <vector>

namespace isthmus::planning {

void report_distances(const partner::Context& context, const protocol::MeshRelation& relation,
                      std::span<const Distances> own) {
  if (context.log.is_silent() || own.empty()) {
    return;
  }
  // of each use: the most and the sum, then minus the least and the count
  std::vector<comm::LargestAndSum> all;
  for (const Distances& one : own) {
    all.push_back({one.most, one.sum});
    all.push_back({-one.least, static_cast<double>(one.count)});
  }
  comm::reduce_to_root(context.comm, all);
  if (!context.comm.is_root()) {
    return;
  }
  for (std::size_t u = 0; u < own.size(); ++u) {
    const protocol::MappingUse& use = relation.uses[u];
    const double count = all[2 * u + 1].sum;
    if (count > 0) {
      context.log.info(
          "mapping {} from \"{}\" to \"{}\": distances of {:.0f} vertices from their places: "
          "min {:.4g}, max {:.4g}, average {:.4g}",
          config::name(use.mapping->kind), use.mapping->from, use.mapping->to, count,
          -all[2 * u + 1].largest, all[2 * u].largest, all[2 * u].sum / count);
    }
  }
}

} // namespace isthmus::planning
