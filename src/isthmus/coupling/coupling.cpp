// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/coupling.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isthmus::coupling {

namespace {

bool is_later(double time, double other) {
  return time > other && !time::same_time(time, other, time);
}

} // namespace

Coupling::Coupling(partner::Context& context, const config::Configuration& configuration,
                   const config::Participant& self, fields::FieldSet& fields)
    : context_(context),
      configuration_(configuration),
      self_(self),
      fields_(fields),
      wiring_(configuration, self, fields) {
  int number = 0;
  for (const config::CouplingScheme& settings : configuration.schemes) {
    if (settings.involves(self.name)) {
      schemes_.emplace_back(settings, self.name, number);
      if (settings.implicit()) {
        implicit_ = &schemes_.back();
      }
    }
    ++number;
  }
}

double Coupling::step_limit() const {
  double limit = std::numeric_limits<double>::max();
  bool ongoing = false;
  for (const Scheme& scheme : schemes_) {
    if (scheme.window().ongoing() && !is_waiting(scheme)) {
      ongoing = true;
      limit = std::min(limit, scheme.window().step_limit());
    }
  }
  return ongoing ? limit : 0;
}

bool Coupling::is_ongoing() const {
  return std::any_of(schemes_.begin(), schemes_.end(),
                     [](const Scheme& scheme) { return scheme.window().ongoing(); });
}

int Coupling::windows_done() const {
  int most = 0;
  for (const Scheme& scheme : schemes_) {
    most = std::max(most, scheme.window().number());
  }
  return most;
}

void Coupling::advance(double dt) {
  renewed_meshes_.clear();
  if (reset_ != 0) {
    complete_resets();
  }
  step(dt);
  store_written(due_);
  starts_iterating_ = false;
  repeats_window_ = false;
  window_complete_ = !due_.empty();
  const auto at = std::find(due_.begin(), due_.end(), implicit_);
  if (at != due_.end()) {
    due_.erase(at); // the others wait until it has converged
    if (!iterate()) {
      window_complete_ = false;
      return;
    }
  }
  map_written(due_);
  exchange(due_);
  finish_windows(due_);
  if (awaits_next_) {
    begin_next();
  }
}

/// Explicit schemes take part in the first iteration of an implicit window only. Those that come to
/// an end together with it wait there until it has converged.
bool Coupling::is_waiting(const Scheme& scheme) const {
  return iteration_ > 0 && &scheme != implicit_;
}

/// Moves the clocks, and lists the schemes of which a window ends.
void Coupling::step(double dt) {
  for (Scheme& scheme : schemes_) {
    if (scheme.window().ongoing() && !is_waiting(scheme)) {
      scheme.window().advance(dt);
      time_ = scheme.window().time();
    }
  }
  const bool implicit_ends = implicit_ != nullptr && implicit_->window().complete();
  due_.clear();
  for (Scheme& scheme : schemes_) {
    if (scheme.window().complete() && (implicit_ends || !is_waiting(scheme))) {
      due_.push_back(&scheme);
    }
  }
}

void Coupling::store_written(const std::vector<Scheme*>& due) {
  const fields::Field::Watch ended =
      due.empty() ? fields::Field::Watch::steps : fields::Field::Watch::window_ends;
  const auto wanted = [&due, this](const fields::Field& field) {
    return std::any_of(schemes_.begin(), schemes_.end(), [&](Scheme& scheme) {
      // beside an implicit scheme what stood at any end of a window may be sent later
      const bool ends = scheme.is_implicit() || implicit_ == nullptr
                            ? std::find(due.begin(), due.end(), &scheme) != due.end()
                            : !due.empty();
      const auto& items = scheme.regular().outgoing();
      return fields::carried(items, field) >=
             (ends ? fields::Carried::one_sample : fields::Carried::all_samples);
    });
  };
  for (const config::UseData& use : self_.written) {
    fields::Field& field = fields_.of_solver(use.mesh, use.name);
    const auto& mappings = wiring_.write_mappings();
    const bool mapped = std::any_of(
        mappings.begin(), mappings.end(),
        [&](const fields::FieldMapping& m) { return m.from == &field && wanted(*m.to); });
    const time::Waveform& wave = field.wave();
    const bool is_gone = !wave.empty() && !is_later(time_, wave.time(wave.num_samples() - 1));
    if (!is_gone && (mapped || wanted(field) || field.watched() >= ended)) {
      field.store_written(time_);
    } else {
      field.discard_written();
    }
  }
}

void Coupling::exchange(std::vector<Scheme*> due) {
  if (due.empty() && !awaits_next_) {
    return;
  }
  const auto scope = context_.trace.scope("exchange");
  outgoing_.clear();
  incoming_.clear();
  for (Scheme* scheme : due) {
    if (unsent_resets(scheme->partners().front()) == 0) {
      post(*scheme);
    } else {
      post_reset(*scheme);
    }
  }
  if (awaits_next_) {
    implicit_->regular().post_incoming(incoming_);
    due.push_back(implicit_);
  }
  context_.hub.exchange(outgoing_, incoming_, context_.progress_timeout);
  if (configuration_.run.allow_remeshing) {
    exchange_again(due);
  }
  context_.hub.flush(context_.progress_timeout);
}

void Coupling::post(Scheme& scheme) {
  scheme.regular().post_outgoing(outgoing_, scheme.extract());
  if (scheme.receives_at_end()) {
    prepare_incoming(scheme);
    scheme.regular().post_incoming(incoming_);
  }
  send_window_size(scheme);
}

/// What was received before is the start of the next window (second), or is replaced.
void Coupling::prepare_incoming(Scheme& scheme) {
  for (const fields::Item& item : scheme.regular().incoming()) {
    if (scheme.role() == Scheme::Role::second) {
      item.field->wave().keep_last();
    } else {
      item.field->wave().clear();
    }
  }
}

/// Sums of steps differ in their last bits between participants: samples at the end of a window get
/// this participant's time of it.
void Coupling::set_arrival_times(Scheme& scheme) {
  const Window& window = scheme.window();
  const double end = scheme.role() == Scheme::Role::second ? window.end() : window.time();
  if (configuration_.run.allow_remeshing) {
    scheme.regular().add_zeros(end);
  }
  for (const fields::Item& item : scheme.regular().incoming()) {
    time::Waveform& wave = item.field->wave();
    if (!wave.empty() && time::same_time(wave.time(wave.num_samples() - 1), end, end)) {
      wave.set_last_time(end);
    }
    if (scheme.role() != Scheme::Role::second && !scheme.is_implicit()) {
      wave.keep_last(); // constant over the next window
    }
  }
}

void Coupling::finish_windows(const std::vector<Scheme*>& due) {
  for (Scheme* scheme : due) {
    const bool received = scheme->receives_at_end();
    const bool before_next = scheme->role() != Scheme::Role::second;
    if (received && before_next) {
      set_arrival_times(*scheme);
    }
    scheme->window().open_next();
    if (received && !before_next) {
      follow_window_size(*scheme);
      set_arrival_times(*scheme);
    }
    if (received) {
      map_received(scheme->regular());
    } else {
      keep_last(scheme->regular());
    }
  }
  notify_received();
  drop_sent();
}

/// Data of a scheme that has ended stays as it was there, also where an implicit window that began
/// before is repeated.
void Coupling::keep_last(const fields::MessageSet& messages) {
  for (const fields::Item& item : messages.incoming()) {
    item.field->wave().keep_last();
  }
  for (fields::FieldMapping& mapping : wiring_.read_mappings()) {
    if (fields::holds(messages.incoming(), mapping.from)) {
      mapping.to->wave().keep_last();
    }
  }
}

/// Whether what the solver writes to a field goes out with a scheme, as it is or mapped.
bool Coupling::sends(const Scheme& scheme, const fields::Field& field) {
  const std::vector<fields::Item>& items = scheme.regular().outgoing();
  const std::vector<fields::FieldMapping>& mappings = wiring_.write_mappings();
  const auto goes_out = [&items](const fields::Field& sent) {
    return fields::carried(items, sent) != fields::Carried::nothing;
  };
  return goes_out(field) ||
         std::any_of(mappings.begin(), mappings.end(), [&](const fields::FieldMapping& mapping) {
           return mapping.from == &field && goes_out(*mapping.to);
         });
}

bool Coupling::is_iterated(const fields::Field& field) {
  if (implicit_ == nullptr) {
    return false;
  }
  const std::vector<fields::Item>& incoming = implicit_->regular().incoming();
  const std::vector<fields::FieldMapping>& mappings = wiring_.read_mappings();
  return sends(*implicit_, field) || fields::holds(incoming, &field) ||
         std::any_of(mappings.begin(), mappings.end(), [&](const fields::FieldMapping& mapping) {
           return mapping.to == &field && fields::holds(incoming, mapping.from);
         });
}

/// A field may go to several partners: its samples stay for the one with the longest window.
double Coupling::kept_from(const fields::Field& field) {
  double start = std::numeric_limits<double>::infinity();
  for (const Scheme& scheme : schemes_) {
    if (scheme.window().ongoing() && sends(scheme, field)) {
      start = std::min(start, scheme.window().start());
    }
  }
  return start;
}

void Coupling::drop_sent() {
  for (const fields::FieldMapping& mapping : wiring_.write_mappings()) {
    mapping.to->wave().clear();
  }
  for (const config::UseData& use : self_.written) {
    fields::Field& field = fields_.of_solver(use.mesh, use.name);
    const double start = kept_from(field);
    const bool may_lag = implicit_ != nullptr && !sends(*implicit_, field);
    if (may_lag && std::isfinite(start)) {
      field.wave().drop_before(start); // the sample at the start may be sent later
    } else {
      field.wave().drop_until(start);
    }
  }
}

/// With method first-participant the first rank tells the size of the window to the partner's first
/// rank, which tells the others.
void Coupling::send_window_size(const Scheme& scheme) {
  if (scheme.sends_window_size() && context_.comm.is_root()) {
    Writer writer;
    writer.put(scheme.window().size());
    context_.hub.send(connections_.at(scheme.partners().front()).link_to(0),
                      scheme.kind(transport::Kind::steering), writer.take());
  }
}

void Coupling::follow_window_size(Scheme& scheme) {
  if (!scheme.follows_window_size()) {
    return;
  }
  double size = 0;
  comm::agree(context_.comm, [this, &scheme, &size] {
    if (context_.comm.is_root()) {
      const auto bytes =
          context_.hub.receive(connections_.at(scheme.partners().front()).link_to(0),
                               scheme.kind(transport::Kind::steering), context_.progress_timeout);
      size = Reader(bytes).get<double>();
    }
  });
  scheme.window().set_size(comm::bcast(context_.comm, size));
}

} // namespace isthmus::coupling
