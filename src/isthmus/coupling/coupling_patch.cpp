// SPDX-License-Identifier: BSD-3-Clause
// Meshes of which a few vertices have moved. Their participant says so in the message of its data.
// Ranks that see something of it make their plan again, and where they need other vertices than
// before data travel once more. The others have neither a message nor a wait more than in any step.
#include "isthmus/coupling/coupling.hpp"

#include <utility>

namespace isthmus::coupling {

/// A scheme of which the partner must hear of resets.
void Coupling::post_reset(Scheme& scheme) {
  const std::string& partner = scheme.partners().front();
  fields::MessageSet& messages = scheme.regular();
  const transfer::Changes& own = sent_changes_[partner] =
      wiring_.changes(connections_.at(partner), unsent_resets(partner), inputs_);
  if (own.is_small == 0) {
    messages.post_notices(outgoing_, own, {});
    if (scheme.role() == Scheme::Role::parallel) { // the partner sends at the same time
      messages.post_incoming(incoming_, {}, [](transport::LinkId) { return true; });
    }
    return;
  }
  const fields::Renewal renewal{partner, own, {}};
  Scheme* const due = &scheme;
  map_for(std::span(&renewal, 1), std::span(&due, 1));
  messages.post_outgoing(outgoing_, scheme.window().start(), {}, &own);
  prepare_incoming(scheme);
  messages.post_incoming(incoming_);
}

/// After an exchange: plans again with those who see the changes, and exchanges what is missing.
void Coupling::patch(Scheme& scheme, const fields::Renewal& renewal) {
  const auto scope = context_.trace.scope("renew");
  for (const std::string& mesh : wiring_.touched_meshes(renewal)) {
    renewed_meshes_.insert(mesh);
  }
  const fields::Wiring::Changed changed =
      wiring_.patch(connections_.at(renewal.partner), renewal, inputs_);
  unsent_resets_.erase(renewal.partner);
  sent_changes_.erase(renewal.partner);
  listeners_[renewal.partner] = scheme.regular().links(); // nobody misses the next notice
  connect_schemes({});
  outgoing_.clear();
  incoming_.clear();
  scheme.regular().post_outgoing(outgoing_, scheme.window().start(), [&](transport::LinkId link) {
    return changed.out.count(link) != 0;
  });
  scheme.regular().post_missing(
      incoming_, [&](transport::LinkId link) { return changed.in.count(link) != 0; });
  context_.hub.exchange(outgoing_, incoming_, context_.progress_timeout);
}

} // namespace isthmus::coupling
