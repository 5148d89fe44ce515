// SPDX-License-Identifier: BSD-3-Clause
// The iterations of an implicit scheme: who decides, what is sent again, which windows repeat.
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/coupling/coupling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace isthmus::coupling {

/// At the end of a window of the implicit scheme. False: all windows repeat.
bool Coupling::iterate() {
  ++iteration_;
  ++total_iterations_;
  const double start = implicit_->window().start();
  const std::array<Scheme*, 1> due{implicit_};
  map_written(due);
  if (implicit_->leads()) {
    lead();
  } else {
    follow();
  }
  log_iteration();
  if (verdict_ == FixedPoint::Verdict::repeat) {
    repeats_window_ = true;
    repeat_windows(start);
  } else {
    iteration_ = 0;
    starts_iterating_ = implicit_->window().ongoing();
  }
  drop_sent();
  return !repeats_window_;
}

/// Receives where all step at the same time, decides, and answers. The second one of a serial
/// scheme then waits for what the first makes of the answer; after the last iteration it does so
/// together with the explicit schemes, which the first may have to wait for.
void Coupling::lead() {
  Scheme& scheme = *implicit_;
  const double start = scheme.window().start();
  outgoing_.clear();
  incoming_.clear();
  if (scheme.role() == Scheme::Role::parallel) {
    receive(scheme, {}, links_to(renewals(scheme, false)));
  }
  if (configuration_.run.allow_remeshing) {
    answer_resets();
  }
  verdict_ = fixed_point_->iterate(start, iteration_, context_.trace);
  const auto scope = context_.trace.scope("exchange");
  send_verdict(verdict_);
  incoming_.clear();
  scheme.regular().post_outgoing(outgoing_, start);
  if (scheme.role() == Scheme::Role::parallel) {
    context_.hub.exchange(outgoing_, incoming_, context_.progress_timeout);
    end_iteration(true);
    return;
  }
  end_iteration(false);
  if (verdict_ != FixedPoint::Verdict::repeat) {
    context_.hub.exchange(outgoing_, incoming_, context_.progress_timeout);
    awaits_next_ = scheme.window().ongoing();
    return;
  }
  scheme.regular().post_incoming(incoming_);
  context_.hub.exchange(outgoing_, incoming_, context_.progress_timeout);
  if (configuration_.run.allow_remeshing) {
    exchange_again({&scheme});
  }
  begin_next();
}

/// The second one of a serial scheme has got what the first has computed.
void Coupling::begin_next() {
  awaits_next_ = false;
  follow_window_size(*implicit_);
  set_arrival_times(*implicit_);
  map_received(implicit_->regular());
  notify_received();
}

void Coupling::receive(Scheme& scheme, const fields::ChooseLink& chosen,
                       const fields::ChooseLink& discard) {
  const auto scope = context_.trace.scope("exchange");
  for (const fields::Item& item : scheme.regular().incoming()) {
    if (!chosen) { // else the others have come already
      item.field->wave().drop_after(scheme.window().start());
    }
  }
  scheme.regular().post_incoming(incoming_, chosen, discard);
  context_.hub.exchange(outgoing_, incoming_, context_.progress_timeout);
  const bool comes_again = configuration_.run.allow_remeshing && !renewals(scheme, true).empty();
  if (!comes_again) { // else there are other routes then
    set_arrival_times(scheme);
  }
}

void Coupling::follow() {
  Scheme& scheme = *implicit_;
  send_resets_to_leader();
  outgoing_.clear();
  incoming_.clear();
  send_window_size(scheme);
  scheme.regular().post_outgoing(outgoing_, scheme.window().start());
  receive(scheme);
  if (configuration_.run.allow_remeshing) {
    receive_resets_of_leader();
  }
  verdict_ = receive_verdict();
  end_iteration(true);
}

/// Opens the next window or goes back to the start of this one; maps what has arrived already.
void Coupling::end_iteration(bool by_arrival) {
  Scheme& scheme = *implicit_;
  const bool done = verdict_ != FixedPoint::Verdict::repeat;
  const double start = scheme.window().start();
  for (const fields::Item& item : scheme.regular().incoming()) {
    if (done) {
      item.field->wave().keep_last();
    } else if (!by_arrival) {
      item.field->wave().drop_after(start);
    }
  }
  if (hooks_.replaced && (by_arrival || !done)) {
    hooks_.replaced(start, !done);
  }
  if (done) {
    scheme.window().open_next();
  } else {
    scheme.window().repeat();
  }
  if (by_arrival) {
    map_received(scheme.regular());
    notify_received();
  }
}

void Coupling::send_verdict(FixedPoint::Verdict verdict) {
  if (!context_.comm.is_root()) {
    return;
  }
  for (const std::string& partner : implicit_->partners()) {
    Writer writer;
    writer.put(verdict);
    context_.hub.send(connections_.at(partner).link_to(0),
                      implicit_->kind(transport::Kind::steering), writer.take());
  }
}

FixedPoint::Verdict Coupling::receive_verdict() {
  FixedPoint::Verdict verdict{};
  comm::agree(context_.comm, [this, &verdict] {
    if (context_.comm.is_root()) {
      const partner::Connection& leader = connections_.at(implicit_->settings().leader());
      const auto bytes = context_.hub.receive(
          leader.link_to(0), implicit_->kind(transport::Kind::steering), context_.progress_timeout);
      verdict = Reader(bytes).get<FixedPoint::Verdict>();
    }
  });
  return comm::bcast(context_.comm, verdict);
}

double Coupling::repeated_from(const fields::Field& field, double start) {
  const bool is_written = std::any_of(
      self_.written.begin(), self_.written.end(),
      [&](const config::UseData& use) { return &fields_.of_solver(use.mesh, use.name) == &field; });
  if (!is_written) {
    return is_iterated(field) ? start : std::numeric_limits<double>::infinity();
  }
  const double kept = kept_from(field);
  return std::isfinite(kept) ? std::max(kept, start) : start;
}

/// Explicit schemes of this participant stay where they are: what they have exchanged within the
/// window is not exchanged again. Their clocks start again where the window does.
void Coupling::repeat_windows(double start) {
  for (Scheme& scheme : schemes_) {
    if (scheme.window().ongoing() && &scheme != implicit_) {
      scheme.set_back(start);
    }
  }
  for (const config::UseData& use : self_.written) {
    fields::Field& field = fields_.of_solver(use.mesh, use.name);
    field.wave().drop_after(repeated_from(field, start));
  }
  time_ = start;
}

void Coupling::log_iteration() {
  if (!context_.comm.is_root()) {
    return;
  }
  const bool done = verdict_ != FixedPoint::Verdict::repeat;
  const int window = implicit_->window().number() + (done ? 0 : 1);
  if (fixed_point_) {
    const std::span<const double> values = fixed_point_->convergence().values();
    iteration_log_.iteration(window, iteration_, values);
    context_.log.debug("time window {}, iteration {}: {:.3g}", window, iteration_,
                       fmt::join(values, ", "));
    warn_if_not_converging(window);
  }
  if (done) {
    iteration_log_.window(window, total_iterations_, iteration_,
                          verdict_ == FixedPoint::Verdict::converged,
                          fixed_point_ ? fixed_point_->counters() : std::nullopt);
  }
}

/// After the last iteration of a window, and now and then where nothing limits them.
void Coupling::warn_if_not_converging(int window) const {
  constexpr int often = 100; // iterations
  const bool is_due = verdict_ == FixedPoint::Verdict::exhausted ||
                      (verdict_ == FixedPoint::Verdict::repeat && iteration_ % often == 0);
  const std::string diagnosis = is_due ? fixed_point_->convergence().diagnosis() : std::string();
  if (!diagnosis.empty()) {
    context_.log.warning("time window {} is not converged after {} iterations: {}", window,
                         iteration_, diagnosis);
  }
}

} // namespace isthmus::coupling
