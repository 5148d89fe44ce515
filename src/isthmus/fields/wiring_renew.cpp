// SPDX-License-Identifier: BSD-3-Clause
// Which plans depend on meshes that were reset, and how they are made again.
#include "isthmus/fields/wiring.hpp"

#include <algorithm>

namespace isthmus::fields {

bool has_reset(const config::Participant& participant, transfer::MeshBits reset,
               const std::string& mesh) {
  const auto& provided = participant.provided;
  const auto found = std::find_if(provided.begin(), provided.end(),
                                  [&mesh](const auto& one) { return one.name == mesh; });
  return found != provided.end() && found - provided.begin() < transfer::max_meshes_to_reset &&
         (reset >> (found - provided.begin()) & 1U) != 0;
}

bool Wiring::is_related(const std::string& partner) const {
  return std::any_of(relations_.begin(), relations_.end(),
                     [&](const transfer::MeshRelation& relation) {
                       return !relation.uses.empty() &&
                              ((relation.provider == partner && relation.receiver == self_.name) ||
                               (relation.provider == self_.name && relation.receiver == partner));
                     });
}

bool Wiring::is_touched(const transfer::MeshRelation& relation, const Renewal& renewal) const {
  const bool provides = relation.provider == self_.name;
  if ((provides ? relation.receiver : relation.provider) != renewal.partner ||
      (!provides && relation.receiver != self_.name)) {
    return false;
  }
  const config::Participant& partner = *configuration_.find_participant(renewal.partner);
  const config::Participant& provider = provides ? self_ : partner;
  const config::Participant& receiver = provides ? partner : self_;
  const transfer::MeshBits provided = provides ? renewal.own.reset : renewal.theirs.reset;
  const transfer::MeshBits received = provides ? renewal.theirs.reset : renewal.own.reset;
  return !relation.uses.empty() &&
         (has_reset(provider, provided, relation.mesh) ||
          std::any_of(relation.uses.begin(), relation.uses.end(),
                      [&](const transfer::MappingUse& use) {
                        return !use.direct && has_reset(receiver, received, use.own_mesh);
                      }));
}

bool Wiring::is_touched(const Renewal& renewal) const {
  return std::any_of(
      relations_.begin(), relations_.end(),
      [&](const transfer::MeshRelation& relation) { return is_touched(relation, renewal); });
}

std::vector<std::string> Wiring::touched_meshes(const Renewal& renewal) const {
  std::vector<std::string> meshes;
  for (const transfer::MeshRelation& relation : relations_) {
    if (relation.receiver == self_.name && is_touched(relation, renewal)) {
      meshes.push_back(relation.mesh);
    }
  }
  return meshes;
}

void Wiring::renew(partner::Connection& partner, const Renewal& renewal,
                   const planning::Inputs& inputs) {
  for (const transfer::MeshRelation& relation : relations_) { // in the order of the partner
    if (!is_touched(relation, renewal)) {
      continue;
    }
    for (Provided& provided : provided_) {
      if (provided.relation == &relation) {
        planning::provide_mesh(partner, inputs.meshes.at(relation.mesh), provided);
      }
    }
    for (Received& received : received_) {
      if (received.relation == &relation) {
        planning::receive_mesh(partner, inputs, received);
        received.is_renewed = true;
      }
    }
  }
  list_all_mappings();
  for (const Received& received : received_) {
    if (received.is_renewed) {
      size_fields(received);
    }
  }
}

void Wiring::list_all_mappings() {
  write_mappings_.clear();
  read_mappings_.clear();
  for (Received& received : received_) {
    list_mappings(received);
  }
}

void Wiring::settle() {
  for (Received& received : received_) {
    received.is_renewed = false;
  }
}

} // namespace isthmus::fields
