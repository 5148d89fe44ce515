// SPDX-License-Identifier: BSD-3-Clause
// Meshes that change between two time windows. Whoever has reset one says so in place of its data,
// on every link; ranks without data listen to one link. Who hears it plans anew together with the
// one who said it; then the data are sent that belong to the new mesh. Where nothing is reset no
// message is longer, and none is sent beside those of the data.
#include "isthmus/base/error.hpp"
#include "isthmus/coupling/coupling.hpp"
#include "isthmus/fields/listeners.hpp"

#include <algorithm>

namespace isthmus::coupling {

namespace {

constexpr auto everybody = [](transport::LinkId) { return true; };

/// Which are not small.
transfer::Changes changes_of(transfer::MeshBits meshes) {
  transfer::Changes changes;
  changes.reset = meshes;
  changes.is_small = 0;
  return changes;
}

} // namespace

void Coupling::reset(const mesh::Mesh& old) {
  const auto& provided = self_.provided;
  const auto found = std::find_if(provided.begin(), provided.end(),
                                  [&old](const auto& mesh) { return mesh.name == old.name(); });
  keep_history(old.name());
  for (const std::string& data : configuration_.find_mesh(old.name())->data) {
    fields::Field& field = fields_.at(old.name(), data);
    field.discard_written();
    field.resize(0);
  }
  join_resets(reset_ | transfer::MeshBits{1} << (found - provided.begin()));
}

void Coupling::join_resets(transfer::MeshBits all) {
  reset_ = all;
  for (const auto& [partner, connection] : connections_) {
    for (int i = 0; i < transfer::max_meshes_to_reset; ++i) {
      const transfer::MeshBits bit = all & (transfer::MeshBits{1} << i);
      if (bit != 0 && wiring_.is_touched({partner, changes_of(bit), {}})) {
        unsent_resets_[partner] |= bit;
      }
    }
  }
}

bool Coupling::ends_windows(double dt) const {
  return std::all_of(schemes_.begin(), schemes_.end(), [dt, this](const Scheme& scheme) {
    Window window = scheme.window();
    if (window.ongoing() && !is_waiting(scheme)) {
      window.advance(dt);
    }
    return !window.ongoing() || window.complete();
  });
}

/// The new meshes are there.
void Coupling::complete_resets() {
  for (const config::ProvideMesh& provided : self_.provided) {
    if (fields::has_reset(self_, reset_, provided.name)) {
      for (const std::string& data : configuration_.find_mesh(provided.name)->data) {
        fields_.at(provided.name, data).fit(inputs_.meshes.at(provided.name).num_vertices());
      }
      renewed_meshes_.insert(provided.name);
    }
  }
  history_.give_back(
      [this](const fields::Field& field) { return coordinates_of(field, inputs_.meshes); });
  if (hooks_.reset) {
    hooks_.reset();
  }
  reset_ = 0;
}

/// Data of the start of a window matter where a window is repeated, or interpolated; what the
/// solver has written on a received mesh that its partner has replaced matters always.
void Coupling::keep_history(const std::string& mesh) {
  const bool matters = std::any_of(schemes_.begin(), schemes_.end(), [](const Scheme& scheme) {
    return scheme.is_implicit() || scheme.role() == Scheme::Role::second;
  });
  const config::Mesh& known = *configuration_.find_mesh(mesh);
  for (const std::string& data : known.data) {
    for (fields::Field* field : {&fields_.at(mesh, data), &fields_.of_solver(mesh, data)}) {
      if (matters || (fields_.is_accessed(*field) && self_.writes(data, mesh))) {
        history_.keep(*field, known.dimensions, coordinates_of(*field, inputs_.meshes));
      }
    }
  }
}

/// What this participant has reset and the partner does not know.
transfer::MeshBits Coupling::unsent_resets(const std::string& partner) const {
  const auto found = unsent_resets_.find(partner);
  return found == unsent_resets_.end() ? 0 : found->second;
}

/// Its rows belong to a mesh that is gone.
bool Coupling::is_stale(const fields::FieldMapping& mapping) const {
  return !unsent_resets_.empty() && unsent_resets(self_.receives(mapping.to->mesh())->from) != 0;
}

fields::ChooseLink Coupling::links_to(const std::vector<fields::Renewal>& renewals) const {
  if (renewals.empty()) {
    return {};
  }
  return [this, renewals](transport::LinkId link) {
    const std::string& partner = context_.hub.peer(link).participant;
    return std::any_of(
        renewals.begin(), renewals.end(),
        [&partner](const fields::Renewal& renewal) { return renewal.partner == partner; });
  };
}

/// With whom plans must be made again; `listened`: the partners have been heard.
std::vector<fields::Renewal> Coupling::renewals(const Scheme& scheme, bool listened) const {
  std::vector<fields::Renewal> found;
  if (unsent_resets_.empty() && !(listened && scheme.regular().has_changes())) {
    return found;
  }
  for (const std::string& partner : scheme.partners()) {
    const transfer::MeshBits own = unsent_resets(partner);
    std::optional<transfer::Changes> theirs;
    if (listened) {
      const auto received = scheme.regular().received_changes(links_to({{partner, {}, {}}}));
      theirs = received.empty() ? std::nullopt : received.front().changes;
    }
    if (own != 0 || theirs) {
      const auto sent = sent_changes_.find(partner);
      const transfer::Changes own_changes =
          sent != sent_changes_.end() ? sent->second : changes_of(own);
      found.push_back({partner, own != 0 ? own_changes : transfer::Changes(),
                       theirs.value_or(transfer::Changes())});
    }
  }
  return found;
}

void Coupling::connect_schemes(std::span<const fields::Renewal> renewals) {
  for (Scheme& scheme : schemes_) {
    scheme.connect(wiring_, self_.name);
  }
  wiring_.settle();
  if (!configuration_.run.allow_remeshing) {
    return;
  }
  for (const fields::Renewal& renewal : renewals) {
    const auto scheme = std::find_if(schemes_.begin(), schemes_.end(), [&](const Scheme& one) {
      const auto& partners = one.partners();
      return std::find(partners.begin(), partners.end(), renewal.partner) != partners.end();
    });
    if (scheme != schemes_.end() && wiring_.is_related(renewal.partner)) {
      listeners_[renewal.partner] = fields::find_listeners(
          connections_.at(renewal.partner), scheme->regular().receives_from(links_to({renewal})));
    }
  }
  for (Scheme& scheme : schemes_) {
    fields::Listeners all;
    for (const std::string& partner : scheme.partners()) {
      const fields::Listeners& some = listeners_[partner];
      all.targets.insert(all.targets.end(), some.targets.begin(), some.targets.end());
      all.sources.insert(all.sources.end(), some.sources.begin(), some.sources.end());
    }
    scheme.listen(all);
  }
}

/// Plans anew with these partners, and maps for them what is about to be sent.
void Coupling::renew(std::span<const fields::Renewal> renewals, std::span<Scheme* const> due) {
  const auto scope = context_.trace.scope("renew");
  for (const fields::Renewal& renewal : renewals) {
    for (const std::string& mesh : wiring_.touched_meshes(renewal)) {
      keep_history(mesh);
      renewed_meshes_.insert(mesh);
    }
  }
  for (const fields::Renewal& renewal : renewals) {
    wiring_.renew(connections_.at(renewal.partner), renewal, inputs_);
    unsent_resets_.erase(renewal.partner);
    sent_changes_.erase(renewal.partner);
  }
  connect_schemes(renewals);
  if (hooks_.planned) {
    hooks_.planned();
  }
  history_.give_back(
      [this](const fields::Field& field) { return coordinates_of(field, inputs_.meshes); });
  if (implicit_ != nullptr) {
    renew_iteration(renewals);
  }
  history_.clear();
  map_for(renewals, due);
}

/// As preCICE, which begins with an implicit scheme and its logs anew where one of its meshes is
/// reset, unless the user wants what has been learnt to be carried to the new vertices.
void Coupling::renew_iteration(std::span<const fields::Renewal> renewals) {
  const std::vector<std::string>& partners = implicit_->partners();
  const bool concerned =
      std::any_of(renewals.begin(), renewals.end(), [&partners](const fields::Renewal& renewal) {
        return std::find(partners.begin(), partners.end(), renewal.partner) != partners.end();
      });
  const double start = implicit_->window().start();
  if (!concerned || configuration_.run.carries_iterations) {
    if (fixed_point_) {
      history_.carry(*fixed_point_, start);
    }
    return;
  }
  if (fixed_point_) {
    fixed_point_->renew(start);
  }
  iteration_log_ = {};
  open_log(std::nullopt);
}

/// What the partners of these get.
void Coupling::map_for(std::span<const fields::Renewal> renewals, std::span<Scheme* const> due) {
  for (fields::FieldMapping& mapping : wiring_.write_mappings()) {
    const std::string& partner = self_.receives(mapping.to->mesh())->from;
    const bool is_renewed = std::any_of(
        renewals.begin(), renewals.end(),
        [&partner](const fields::Renewal& renewal) { return renewal.partner == partner; });
    if (is_renewed && map_written(mapping, due) && hooks_.mapped_again) {
      hooks_.mapped_again(*mapping.to);
    }
  }
  if (hooks_.written) {
    hooks_.written();
  }
}

/// After an exchange: as long as somebody has spoken of resets, the same again on the new plans.
/// In a serial scheme the partner has got what it needs of this one, unless that has reset meshes.
void Coupling::exchange_again(std::vector<Scheme*> due) {
  for (;;) {
    std::vector<fields::Renewal> all;
    std::vector<std::pair<Scheme*, bool>> again; // whether it sends, too
    std::vector<std::pair<Scheme*, fields::Renewal>> small;
    for (Scheme* scheme : due) {
      for (const fields::Renewal& renewal : renewals(*scheme, true)) {
        if (wiring_.is_small(renewal)) {
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
    outgoing_.clear();
    incoming_.clear();
    due.clear();
    for (const auto& [scheme, sends] : again) {
      due.push_back(scheme);
      if (sends) {
        post(*scheme);
      } else {
        prepare_incoming(*scheme);
        scheme->regular().post_incoming(incoming_);
      }
    }
    context_.hub.exchange(outgoing_, incoming_, context_.progress_timeout);
  }
}

/// A follower of an implicit scheme has reset meshes. Where all step at the same time the leader
/// answers what it has reset itself.
void Coupling::send_resets_to_leader() {
  const std::vector<fields::Renewal> own = renewals(*implicit_, false);
  if (own.empty()) {
    return;
  }
  fields::MessageSet& messages = implicit_->regular();
  const bool parallel = implicit_->role() == Scheme::Role::parallel;
  outgoing_.clear();
  incoming_.clear();
  messages.post_notices(outgoing_, own.front().own, {});
  if (parallel) {
    messages.post_incoming(incoming_, {}, everybody);
  }
  context_.hub.exchange(outgoing_, incoming_, context_.progress_timeout);
  renew(parallel ? renewals(*implicit_, true) : own, std::span(&implicit_, 1));
}

/// The leader may have answered that it has reset meshes: then what was sent is void, except where
/// the leader has computed with it.
void Coupling::receive_resets_of_leader() {
  Scheme& scheme = *implicit_;
  const std::vector<fields::Renewal> found = renewals(scheme, true);
  if (found.empty()) {
    return;
  }
  renew(found, std::span(&implicit_, 1));
  outgoing_.clear();
  incoming_.clear();
  if (scheme.role() == Scheme::Role::parallel) {
    scheme.regular().post_outgoing(outgoing_, scheme.window().start());
  }
  receive(scheme);
}

/// The leader of an implicit scheme: followers have told what they have reset, and are told.
void Coupling::answer_resets() {
  Scheme& scheme = *implicit_;
  const bool parallel = scheme.role() == Scheme::Role::parallel;
  const std::vector<fields::Renewal> found = renewals(scheme, parallel);
  if (found.empty()) {
    return;
  }
  outgoing_.clear();
  incoming_.clear();
  for (const fields::Renewal& renewal : found) {
    scheme.regular().post_notices(outgoing_, renewal.own, links_to({renewal}));
  }
  context_.hub.exchange(outgoing_, incoming_, context_.progress_timeout);
  renew(found, std::span(&implicit_, 1));
  outgoing_.clear();
  incoming_.clear();
  if (parallel) {
    receive(scheme, links_to(found));
    outgoing_.clear();
  }
}

} // namespace isthmus::coupling
