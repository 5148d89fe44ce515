// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/accelerator.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/config/config.hpp"
#include "isthmus/coupling/step/history.hpp"
#include "isthmus/coupling/step/step_parts.hpp"
#include "isthmus/fields/partners.hpp"
#include "isthmus/iteration/fixed_point.hpp"
#include "isthmus/iteration/iteration_log.hpp"
#include "isthmus/iteration/sample_queue.hpp"

#include <memory>
#include <optional>
#include <span>

namespace isthmus::coupling {

/// The iterations of the implicit scheme of a participant, if it has one: counted, decided where
/// the participant leads, and logged.
class Iterations {
 public:
  using Verdict = iteration::FixedPoint::Verdict;

  /// `data`: of the configuration; `carried`: what was learnt goes on where meshes change.
  Iterations(StepParts& step, std::span<const config::Data> data, bool carried)
      : step_(step), data_(data), carried_(carried) {}

  /// Where this participant leads: x_0 is what the fields hold now. `accelerator` may be null.
  void start(std::unique_ptr<acceleration::Accelerator> accelerator);
  /// Collective. The logs begin, or go on behind what an earlier run wrote.
  void open_log();

  /// One more.
  void begin();
  /// Collective, of the leader: the window converges, or the fields hold the next iterate.
  void decide();
  /// What the leader has decided.
  void follow(Verdict verdict) { verdict_ = verdict; }
  [[nodiscard]] Verdict verdict() const { return verdict_; }
  /// What this participant has measured in the last iteration; null where it does not lead.
  [[nodiscard]] const iteration::Convergence* convergence() const {
    return fixed_point_ ? &fixed_point_->convergence() : nullptr;
  }
  /// The last iteration of a window has met all that is demanded of it.
  [[nodiscard]] bool meets_limits() const {
    return verdict_ == Verdict::converged || step_.schedule.implicit()->settings().measures.empty();
  }
  /// Of the last iteration.
  [[nodiscard]] bool repeats() const { return verdict_ == Verdict::repeat; }
  /// Logs it; after the last one the next window begins.
  void finish();
  /// The number of the one that runs, 0 without an implicit scheme.
  [[nodiscard]] int current() const {
    return step_.schedule.implicit() != nullptr ? iteration_ + 1 : 0;
  }

  /// Collective. Plans were made again with these partners, so that fields have other vertices.
  void renew(std::span<const fields::Renewal> renewals, const History& history);

  /// What a restart needs: numbers of iterations and lines,
  void save_counts(Writer& shared) const;
  void restore_counts(Reader& shared);
  /// and, collective, what the leader remembers.
  void save_memory(Writer& shared, iteration::SampleQueue& kept) const;
  void restore_memory(Reader& shared, double time, iteration::SampleQueue& kept);

 private:
  void warn_if_not_converging(int window) const;

  StepParts& step_;
  std::span<const config::Data> data_;
  bool carried_;
  std::optional<iteration::FixedPoint> fixed_point_; // where this participant leads
  iteration::IterationLog log_;
  std::optional<iteration::IterationLog::Sizes> kept_log_; // of an earlier run
  Verdict verdict_ = Verdict::repeat;
  int iteration_ = 0; // in this window
  int total_ = 0;
};

} // namespace isthmus::coupling
