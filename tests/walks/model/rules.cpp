// SPDX-License-Identifier: BSD-3-Clause
#include "model/rules.hpp"

#include <algorithm>
#include <limits>

namespace walks {

bool Rules::provides_initial(int p) const {
  return std::any_of(setting_.flows.begin(), setting_.flows.end(),
                     [p](const Flow& flow) { return flow.from == p && flow.initialize; });
}

double Rules::end_of_window(int s, const Clock& clock, int p) const {
  const Scheme& its = scheme(s);
  const double last = its.max_time.value_or(std::numeric_limits<double>::max());
  if (!its.first_sets_window) {
    return std::min((clock.windows + 1) * its.window, last);
  }
  return is_set_by(s, p) ? last : std::min(clock.start + clock.size, last);
}

bool Rules::is_over(int s, int windows, double time) const {
  const Scheme& its = scheme(s);
  return (its.max_windows && windows >= *its.max_windows) ||
         (its.max_time && time >= *its.max_time);
}

bool Rules::is_accelerated(const Flow& flow) const {
  const Scheme& scheme = this->scheme(flow.scheme);
  const bool is_led =
      !setting_.multi || flow.from == setting_.controller || flow.to == setting_.controller;
  return !scheme.acceleration.empty() && is_led && (!scheme.serial || flow.from == scheme.second);
}

std::vector<int> Rules::accelerated_flows(int s) const {
  std::vector<int> found;
  for (std::size_t f = 0; f < setting_.flows.size(); ++f) {
    const Flow& flow = setting_.flows[f];
    if (group(flow.scheme) == group(s) && is_accelerated(flow)) {
      found.push_back(static_cast<int>(f));
    }
  }
  return found;
}

bool Rules::remembers(int s) const {
  const std::string& kind = scheme(s).acceleration;
  return !kind.empty() && kind != "constant";
}

/// Of a mesh to which it has access the leader holds what is in its region, or around it.
bool Rules::is_modelled(int s) const {
  const auto is_open = [this, s](const Flow& flow) {
    const bool is_of_group = group(flow.scheme) == group(s);
    return (is_of_group && is_accelerated(flow) && flow.substeps) || flow.accessor() == leader(s);
  };
  return std::none_of(setting_.flows.begin(), setting_.flows.end(), is_open);
}

/// By scheme and sender: whose messages wait for each other in an iteration. That of the first of a
/// serial scheme goes on.
std::vector<std::pair<int, int>> Rules::answering(int s) const {
  std::vector<std::pair<int, int>> found;
  for (int other = 0; other < static_cast<int>(setting_.schemes.size()); ++other) {
    if (group(other) == group(s)) {
      found.emplace_back(other, scheme(other).second);
      if (!scheme(other).serial) {
        found.emplace_back(other, scheme(other).first);
      }
    }
  }
  return found;
}

} // namespace walks
