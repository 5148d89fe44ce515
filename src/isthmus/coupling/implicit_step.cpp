// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/implicit_step.hpp"

#include "isthmus/base/wire.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace isthmus::coupling {

void ImplicitStep::start() {
  const Scheme* const implicit = step_.schedule.implicit();
  starts_iterating_ = implicit != nullptr && implicit->window().ongoing();
}

void ImplicitStep::begin() {
  starts_iterating_ = false;
  repeats_window_ = false;
}

bool ImplicitStep::run_iteration() {
  iterations_.begin();
  const double start = scheme().window().start();
  step_.mappings.map_written(std::array{&scheme()});
  if (scheme().leads()) {
    lead();
  } else {
    follow();
  }
  iterations_.finish();
  if (iterations_.repeats()) {
    repeats_window_ = true;
    repeat_windows(start);
  } else {
    step_.schedule.end_repeating();
    starts_iterating_ = scheme().window().ongoing();
  }
  step_.samples.drop_sent();
  return !repeats_window_;
}

/// Receives where all step at the same time, decides, and answers. The second one of a serial
/// scheme then waits for what the first makes of the answer.
void ImplicitStep::lead() {
  StepExchange& exchange = step_.exchange;
  const bool parallel = scheme().role() == Scheme::Role::parallel;
  const double start = scheme().window().start();
  exchange.begin();
  if (parallel) {
    exchange.receive(scheme(), fields::LinkChoice::all(),
                     step_.resets.links_to(step_.resets.renewals(scheme(), false)));
  }
  if (step_.resets.are_allowed()) {
    remeshing_.answer_resets();
  }
  iterations_.decide();
  progress_.measured(scheme().window().number() + 1, iterations_.current() - 1,
                     *iterations_.convergence());
  report_repeat();
  const auto scope = step_.context.trace.scope("exchange");
  exchange.begin();
  post_verdict();
  scheme().regular().post_outgoing(exchange.outgoing(), start);
  if (parallel) {
    exchange.run();
    end_iteration(true);
    return;
  }
  end_iteration(false);
  if (!iterations_.repeats()) {
    exchange.run();
    awaits_next_ = scheme().window().ongoing();
    return;
  }
  scheme().regular().post_incoming(exchange.incoming());
  remeshing_.exchange(std::array{&scheme()});
  begin_next();
}

void ImplicitStep::begin_next() {
  awaits_next_ = false;
  step_.exchange.follow_window_size(scheme());
  step_.exchange.set_arrival_times(scheme());
  step_.mappings.map_received(scheme().regular());
  step_.mappings.notify_received();
}

void ImplicitStep::follow() {
  StepExchange& exchange = step_.exchange;
  remeshing_.send_resets_to_leader();
  exchange.begin();
  exchange.send_window_size(scheme());
  scheme().regular().post_outgoing(exchange.outgoing(), scheme().window().start());
  if (step_.resets.are_allowed()) { // which come before the verdict
    exchange.receive(scheme());
    remeshing_.receive_resets_of_leader();
    iterations_.follow(receive_verdict());
  } else {
    iterations_.follow(receive_with_verdict());
  }
  report_repeat();
  end_iteration(true);
}

/// Opens the next window or goes back to the start of this one; maps what has arrived already.
void ImplicitStep::end_iteration(bool by_arrival) {
  const bool done = !iterations_.repeats();
  const double start = scheme().window().start();
  for (const fields::Item& item : scheme().regular().incoming()) {
    if (done) {
      item.field->wave().keep_last();
    } else if (!by_arrival) {
      item.field->wave().drop_after(start);
    }
  }
  if (by_arrival || !done) {
    step_.hooks.replaced(start, !done);
  }
  if (done) {
    scheme().window().open_next();
  } else {
    scheme().window().repeat();
  }
  if (by_arrival) {
    step_.mappings.map_received(scheme().regular());
    step_.mappings.notify_received();
  }
}

/// Before anybody waits for what comes of it.
void ImplicitStep::report_repeat() {
  if (iterations_.repeats()) {
    const Window& window = scheme().window();
    progress_.repeat(window.number() + 1, iterations_.current(), window.start());
  }
}

void ImplicitStep::repeat_windows(double start) {
  step_.schedule.repeat(start);
  step_.samples.drop_repeated(start);
}

void ImplicitStep::post_verdict() {
  if (!step_.context.comm.is_root()) {
    return;
  }
  verdict_ = static_cast<std::byte>(iterations_.verdict());
  for (const std::string& partner : scheme().partners()) {
    step_.exchange.post_steering(scheme(), partner, verdict_);
  }
}

/// Both at once, so that neither waits for the other.
Iterations::Verdict ImplicitStep::receive_with_verdict() {
  if (step_.context.comm.is_root()) {
    step_.exchange.await_steering(scheme(), scheme().settings().leader(), verdict_);
  }
  step_.exchange.receive(scheme());
  return static_cast<Iterations::Verdict>(
      comm::bcast(step_.context.comm, std::to_integer<char>(verdict_)));
}

Iterations::Verdict ImplicitStep::receive_verdict() {
  Iterations::Verdict verdict{};
  comm::agree(step_.context.comm, [this, &verdict] {
    if (step_.context.comm.is_root()) {
      const auto bytes = step_.exchange.receive_steering(scheme(), scheme().settings().leader());
      verdict = Reader(bytes).get<Iterations::Verdict>();
    }
  });
  return comm::bcast(step_.context.comm, verdict);
}

} // namespace isthmus::coupling
