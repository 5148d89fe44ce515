// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/remeshing/remeshing.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace isthmus::coupling {

namespace {

constexpr auto everybody = [](transport::LinkId) { return true; };

} // namespace

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
  for (fields::Field* field : step_.fields.on(mesh)) {
    if (matters || (step_.fields.is_accessed(*field) && step_.self.writes(field->data(), mesh))) {
      history_.keep(*field, step_.planned.dimensions_of(*field),
                    step_.planned.coordinates_of(*field));
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
    for (const std::string& mesh : step_.partners.relations().touched_meshes(renewal)) {
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
    messages.post_notices(exchange.outgoing(), own, {});
    if (scheme.role() == Scheme::Role::parallel) { // the partner sends at the same time
      messages.post_incoming(exchange.incoming(), {}, everybody);
    }
    return;
  }
  const std::array<fields::Renewal, 1> renewal{{{partner, own, {}}}};
  const std::array<Scheme*, 1> due{&scheme};
  step_.mappings.map_written_for(renewal, due);
  messages.post_outgoing(exchange.outgoing(), scheme.window().start(), {}, &own);
  exchange.post_incoming(scheme);
}

/// After an exchange: plans again with those who see the changes, and exchanges what is missing.
void Remeshing::patch(Scheme& scheme, const fields::Renewal& renewal) {
  const auto scope = step_.context.trace.scope("renew");
  for (const std::string& mesh : step_.partners.relations().touched_meshes(renewal)) {
    renewed_meshes_.insert(mesh);
  }
  const fields::SmallChanges::Changed changed = small_.plan(renewal);
  step_.resets.forget(renewal.partner);
  StepExchange& exchange = step_.exchange;
  exchange.keep_links(scheme, renewal.partner);
  exchange.connect({});
  exchange.begin();
  scheme.regular().post_outgoing(
      exchange.outgoing(), scheme.window().start(),
      [&](transport::LinkId link) { return changed.out.count(link) != 0; });
  scheme.regular().post_missing(
      exchange.incoming(), [&](transport::LinkId link) { return changed.in.count(link) != 0; });
  exchange.run();
}

void Remeshing::exchange_again(std::vector<Scheme*> due) {
  for (;;) {
    std::vector<fields::Renewal> all;
    std::vector<std::pair<Scheme*, bool>> again; // whether it sends, too
    std::vector<std::pair<Scheme*, fields::Renewal>> small;
    for (Scheme* scheme : due) {
      for (const fields::Renewal& renewal : step_.resets.renewals(*scheme, true)) {
        if (small_.are_all(renewal)) {
          small.emplace_back(scheme, renewal);
          continue;
        }
        all.push_back(renewal);
        again.emplace_back(scheme,
                           renewal.own.reset != 0 || scheme->role() == Scheme::Role::parallel);
      }
    }
    for (const auto& [scheme, renewal] : small) {
      patch(*scheme, renewal);
    }
    if (all.empty()) {
      return;
    }
    renew(all, due);
    step_.exchange.begin();
    due.clear();
    for (const auto& [scheme, sends] : again) {
      due.push_back(scheme);
      if (sends) {
        step_.exchange.post(*scheme);
      } else {
        step_.exchange.post_incoming(*scheme);
      }
    }
    step_.exchange.run();
  }
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
  scheme.regular().post_notices(exchange.outgoing(), own.front().own, {});
  if (parallel) {
    scheme.regular().post_incoming(exchange.incoming(), {}, everybody);
  }
  exchange.run();
  renew(parallel ? step_.resets.renewals(scheme, true) : own, std::array{&scheme});
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
