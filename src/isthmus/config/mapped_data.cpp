// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/mapped_data.hpp"

#include <algorithm>

namespace isthmus::config {

namespace {

/// Of other data, before anything is sent.
bool makes(const Action& action, const std::string& data, const std::string& mesh) {
  return action.timing == ActionTiming::write_mapping_post && action.mesh == mesh &&
         action.target_data == data && !action.source_data.empty();
}

} // namespace

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

bool arrives(const Configuration& configuration, const std::string& participant,
             const std::string& data, const std::string& mesh) {
  const auto& schemes = configuration.schemes;
  return std::any_of(schemes.begin(), schemes.end(), [&](const CouplingScheme& scheme) {
    return std::any_of(
        scheme.exchanges.begin(), scheme.exchanges.end(), [&](const Exchange& exchange) {
          return exchange.data == data && exchange.mesh == mesh && exchange.to == participant;
        });
  });
}

bool has_part(const Configuration& configuration, const Participant& participant,
              const std::string& data, const std::string& mesh) {
  const auto is_exchanged = [&](const CouplingScheme& scheme) {
    return std::any_of(
        scheme.exchanges.begin(), scheme.exchanges.end(), [&](const Exchange& exchange) {
          return exchange.data == data && exchange.mesh == mesh &&
                 (exchange.from == participant.name || exchange.to == participant.name);
        });
  };
  const auto brings = [&](const Mapping& mapping) {
    return mapping.direction == Direction::write && mapping.to == mesh &&
           participant.writes(data, mapping.from);
  };
  return sets(participant, data, mesh) || needs(participant, data, mesh) ||
         std::any_of(configuration.schemes.begin(), configuration.schemes.end(), is_exchanged) ||
         std::any_of(participant.mappings.begin(), participant.mappings.end(), brings);
}

bool is_brought(const Participant& participant, const std::string& data, const std::string& mesh) {
  const auto& mappings = participant.mappings;
  return participant.writes(data, mesh) ||
         std::any_of(mappings.begin(), mappings.end(), [&](const Mapping& mapping) {
           return mapping.to == mesh && participant.writes(data, mapping.from);
         });
}

bool is_made(const Participant& participant, const std::string& data, const std::string& mesh) {
  const auto& actions = participant.actions;
  return participant.receives(mesh) != nullptr &&
         std::any_of(actions.begin(), actions.end(),
                     [&](const Action& action) { return makes(action, data, mesh); });
}

std::vector<std::string> origins(const Participant& participant, const std::string& data,
                                 const std::string& mesh) {
  std::vector<std::string> all{data};
  for (std::size_t i = 0; i < all.size(); ++i) { // more are appended
    for (const Action& action : participant.actions) {
      if (participant.receives(mesh) == nullptr || !makes(action, all[i], mesh)) {
        continue;
      }
      for (const std::string& source : action.source_data) {
        if (std::find(all.begin(), all.end(), source) == all.end()) {
          all.push_back(source);
        }
      }
    }
  }
  std::erase_if(all, [&](const std::string& one) { return !is_brought(participant, one, mesh); });
  return all;
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
