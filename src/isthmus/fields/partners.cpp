// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/partners.hpp"

#include "isthmus/config/named.hpp"
#include "isthmus/planning/automatic_mapping.hpp"
#include "isthmus/planning/completion.hpp"
#include "isthmus/planning/distances.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace isthmus::fields {

bool has_reset(const config::Participant& participant, transfer::MeshBits reset,
               const std::string& mesh) {
  const auto& provided = participant.provided;
  const auto found = std::find_if(provided.begin(), provided.end(),
                                  [&mesh](const auto& one) { return one.name == mesh; });
  return found != provided.end() && found - provided.begin() < transfer::max_meshes_to_reset &&
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
  const transfer::MeshBits of_receiver =
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

void Partners::connect(const std::set<std::string>& others) {
  const auto scope = context_.trace.scope("connect");
  for (const config::M2N& m2n : m2ns_) {
    const bool accepts = m2n.acceptor == self_.name;
    if (!accepts && m2n.connector != self_.name) {
      continue;
    }
    const std::string& partner = accepts ? m2n.connector : m2n.acceptor;
    if (others.contains(partner) || relations_.is_related(partner)) {
      connections_.emplace(std::piecewise_construct, std::forward_as_tuple(partner),
                           std::forward_as_tuple(context_, m2n, partner));
    }
  }
}

void Partners::plan(const planning::Inputs& inputs) {
  plans_.inputs = inputs;
  for (protocol::MeshRelation& relation : relations_.all()) { // in the order of the partner
    const bool provides = relation.is_provided_by(self_.name);
    if (provides) {
      plans_.provided.push_back({&relation, {}, {}});
    } else {
      plans_.received.push_back({&relation, {}, {}});
    }
    if (relation.uses.empty()) {
      continue;
    }
    partner::Connection& partner = at(relation.partner_of(self_.name));
    if (protocol::mappings_are_chosen(relation)) {
      planning::choose_mappings(partner, relation, provides, plans_.inputs.meshes, chosen_);
    }
    if (provides) {
      planning::provide_mesh(partner, plans_.inputs.meshes.at(relation.mesh),
                             plans_.provided.back(), plans_.inputs.mappings);
    } else {
      planning::receive_mesh(partner, plans_.inputs, plans_.received.back());
      planning::report_distances(context_, relation, plans_.received.back().plan.distances);
    }
  }
  complete();
}

/// No partner waits for this.
void Partners::complete() {
  for (planning::ReceivedRelation& received : plans_.received) {
    planning::complete(context_, *plans_.inputs.mappings, received.plan.mappings);
  }
}

void Partners::renew(const Renewal& renewal) {
  partner::Connection& partner = at(renewal.partner);
  for (const protocol::MeshRelation& relation : relations_.all()) { // in the order of the partner
    if (!relations_.is_renewed(relation, renewal)) {
      continue;
    }
    if (relation.is_provided_by(self_.name)) {
      planning::provide_mesh(partner, plans_.inputs.meshes.at(relation.mesh),
                             plans_.provided_for(relation), plans_.inputs.mappings);
    } else {
      planning::receive_mesh(partner, plans_.inputs, plans_.received_for(relation));
    }
  }
  complete();
}

std::vector<std::string> Partners::names() const {
  std::vector<std::string> names;
  std::transform(connections_.begin(), connections_.end(), std::back_inserter(names),
                 [](const auto& entry) { return entry.first; });
  return names;
}

} // namespace isthmus::fields
