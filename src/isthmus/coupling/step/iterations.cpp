// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/step/iterations.hpp"

#include "isthmus/comm/agree.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace isthmus::coupling {

void Iterations::start(std::unique_ptr<acceleration::Accelerator> accelerator) {
  const Scheme* const implicit = step_.schedule.implicit();
  if (implicit != nullptr && implicit->leads()) {
    fixed_point_.emplace(implicit->settings(), data_, step_.self.name, step_.fields,
                         std::move(accelerator), step_.context.comm);
    fixed_point_->start();
  }
}

void Iterations::open_log() {
  comm::agree(step_.context.comm, [this] {
    if (step_.schedule.implicit() == nullptr || !step_.context.comm.is_root()) {
      return;
    }
    log_ = iteration::IterationLog(
        step_.self.name,
        fixed_point_ ? std::optional(fixed_point_->convergence().names()) : std::nullopt,
        fixed_point_ && fixed_point_->counters(), kept_log_);
  });
}

void Iterations::begin() {
  ++iteration_;
  ++total_;
}

void Iterations::decide() {
  verdict_ = fixed_point_->iterate(step_.schedule.implicit()->window().start(), iteration_,
                                   step_.context.trace);
}

void Iterations::finish() {
  if (step_.context.comm.is_root()) {
    const int done = step_.schedule.implicit()->window().number();
    const int window = done + (repeats() ? 1 : 0);
    if (fixed_point_) {
      const std::span<const double> values = fixed_point_->convergence().values();
      log_.iteration(window, iteration_, values);
      warn_if_not_converging(window);
    }
    if (!repeats()) {
      const std::optional<int> most = step_.schedule.implicit()->settings().max_iterations;
      const bool ends_early = !most || iteration_ < *most; // what preCICE's log calls converged
      log_.window(window, total_, iteration_, ends_early,
                  fixed_point_ ? fixed_point_->counters() : std::nullopt);
    }
  }
  if (!repeats()) {
    iteration_ = 0;
  }
}

/// After the last iteration of a window, and now and then where nothing limits them.
void Iterations::warn_if_not_converging(int window) const {
  constexpr int often = 100; // iterations
  const bool is_due = verdict_ == Verdict::exhausted || (repeats() && iteration_ % often == 0);
  const std::string diagnosis = is_due ? fixed_point_->convergence().diagnosis() : std::string();
  if (!diagnosis.empty()) {
    step_.context.log.warning("time window {} is not converged after {} iterations: {}", window,
                              iteration_, diagnosis);
  }
}

/// As preCICE, which begins with an implicit scheme and its logs anew where one of its meshes is
/// reset, unless the user wants what has been learnt to be carried to the new vertices.
void Iterations::renew(std::span<const fields::Renewal> renewals, const History& history) {
  const Scheme* const implicit = step_.schedule.implicit();
  if (implicit == nullptr) {
    return;
  }
  const std::vector<std::string>& partners = implicit->partners();
  const bool concerned =
      std::any_of(renewals.begin(), renewals.end(), [&partners](const fields::Renewal& renewal) {
        return std::find(partners.begin(), partners.end(), renewal.partner) != partners.end();
      });
  if (!concerned) {
    return; // whose meshes it iterates stay as they are
  }
  const double start = implicit->window().start();
  if (carried_) {
    if (fixed_point_) {
      history.carry(*fixed_point_, start);
    }
    return;
  }
  if (fixed_point_) {
    fixed_point_->renew(start);
  }
  log_ = {};
  kept_log_.reset();
  open_log();
}

void Iterations::save_counts(Writer& shared) const {
  shared.put(total_).put(log_.sizes());
}

void Iterations::restore_counts(Reader& shared) {
  total_ = shared.get<int>();
  kept_log_ = shared.get<iteration::IterationLog::Sizes>();
}

void Iterations::save_memory(Writer& shared, iteration::SampleQueue& kept) const {
  if (fixed_point_) {
    fixed_point_->save(shared, kept);
  }
}

void Iterations::restore_memory(Reader& shared, double time, iteration::SampleQueue& kept) {
  if (fixed_point_) {
    fixed_point_->restore(shared, time, kept);
  }
}

} // namespace isthmus::coupling
