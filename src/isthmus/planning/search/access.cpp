// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/search/access.hpp"

#include "isthmus/geometry/search/farthest.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace isthmus::planning {

namespace {

/// The vertices up to this distance from a box, those in it apart.
struct Chosen {
  std::vector<LocalIndex> inside;
  std::vector<LocalIndex> outside;
};

Chosen choose(const geometry::Box& box, double reach, const mesh::Mesh& received) {
  Chosen choice;
  for (LocalIndex v = 0; v < received.num_vertices(); ++v) {
    const double distance2 =
        box.distance2(geometry::point_at(received.dimensions(), received.vertex(v), 0));
    if (distance2 == 0) {
      choice.inside.push_back(v);
    } else if (distance2 <= reach * reach) {
      choice.outside.push_back(v);
    }
  }
  return choice;
}

/// How far around the region vertices may matter to a place in it.
double reach_of(const geometry::Box& region, const protocol::Surroundings& around,
                const mesh::Mesh& received) {
  const double nearest = around.nearest ? geometry::farthest_from(received.dimensions(),
                                                                  received.coordinates(), region)
                                        : 0.0;
  return std::max(around.radius, nearest);
}

} // namespace

Found find_in(const geometry::Box& region, const protocol::Surroundings& around, bool alone,
              const mesh::Mesh& received) {
  Found found;
  found.accessed.mesh = mesh::Mesh(received.name(), received.dimensions());
  Chosen choice = choose(region, 0, received);
  // where several ranks receive parts, others may lie around even if these are all inside
  const bool has_all = choice.inside.size() == static_cast<std::size_t>(received.num_vertices());
  if (around.radial && alone) {
    choice = choose(region, geometry::Box::infinity, received);
  } else if (around.reach_out() && !region.empty() && !(alone && has_all)) {
    const double more = around.enlargement * region.longest_edge();
    geometry::Box enlarged = region;
    enlarged.expand(more);
    const bool is_void =
        !alone && choice.inside.empty() && choose(enlarged, 0, received).inside.empty();
    found.needed = is_void ? more : reach_of(region, around, received);
    choice = choose(region, is_void ? 0 : found.needed, received);
  }
  found.accessed.num_inside = static_cast<LocalIndex>(choice.inside.size());
  std::vector<LocalIndex>& columns = found.origins.columns;
  columns = std::move(choice.inside);
  columns.insert(columns.end(), choice.outside.begin(), choice.outside.end());
  for (const LocalIndex v : columns) {
    found.accessed.mesh.add_vertices(received.vertex(v));
  }
  found.origins.counts.assign(columns.size(), 1);
  found.origins.weights.assign(columns.size(), 1.0);
  found.origins.distances2.assign(columns.size(), 0.0);
  return found;
}

geometry::Box box_around(geometry::Box region, const protocol::Surroundings& around,
                         double margin) {
  if (around.reach_out()) {
    region.expand(std::max(margin, around.radius));
  }
  return region;
}

} // namespace isthmus::planning
