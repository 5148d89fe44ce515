// SPDX-License-Identifier: BSD-3-Clause
// Meshes of which a few vertices have moved. Their participant says so beside its data, which count
// where nobody sees the changes; there only the plan is made again, and only there data travel once
// more. Ranks that see none have neither a message nor a wait more than in any other step.
#include "isthmus/coupling/coupling.hpp"

#include <utility>

namespace isthmus::coupling {

/// A scheme of which the partner must hear of resets.
void Coupling::post_reset(Scheme& scheme) {
  const std::string& partner = scheme.partners().front();
  MessageSet& messages = scheme.regular();
  const Changes& own = told_[partner] =
      wiring_.changes(connections_.at(partner), untold(partner), planning_);
  if (own.is_small == 0) {
    messages.post_notices(outgoing_, own, {});
    if (scheme.role() == Scheme::Role::parallel) { // the partner sends at the same time
      messages.post_incoming(incoming_, {}, [](comm::LinkId) { return true; });
    }
    return;
  }
  const Renewal renewal{partner, own, {}};
  Scheme* const due = &scheme;
  map_for(std::span(&renewal, 1), std::span(&due, 1));
  const std::set<comm::LinkId> talks = wiring_.concerned(renewal);
  const auto is_left = [&talks](comm::LinkId link) { return talks.count(link) == 0; };
  messages.post_outgoing(outgoing_, scheme.window().start(), is_left, &own);
  messages.post_notices(outgoing_, own,
                        [&talks](comm::LinkId link) { return talks.count(link) != 0; });
  prepare_incoming(scheme);
  messages.post_incoming(incoming_);
}

/// After an exchange: plans again with those who see the changes, and exchanges what is missing.
void Coupling::patch(Scheme& scheme, const Renewal& renewal) {
  const auto scope = context_.trace.scope("renew");
  for (const std::string& mesh : wiring_.touched_meshes(renewal)) {
    renewed_meshes_.insert(mesh);
  }
  std::set<comm::LinkId> out;
  std::set<comm::LinkId> in;
  if (renewal.own.reset != 0) {
    out = wiring_.concerned({renewal.partner, renewal.own, {}}); // a notice in place of data
  }
  for (const Heard& heard : scheme.regular().heard({})) {
    if (heard.is_notice) {
      in.insert(heard.link);
    }
  }
  Wiring::Changed changed = wiring_.patch(connections_.at(renewal.partner), renewal, planning_);
  out.merge(changed.out);
  in.merge(changed.in);
  untold_.erase(renewal.partner);
  told_.erase(renewal.partner);
  listeners_[renewal.partner] = scheme.regular().links(); // nobody misses the next notice
  connect_schemes({});
  outgoing_.clear();
  incoming_.clear();
  scheme.regular().post_outgoing(outgoing_, scheme.window().start(),
                                 [&out](comm::LinkId link) { return out.count(link) != 0; });
  scheme.regular().post_missing(incoming_,
                                [&in](comm::LinkId link) { return in.count(link) != 0; });
  context_.hub.exchange(outgoing_, incoming_, context_.patience);
}

} // namespace isthmus::coupling
