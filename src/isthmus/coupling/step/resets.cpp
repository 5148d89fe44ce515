// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/step/resets.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace isthmus::coupling {

namespace {

/// Which are not small.
transfer::Changes changes_of(transfer::MeshBits meshes) {
  transfer::Changes changes;
  changes.reset = meshes;
  changes.is_small = 0;
  return changes;
}

} // namespace

transfer::MeshBits Resets::bit_of(const std::string& mesh) const {
  const auto& provided = self_.provided;
  const auto found = std::find_if(provided.begin(), provided.end(),
                                  [&mesh](const auto& one) { return one.name == mesh; });
  return transfer::MeshBits{1} << (found - provided.begin());
}

void Resets::join(transfer::MeshBits all, std::span<const std::string> partners) {
  reset_ = all;
  for (const std::string& partner : partners) {
    for (int i = 0; i < transfer::max_meshes_to_reset; ++i) {
      const transfer::MeshBits bit = all & (transfer::MeshBits{1} << i);
      if (bit != 0 && relations_.is_renewed({partner, changes_of(bit), {}})) {
        unsent_[partner] |= bit;
      }
    }
  }
}

transfer::MeshBits Resets::unsent(const std::string& partner) const {
  const auto found = unsent_.find(partner);
  return found == unsent_.end() ? 0 : found->second;
}

bool Resets::has_sent_large(const std::string& partner) const {
  const auto found = sent_.find(partner);
  return found != sent_.end() && found->second.is_small == 0;
}

void Resets::forget(const std::string& partner) {
  unsent_.erase(partner);
  sent_.erase(partner);
}

bool Resets::are_stale(const fields::FieldMapping& mapping) const {
  return !unsent_.empty() && unsent(self_.receives(mapping.to->mesh())->from) != 0;
}

std::vector<fields::Renewal> Resets::renewals(const Scheme& scheme, bool received) const {
  std::vector<fields::Renewal> found;
  if (unsent_.empty() && !(received && scheme.regular().has_changes())) {
    return found;
  }
  for (const std::string& partner : scheme.partners()) {
    const transfer::MeshBits own = unsent(partner);
    std::optional<transfer::Changes> theirs;
    if (received) {
      const fields::Renewal with_it{partner, {}, {}};
      const auto all = scheme.regular().received_changes(links_to(std::span(&with_it, 1)));
      const auto said = std::find_if(all.begin(), all.end(),
                                     [](const auto& one) { return one.changes.has_value(); });
      theirs = said == all.end() ? std::nullopt : said->changes; // all that have come say the same
    }
    if (own != 0 || theirs) {
      const auto sent = sent_.find(partner);
      const transfer::Changes own_changes = sent != sent_.end() ? sent->second : changes_of(own);
      found.push_back({partner, own != 0 ? own_changes : transfer::Changes(),
                       theirs.value_or(transfer::Changes())});
    }
  }
  return found;
}

fields::LinkChoice Resets::links_to(std::span<const fields::Renewal> renewals) const {
  if (renewals.empty()) {
    return fields::LinkChoice::none();
  }
  std::set<transport::LinkId> links;
  for (transport::LinkId link = 0; link < hub_.size(); ++link) {
    const std::string& partner = hub_.peer(link).participant;
    if (std::any_of(renewals.begin(), renewals.end(), [&partner](const fields::Renewal& renewal) {
          return renewal.partner == partner;
        })) {
      links.insert(link);
    }
  }
  return fields::LinkChoice::of(std::move(links));
}

} // namespace isthmus::coupling
