// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/mapped_data.hpp"

#include <algorithm>

namespace isthmus::config {

bool sets(const Participant& participant, const std::string& data, const std::string& mesh) {
  const auto& actions = participant.actions;
  return participant.writes(data, mesh) ||
         std::any_of(actions.begin(), actions.end(), [&](const Action& action) {
           return action.mesh == mesh && action.target_data == data;
         });
}

bool needs(const Participant& participant, const std::string& data, const std::string& mesh) {
  const auto& actions = participant.actions;
  return participant.reads(data, mesh) ||
         std::any_of(actions.begin(), actions.end(), [&](const Action& action) {
           const auto& sources = action.source_data;
           return action.mesh == mesh &&
                  (action.target_data == data ||
                   std::find(sources.begin(), sources.end(), data) != sources.end());
         });
}

std::vector<std::string> mapped_data(const Configuration& configuration,
                                     const Participant& participant, const Mapping& mapping) {
  const bool writes = mapping.direction == Direction::write;
  const std::string& remote = writes ? mapping.to : mapping.from;
  const std::string& local = mapping.just_in_time() ? remote : writes ? mapping.from : mapping.to;
  std::vector<std::string> carried;
  for (const CouplingScheme& scheme : configuration.schemes) {
    for (const Exchange& exchange : scheme.exchanges) {
      const std::string& name = exchange.data;
      const bool mine = participant.name == (writes ? exchange.from : exchange.to);
      const bool used = writes ? sets(participant, name, local) : needs(participant, name, local);
      const bool is_new = std::find(carried.begin(), carried.end(), name) == carried.end();
      if (mine && used && is_new && exchange.mesh == remote) {
        carried.push_back(name);
      }
    }
  }
  return carried;
}

} // namespace isthmus::config
