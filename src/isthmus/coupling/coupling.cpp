// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/coupling.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace isthmus::coupling {

namespace {

constexpr double before_start = -1; // of the run

/// Receives at the end of its window what its partner has computed for the next one.
bool awaits_next(const Scheme* scheme) {
  return scheme->role() == Scheme::Role::second && scheme->receives_at_end();
}

/// The number of windows with those that end now.
int num_windows(const Schedule& schedule, std::span<Scheme* const> due) {
  int number = schedule.windows_done();
  for (const Scheme* scheme : due) {
    number = std::max(number, scheme->window().number() + (scheme->window().complete() ? 1 : 0));
  }
  return number;
}

} // namespace

void Coupling::connect() {
  step_.partners.connect(step_.schedule.partners());
}

std::optional<Snapshot> Coupling::plan(const planning::Inputs& inputs,
                                       const std::optional<std::vector<RestartPoint>>& points) {
  fields::Partners& partners = step_.partners;
  const std::optional<RestartPoint> point =
      agree_on_start(partners.connections(), step_.self.name, num_participants_, points);
  for (const config::ProvideMesh& provided : step_.self.provided) {
    for (fields::Field* field : step_.fields.on(provided.name)) {
      field->resize(inputs.meshes.at(provided.name).num_vertices());
    }
  }
  partners.plan(inputs);
  std::vector<fields::Renewal> all;
  for (const std::string& partner : partners.names()) {
    all.push_back({partner, {}, {}});
  }
  step_.exchange.connect(all);
  if (!point) {
    return {};
  }
  Snapshot earlier = list_fields(step_);
  earlier.point = *point;
  return earlier;
}

void Coupling::start(std::unique_ptr<acceleration::Accelerator> accelerator,
                     const std::optional<Snapshot>& earlier) {
  const auto scope = step_.context.trace.scope("data");
  step_.samples.start_received();
  if (!earlier) {
    exchange_initial_data();
  }
  iterations_.start(std::move(accelerator));
  step_.samples.clear_written();
  if (earlier) {
    restore(*earlier, step_, iterations_);
  }
  implicit_step_.start();
  iterations_.open_log();
  receive_first_windows();
  step_.exchange.flush(); // nobody serves the links once the solver has the word
}

void Coupling::exchange_initial_data() {
  std::list<Scheme>& schemes = step_.schedule.schemes();
  StepExchange& exchange = step_.exchange;
  exchange.begin();
  step_.mappings.map_initial(schemes);
  for (Scheme& scheme : schemes) {
    scheme.initial().post_outgoing(exchange.outgoing(), before_start);
    for (const fields::Item& item : scheme.initial().incoming()) {
      item.field->wave().clear();
    }
    scheme.initial().post_incoming(exchange.incoming());
  }
  exchange.run();
  for (Scheme& scheme : schemes) {
    step_.mappings.map_received(scheme.initial());
  }
  step_.mappings.notify_received();
}

/// The second participant of a serial scheme starts with what the first computed for the window.
void Coupling::receive_first_windows() {
  StepExchange& exchange = step_.exchange;
  exchange.begin();
  std::vector<Scheme*> seconds;
  for (Scheme& scheme : step_.schedule.schemes()) {
    if (scheme.role() == Scheme::Role::second && scheme.window().ongoing()) {
      seconds.push_back(&scheme);
      scheme.regular().post_incoming(exchange.incoming());
    }
  }
  exchange.run();
  for (Scheme* scheme : seconds) {
    exchange.follow_window_size(*scheme);
    exchange.set_arrival_times(*scheme);
    step_.mappings.map_received(scheme->regular());
  }
  step_.mappings.notify_received();
}

void Coupling::advance(double dt) {
  remeshing_.complete_resets();
  std::vector<Scheme*>& due = step_.schedule.step(dt);
  step_.samples.store_written(due);
  implicit_step_.begin();
  window_complete_ = !due.empty();
  const int iteration = iterations_.current();
  const auto implicit = std::find(due.begin(), due.end(), step_.schedule.implicit());
  Progress::Repetitions iterations;
  if (implicit != due.end()) {
    due.erase(implicit); // the others wait until it has converged
    if (!implicit_step_.run_iteration()) {
      window_complete_ = false;
      return;
    }
    iterations = {iteration, iterations_.meets_limits()};
  }
  const int windows = num_windows(step_.schedule, due);
  // a line of the end belongs before the wait for the next window
  const bool waits =
      implicit_step_.awaits_next() || std::any_of(due.begin(), due.end(), awaits_next);
  if (waits) {
    progress_.end(windows, iterations, step_.schedule.time(), false);
  }
  step_.mappings.map_written(due);
  exchange(due);
  finish_windows(due);
  if (!window_complete_) {
    progress_.step(windows + 1, iteration, step_.schedule.time());
  } else if (!waits) {
    progress_.end(windows, iterations, step_.schedule.time(), !step_.schedule.is_ongoing());
  }
  if (implicit_step_.awaits_next()) {
    implicit_step_.begin_next();
  }
}

void Coupling::exchange(std::vector<Scheme*>& due) {
  if (due.empty() && !implicit_step_.awaits_next()) {
    return;
  }
  const auto scope = step_.context.trace.scope("exchange");
  StepExchange& exchange = step_.exchange;
  exchange.begin();
  for (Scheme* scheme : due) {
    if (step_.resets.unsent(scheme->partners().front()) == 0) {
      exchange.post(*scheme);
    } else {
      remeshing_.post(*scheme);
    }
  }
  if (implicit_step_.awaits_next()) {
    Scheme& implicit = *step_.schedule.implicit();
    implicit.regular().post_incoming(exchange.incoming());
    due.push_back(&implicit);
    remeshing_.exchange(due);
    due.pop_back();
  } else {
    remeshing_.exchange(due);
  }
  exchange.flush_or_hold();
}

void Coupling::finish_windows(std::span<Scheme* const> due) {
  for (Scheme* scheme : due) {
    const bool received = scheme->receives_at_end();
    const bool before_next = scheme->role() != Scheme::Role::second;
    if (received && before_next) {
      step_.exchange.set_arrival_times(*scheme);
    }
    scheme->window().open_next();
    if (received && !before_next) {
      step_.exchange.follow_window_size(*scheme);
      step_.exchange.set_arrival_times(*scheme);
    }
    if (received) {
      step_.mappings.map_received(scheme->regular());
    } else {
      step_.samples.keep_last(scheme->regular());
    }
  }
  step_.mappings.notify_received();
  step_.samples.drop_sent();
}

} // namespace isthmus::coupling
