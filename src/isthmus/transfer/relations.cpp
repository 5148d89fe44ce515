// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transfer/relations.hpp"

#include "isthmus/config/named.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::transfer {

bool has_reset(const config::Participant& participant, MeshBits reset, const std::string& mesh) {
  const auto& provided = participant.provided;
  const auto found = std::find_if(provided.begin(), provided.end(),
                                  [&mesh](const auto& one) { return one.name == mesh; });
  return found != provided.end() && found - provided.begin() < max_meshes_to_reset &&
         (reset >> (found - provided.begin()) & 1U) != 0;
}

Relations::Relations(std::vector<protocol::MeshRelation> all,
                     std::span<const config::Participant> participants,
                     const config::Participant& self)
    : participants_(participants), self_(self), all_(std::move(all)) {
  std::erase_if(all_, [&self](const protocol::MeshRelation& relation) {
    return relation.provider != self.name && relation.receiver != self.name;
  });
}

bool Relations::is_related(const std::string& partner) const {
  return std::any_of(all_.begin(), all_.end(), [&](const protocol::MeshRelation& relation) {
    return !relation.uses.empty() && relation.partner_of(self_.name) == partner;
  });
}

bool Relations::is_reset(const protocol::MeshRelation& relation, const Renewal& renewal) const {
  return has_reset(config::participant_named(relation.provider, participants_),
                   relation.is_provided_by(self_.name) ? renewal.own.reset : renewal.theirs.reset,
                   relation.mesh);
}

bool Relations::is_renewed(const protocol::MeshRelation& relation, const Renewal& renewal) const {
  if (relation.partner_of(self_.name) != renewal.partner || relation.uses.empty()) {
    return false;
  }
  const config::Participant& receiver = config::participant_named(relation.receiver, participants_);
  const MeshBits of_receiver =
      relation.is_provided_by(self_.name) ? renewal.theirs.reset : renewal.own.reset;
  return is_reset(relation, renewal) ||
         std::any_of(relation.uses.begin(), relation.uses.end(),
                     [&](const protocol::MappingUse& use) {
                       return !use.direct && has_reset(receiver, of_receiver, use.own_mesh);
                     });
}

bool Relations::is_renewed(const Renewal& renewal) const {
  return std::any_of(all_.begin(), all_.end(), [&](const protocol::MeshRelation& relation) {
    return is_renewed(relation, renewal);
  });
}

std::vector<std::string> Relations::renewed_meshes(const Renewal& renewal) const {
  std::vector<std::string> meshes;
  for (const protocol::MeshRelation& relation : all_) {
    if (!relation.is_provided_by(self_.name) && is_renewed(relation, renewal)) {
      meshes.push_back(relation.mesh);
    }
  }
  return meshes;
}

} // namespace isthmus::transfer
