// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/remeshing/remeshing.hpp"

#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace isthmus::coupling {

void Remeshing::reset(const mesh::Mesh& old) {
  const transfer::MeshBits bit = step_.resets.bit_of(old.name());
  keep_history(old.name());
  for (fields::Field* field : step_.fields.on(old.name())) {
    field->discard_written();
    field->resize(0);
  }
  join(step_.resets.since_last_step() | bit);
}

void Remeshing::join(transfer::MeshBits all) {
  step_.resets.join(all, step_.partners.names());
}

void Remeshing::complete_resets() {
  renewed_meshes_.clear();
  if (step_.resets.since_last_step() == 0) {
    return;
  }
  for (const config::ProvideMesh& provided : step_.self.provided) {
    if (step_.resets.includes(provided.name)) {
      for (fields::Field* field : step_.fields.on(provided.name)) {
        field->fit(step_.partners.plans().inputs.meshes.at(provided.name).num_vertices());
      }
      renewed_meshes_.insert(provided.name);
    }
  }
  give_history_back();
  step_.resets.complete();
}

/// Data of the start of a window matter where a window is repeated, or interpolated; what the
/// solver has written on a received mesh that its partner has replaced matters always.
void Remeshing::keep_history(const std::string& mesh) {
  const auto& schemes = step_.schedule.schemes();
  const bool matters = std::any_of(schemes.begin(), schemes.end(), [](const Scheme& scheme) {
    return scheme.is_implicit() || scheme.role() == Scheme::Role::second;
  });
  // what is written just in time is a sum of what solvers gave at their places
  const auto& mappings = step_.self.mappings;
  const bool is_sum = std::any_of(mappings.begin(), mappings.end(), [&mesh](const auto& mapping) {
    return mapping.just_in_time() && mapping.to == mesh;
  });
  for (fields::Field* field : step_.fields.on(mesh)) {
    if (matters || (step_.fields.is_accessed(*field) && step_.self.writes(field->data(), mesh))) {
      const bool adds = is_sum && step_.self.writes(field->data(), mesh);
      history_.keep(*field, step_.planned.dimensions_of(*field),
                    step_.planned.coordinates_of(*field),
                    adds ? Quantity::extensive : Quantity::intensive);
    }
  }
}

void Remeshing::give_history_back() {
  for (fields::Field* field : history_.waiting()) {
    history_.give_back(*field, step_.planned.coordinates_of(*field));
  }
}

/// Plans anew with these partners, and maps for them what is about to be sent.
void Remeshing::renew(std::span<const fields::Renewal> renewals, std::span<Scheme* const> due) {
  const auto scope = step_.context.trace.scope("renew");
  for (const fields::Renewal& renewal : renewals) {
    for (const std::string& mesh : step_.partners.relations().renewed_meshes(renewal)) {
      keep_history(mesh);
      renewed_meshes_.insert(mesh);
    }
  }
  for (const fields::Renewal& renewal : renewals) {
    step_.partners.renew(renewal);
    step_.resets.forget(renewal.partner);
  }
  step_.exchange.connect(renewals);
  give_history_back();
  iterations_.renew(renewals, history_);
  history_.clear();
  step_.mappings.map_written_for(renewals, due);
}

void Remeshing::post(Scheme& scheme) {
  const std::string& partner = scheme.partners().front();
  StepExchange& exchange = step_.exchange;
  fields::MessageSet& messages = scheme.regular();
  const transfer::Changes own = small_.note(partner, step_.resets.unsent(partner));
  step_.resets.note_sent(partner, own);
  if (own.is_small == 0) {
    messages.post_notices(exchange.outgoing(), own, fields::LinkChoice::all());
    if (scheme.role() == Scheme::Role::parallel) { // the partner sends at the same time
      messages.post_incoming(exchange.incoming(), fields::LinkChoice::all(),
                             fields::LinkChoice::all());
    }
    return;
  }
  const std::array<fields::Renewal, 1> renewal{{{partner, own, {}}}};
  const std::array<Scheme*, 1> due{&scheme};
  step_.mappings.map_written_for(renewal, due);
  messages.post_outgoing(exchange.outgoing(), scheme.window().start(), fields::LinkChoice::all(),
                         &own);
  exchange.post_incoming(scheme);
}

/// After an exchange: plans again with those who see the changes, and exchanges what is missing.
void Remeshing::plan_small(Scheme& scheme, const fields::Renewal& renewal) {
  const auto scope = step_.context.trace.scope("renew");
  for (const std::string& mesh : step_.partners.relations().renewed_meshes(renewal)) {
    renewed_meshes_.insert(mesh);
  }
  const fields::SmallChanges::Changed changed = small_.plan(renewal);
  step_.resets.forget(renewal.partner);
  StepExchange& exchange = step_.exchange;
  exchange.keep_links(scheme, renewal.partner);
  exchange.connect({});
  exchange.begin();
  scheme.regular().post_outgoing(exchange.outgoing(), scheme.window().start(),
                                 fields::LinkChoice::of(changed.out));
  scheme.regular().post_missing(exchange.incoming(), fields::LinkChoice::of(changed.in));
  exchange.run();
}

void Remeshing::exchange(std::span<Scheme* const> due) {
  StepExchange& exchange = step_.exchange;
  if (!step_.resets.are_allowed()) {
    exchange.run();
    return;
  }
  exchange.run([this, &due] {
    return std::any_of(due.begin(), due.end(), [this](const Scheme* scheme) {
      return scheme->regular().has_large_changes() ||
             step_.resets.has_sent_large(scheme->partners().front());
    });
  });
  const auto has_changes = [this](const Scheme* scheme) {
    return !step_.resets.renewals(*scheme, true).empty();
  };
  if (std::none_of(due.begin(), due.end(), has_changes)) {
    return;
  }
  std::vector<Pending> all(due.begin(), due.end());
  for (Pending& one : all) {
    look_for_changes(one);
  }
  const auto is_large = [](const Pending& one) { return one.renewal && !one.is_small; };
  if (std::any_of(all.begin(), all.end(), is_large)) { // all ranks have learnt of it
    exchange_in_turn(all);
  }
  for (const Pending& one : all) {
    if (one.renewal) {
      plan_small(*one.scheme, *one.renewal);
    }
  }
}

void Remeshing::look_for_changes(Pending& one) const {
  const std::vector<fields::Renewal> found = step_.resets.renewals(*one.scheme, true);
  if (!found.empty()) {
    one.renewal = found.front();
    one.is_small = small_.are_all(found.front());
  }
}

/// Who waits for one partner must not keep another one waiting: each is served as soon as it comes.
void Remeshing::exchange_in_turn(std::span<Pending> all) {
  complete_begun(all);
  while (std::any_of(all.begin(), all.end(), [](const Pending& one) { return one.is_open(); })) {
    Pending& one = all[turns_.next(all)];
    if (one.awaits) {
      receive(one);
    } else {
      renew_and_send(one);
    }
  }
}

/// What has begun to come to some rank will come to all. Then each scheme has received everything,
/// or nothing.
void Remeshing::complete_begun(std::span<Pending> all) {
  std::vector<int> seen; // for each scheme: whether something is awaited, whether it has begun
  for (const Pending& one : all) {
    seen.push_back(one.scheme->regular().is_awaited() ? 1 : 0);
    seen.push_back(one.scheme->regular().has_come() ? 1 : 0);
  }
  comm::allreduce(step_.context.comm, std::span(seen), comm::Op::max);
  StepExchange& exchange = step_.exchange;
  exchange.begin();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool has_begun = seen[2 * i + 1] != 0;
    all[i].awaits = seen[2 * i] != 0 && !has_begun;
    if (has_begun) {
      all[i].scheme->regular().post_awaited(exchange.incoming());
    }
  }
  exchange.run();
  for (Pending& one : all) {
    if (!one.awaits) {
      look_for_changes(one);
    }
  }
}

void Remeshing::receive(Pending& one) {
  StepExchange& exchange = step_.exchange;
  exchange.begin();
  if (step_.resets.has_sent_large(one.scheme->partners().front())) {
    one.scheme->regular().post_incoming(exchange.incoming(), fields::LinkChoice::all(),
                                        fields::LinkChoice::all());
  } else {
    exchange.post_incoming(*one.scheme);
  }
  exchange.run();
  one.awaits = false;
  look_for_changes(one);
}

/// In a serial scheme the partner has got what it needs of this one, unless that has reset meshes.
void Remeshing::renew_and_send(Pending& one) {
  Scheme& scheme = *one.scheme;
  const fields::Renewal renewal = *one.renewal;
  const bool sends = renewal.own.reset != 0 || scheme.role() == Scheme::Role::parallel;
  renew(std::span(&renewal, 1), std::array{&scheme});
  one = Pending(&scheme);
  one.awaits = !sends || scheme.receives_at_end();
  step_.exchange.begin();
  if (sends) {
    step_.exchange.post_outgoing(scheme);
  }
  step_.exchange.run();
}

void Remeshing::send_resets_to_leader() {
  Scheme& scheme = *step_.schedule.implicit();
  const std::vector<fields::Renewal> own = step_.resets.renewals(scheme, false);
  if (own.empty()) {
    return;
  }
  StepExchange& exchange = step_.exchange;
  const bool parallel = scheme.role() == Scheme::Role::parallel;
  exchange.begin();
  scheme.regular().post_notices(exchange.outgoing(), own.front().own, fields::LinkChoice::all());
  if (parallel) {
    scheme.regular().post_incoming(exchange.incoming(), fields::LinkChoice::all(),
                                   fields::LinkChoice::all());
  }
  exchange.run();
  if (parallel) {
    renew(step_.resets.renewals(scheme, true), std::array{&scheme});
    return;
  }
  std::array<Pending, 1> pending{Pending(&scheme)};
  pending.front().renewal = own.front();
  static_cast<void>(turns_.next(pending)); // the leader may be with another partner
  renew(own, std::array{&scheme});
}

void Remeshing::receive_resets_of_leader() {
  Scheme& scheme = *step_.schedule.implicit();
  const std::vector<fields::Renewal> found = step_.resets.renewals(scheme, true);
  if (found.empty()) {
    return;
  }
  renew(found, std::array{&scheme});
  StepExchange& exchange = step_.exchange;
  exchange.begin();
  if (scheme.role() == Scheme::Role::parallel) {
    scheme.regular().post_outgoing(exchange.outgoing(), scheme.window().start());
  }
  exchange.receive(scheme);
}

void Remeshing::answer_resets() {
  Scheme& scheme = *step_.schedule.implicit();
  const bool parallel = scheme.role() == Scheme::Role::parallel;
  const std::vector<fields::Renewal> found = step_.resets.renewals(scheme, parallel);
  if (found.empty()) {
    return;
  }
  StepExchange& exchange = step_.exchange;
  exchange.begin();
  for (const fields::Renewal& renewal : found) {
    scheme.regular().post_notices(exchange.outgoing(), renewal.own,
                                  step_.resets.links_to(std::span(&renewal, 1)));
  }
  exchange.run();
  renew(found, std::array{&scheme});
  exchange.begin();
  if (parallel) {
    exchange.receive(scheme, step_.resets.links_to(found));
    exchange.begin();
  }
}

} // namespace isthmus::coupling
