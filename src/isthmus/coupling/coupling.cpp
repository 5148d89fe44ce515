// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/coupling.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/wire.hpp"

#include <algorithm>
#include <limits>

namespace isthmus::coupling {

namespace {

bool holds(const std::vector<Item>& items, const Field* field) {
  return std::any_of(items.begin(), items.end(),
                     [field](const Item& item) { return item.field == field; });
}

bool any_substeps(const std::vector<Item>& items) {
  return std::any_of(items.begin(), items.end(), [](const Item& item) { return item.all_samples; });
}

} // namespace

Coupling::Coupling(Context& context, const config::Configuration& configuration,
                   const config::Participant& self, FieldSet& fields)
    : context_(context),
      configuration_(configuration),
      self_(self),
      fields_(fields),
      wiring_(configuration, self, fields) {
  for (const config::CouplingScheme& settings : configuration.schemes) {
    if (settings.involves(self.name)) {
      schemes_.emplace_back(settings, self.name);
      if (settings.implicit()) {
        implicit_ = &schemes_.back();
      }
    }
  }
}

double Coupling::step_limit() const {
  double limit = std::numeric_limits<double>::max();
  bool ongoing = false;
  for (const Scheme& scheme : schemes_) {
    if (scheme.window().ongoing()) {
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
  if (has_resets()) {
    complete_resets();
  }
  due_.clear();
  for (Scheme& scheme : schemes_) {
    if (scheme.window().ongoing()) {
      scheme.window().advance(dt);
      time_ = scheme.window().time();
      if (scheme.window().complete()) {
        due_.push_back(&scheme);
      }
    }
  }
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
}

void Coupling::store_written(const std::vector<Scheme*>& due) {
  const Field::Watch ended = due.empty() ? Field::Watch::steps : Field::Watch::window_ends;
  const auto wanted = [&due, this](const Field& field) {
    const auto at_end = [&field](const Scheme* s) {
      return holds(s->regular().outgoing(), &field);
    };
    if (std::any_of(due.begin(), due.end(), at_end)) {
      return true;
    }
    return std::any_of(schemes_.begin(), schemes_.end(), [&field](Scheme& scheme) {
      const auto& items = scheme.regular().outgoing();
      return std::any_of(items.begin(), items.end(), [&field](const Item& item) {
        return item.field == &field && item.all_samples;
      });
    });
  };
  for (const config::UseData& use : self_.written) {
    Field& field = fields_.of_solver(use.mesh, use.name);
    const auto& mappings = wiring_.write_mappings();
    const bool mapped = std::any_of(mappings.begin(), mappings.end(), [&](const FieldMapping& m) {
      return m.from == &field && wanted(*m.to);
    });
    if (mapped || wanted(field) || field.watched() >= ended) {
      field.store_written(time_);
    } else {
      field.discard_written();
    }
  }
}

void Coupling::map_written(std::span<Scheme* const> due) {
  const auto scope = context_.trace.scope("map");
  for (FieldMapping& mapping : wiring_.write_mappings()) {
    if (!is_stale(mapping)) {
      map_written(mapping, due);
    }
  }
  if (hooks_.written) {
    hooks_.written();
  }
}

void Coupling::map_written(FieldMapping& mapping, std::span<Scheme* const> due) {
  for (const Scheme* scheme : due) {
    const auto& items = scheme->regular().outgoing();
    if (holds(items, mapping.to)) {
      mapping.to->wave().clear();
      const time::Waveform& from = mapping.from->wave();
      const std::size_t count = from.num_samples();
      const std::size_t first =
          any_substeps(items) ? from.first_after(scheme->window().start()) : count - 1;
      for (std::size_t s = first; s < count; ++s) {
        apply(mapping, s);
      }
    }
  }
}

void Coupling::apply(FieldMapping& mapping, std::size_t sample) {
  const time::Waveform& from = mapping.from->wave();
  const std::span<double> out = mapping.to->wave().append(from.time(sample));
  const std::span<const double> values = from.values(sample);
  mapping.plan->apply(
      context_.comm, mapping.from->components(),
      mapping.plan->use->takes_gradients() ? values : mapping.from->plain(values, plain_), out);
}

void Coupling::exchange(const std::vector<Scheme*>& due) {
  if (due.empty()) {
    return;
  }
  const auto scope = context_.trace.scope("exchange");
  outgoing_.clear();
  incoming_.clear();
  for (Scheme* scheme : due) {
    if (untold(scheme->partners().front()) == 0) {
      post(*scheme);
    } else {
      post_reset(*scheme);
    }
  }
  context_.hub.exchange(outgoing_, incoming_, context_.patience);
  if (configuration_.allow_remeshing) {
    exchange_again(due);
  }
  context_.hub.flush(context_.patience);
}

void Coupling::post(Scheme& scheme) {
  scheme.regular().post_outgoing(outgoing_, scheme.window().start());
  if (scheme.receives_at_end()) {
    prepare_incoming(scheme);
    scheme.regular().post_incoming(incoming_);
  }
  tell_window_size(scheme);
}

/// What was received before is the start of the next window (second), or is replaced.
void Coupling::prepare_incoming(Scheme& scheme) {
  for (const Item& item : scheme.regular().incoming()) {
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
  for (const Item& item : scheme.regular().incoming()) {
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
    }
  }
  drop_sent();
}

/// A field may go to several partners: its samples stay for the one with the longest window.
void Coupling::drop_sent() {
  for (const FieldMapping& mapping : wiring_.write_mappings()) {
    mapping.to->wave().clear();
  }
  for (const config::UseData& use : self_.written) {
    Field& field = fields_.of_solver(use.mesh, use.name);
    double needed_after = std::numeric_limits<double>::infinity();
    for (const Scheme& scheme : schemes_) {
      const std::vector<Item>& items = scheme.regular().outgoing();
      const bool sent =
          holds(items, &field) ||
          std::any_of(wiring_.write_mappings().begin(), wiring_.write_mappings().end(),
                      [&field, &items](const FieldMapping& mapping) {
                        return mapping.from == &field && holds(items, mapping.to);
                      });
      if (sent && scheme.window().ongoing()) {
        needed_after = std::min(needed_after, scheme.window().start());
      }
    }
    field.wave().drop_until(needed_after);
  }
}

/// Maps the samples that are new: all behind the one that opens the window, or the only one.
void Coupling::map_received(const MessageSet& messages) {
  const auto scope = context_.trace.scope("map");
  for (FieldMapping& mapping : wiring_.read_mappings()) {
    if (!holds(messages.incoming(), mapping.from)) {
      continue;
    }
    const time::Waveform& from = mapping.from->wave();
    const std::size_t count = from.num_samples();
    if (count <= 1) {
      mapping.to->wave().clear();
    } else {
      mapping.to->wave().drop_after(from.time(0));
      mapping.to->wave().keep_last();
    }
    for (std::size_t s = count > 1 ? 1 : 0; s < count; ++s) {
      apply(mapping, s);
    }
  }
  if (hooks_.received) {
    hooks_.received();
  }
}

/// With method first-participant the first rank tells the size of the window to the partner's first
/// rank, which tells the others.
void Coupling::tell_window_size(const Scheme& scheme) {
  if (scheme.tells_window_size() && context_.comm.is_root()) {
    comm::Writer writer;
    writer.put(scheme.window().size());
    context_.hub.send(connections_.at(scheme.partners().front()).link_to(0), comm::Kind::steering,
                      writer.take());
  }
}

void Coupling::follow_window_size(Scheme& scheme) {
  if (!scheme.follows_window_size()) {
    return;
  }
  double size = 0;
  comm::agree(context_.comm, [this, &scheme, &size] {
    if (context_.comm.is_root()) {
      const auto bytes = context_.hub.receive(connections_.at(scheme.partners().front()).link_to(0),
                                              comm::Kind::steering, context_.patience);
      size = comm::Reader(bytes).get<double>();
    }
  });
  scheme.window().set_size(comm::bcast(context_.comm, size));
}

} // namespace isthmus::coupling
