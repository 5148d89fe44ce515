// SPDX-License-Identifier: BSD-3-Clause
// The start of a coupling: partners, plans, initial data, the first window of the second.
#include "isthmus/comm/agree.hpp"
#include "isthmus/coupling/coupling.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace isthmus::coupling {

namespace {

constexpr double before_start = -1; // of the run

} // namespace

void Coupling::initialize(const planning::Inputs& inputs, const MakeAccelerator& make_accelerator,
                          const Continuation& continuation) {
  inputs_ = inputs;
  connect();
  const std::optional<fields::RestartPoint> point = agree_on_start(
      connections_, self_.name, configuration_.participants.size(), continuation.points());
  const auto connection_to = [this](const std::string& partner) -> partner::Connection& {
    return connections_.at(partner);
  };
  for (const config::ProvideMesh& provided : self_.provided) {
    for (const std::string& data : configuration_.find_mesh(provided.name)->data) {
      fields_.at(provided.name, data).resize(inputs_.meshes.at(provided.name).num_vertices());
    }
  }
  wiring_.plan(connection_to, inputs_);
  std::vector<fields::Renewal> partners;
  for (const auto& [partner, connection] : connections_) {
    partners.push_back({partner, {}, {}});
  }
  connect_schemes(partners);
  if (hooks_.planned) {
    hooks_.planned();
  }
  const auto scope = context_.trace.scope("data");
  start_fields();
  if (!point) {
    exchange_initial_data();
  }
  start_iterating(make_accelerator);
  if (point) {
    fields::Snapshot snapshot = list_fields(inputs_.meshes);
    snapshot.point = *point;
    continuation.load(snapshot);
    restore(std::move(snapshot));
  }
  open_log(kept_log_);
  receive_first_windows();
  // nobody serves the links once the solver has the word
  context_.hub.flush(context_.progress_timeout);
}

void Coupling::connect() {
  const auto scope = context_.trace.scope("connect");
  for (const config::M2N& m2n : configuration_.m2ns) {
    const bool accepts = m2n.acceptor == self_.name;
    if (!accepts && m2n.connector != self_.name) {
      continue;
    }
    const std::string& partner = accepts ? m2n.connector : m2n.acceptor;
    const bool coupled = std::any_of(schemes_.begin(), schemes_.end(), [&partner](const Scheme& s) {
      const auto& partners = s.partners();
      return std::find(partners.begin(), partners.end(), partner) != partners.end();
    });
    if (coupled || wiring_.is_related(partner)) {
      connections_.emplace(std::piecewise_construct, std::forward_as_tuple(partner),
                           std::forward_as_tuple(context_, m2n, partner));
    }
  }
}

/// Everything that will be read is zero at the start unless initial data comes.
void Coupling::start_fields() {
  const auto zero_at_start = [](fields::Field& field) {
    field.wave().clear();
    const auto values = field.wave().append(0);
    std::fill(values.begin(), values.end(), 0.0);
  };
  for (Scheme& scheme : schemes_) {
    for (const fields::Item& item : scheme.regular().incoming()) {
      zero_at_start(*item.field);
    }
  }
  for (const fields::FieldMapping& mapping : wiring_.read_mappings()) {
    zero_at_start(*mapping.to);
  }
}

void Coupling::exchange_initial_data() {
  outgoing_.clear();
  incoming_.clear();
  for (Scheme& scheme : schemes_) {
    for (const fields::Item& item : scheme.initial().outgoing()) {
      bool is_mapped = false;
      for (fields::FieldMapping& mapping : wiring_.write_mappings()) {
        if (mapping.to == item.field || item.field->is_made_of(*mapping.to)) {
          is_mapped = true;
          if (mapping.from->wave().empty()) {
            mapping.from->store_written(0);
          }
          mapping.to->wave().clear();
          apply(mapping, 0);
        }
      }
      if (!is_mapped && item.field->wave().empty()) {
        item.field->store_written(0);
      }
    }
  }
  if (hooks_.written) {
    hooks_.written();
  }
  for (Scheme& scheme : schemes_) {
    scheme.initial().post_outgoing(outgoing_, before_start);
    for (const fields::Item& item : scheme.initial().incoming()) {
      item.field->wave().clear();
    }
    scheme.initial().post_incoming(incoming_);
  }
  context_.hub.exchange(outgoing_, incoming_, context_.progress_timeout);
  for (Scheme& scheme : schemes_) {
    map_received(scheme.initial());
  }
  notify_received();
}

/// x_0 of the fixed point is the initial data; then fields that go out hold nothing until the
/// solver has made a step: what it wrote before is initial data or nothing.
void Coupling::start_iterating(const MakeAccelerator& make_accelerator) {
  if (implicit_ != nullptr) {
    starts_iterating_ = true;
    const config::CouplingScheme& settings = implicit_->settings();
    if (implicit_->leads()) {
      fixed_point_.emplace(
          settings, configuration_.data, self_.name, fields_,
          settings.acceleration ? make_accelerator(*settings.acceleration, context_.comm) : nullptr,
          context_.comm);
      fixed_point_->start();
    }
  }
  for (Scheme& scheme : schemes_) {
    for (const fields::Item& item : scheme.regular().outgoing()) {
      item.field->wave().clear();
    }
  }
  for (const config::UseData& use : self_.written) {
    fields::Field& field = fields_.of_solver(use.mesh, use.name);
    field.wave().clear();
    field.discard_written();
  }
}

void Coupling::open_log(const std::optional<IterationLog::Sizes>& keep) {
  comm::agree(context_.comm, [this, &keep] {
    if (implicit_ == nullptr || !context_.comm.is_root()) {
      return;
    }
    iteration_log_ = IterationLog(
        self_.name, fixed_point_ ? fixed_point_->convergence().names() : std::vector<std::string>{},
        fixed_point_ && fixed_point_->counters(), keep);
  });
}

/// The second participant of a serial scheme starts with what the first computed for the window.
void Coupling::receive_first_windows() {
  outgoing_.clear();
  incoming_.clear();
  due_.clear();
  for (Scheme& scheme : schemes_) {
    if (scheme.role() == Scheme::Role::second && scheme.window().ongoing()) {
      due_.push_back(&scheme);
    }
  }
  for (Scheme* scheme : due_) {
    scheme->regular().post_incoming(incoming_);
  }
  context_.hub.exchange(outgoing_, incoming_, context_.progress_timeout);
  for (Scheme* scheme : due_) {
    follow_window_size(*scheme);
    set_arrival_times(*scheme);
    map_received(scheme->regular());
  }
  notify_received();
}

} // namespace isthmus::coupling
