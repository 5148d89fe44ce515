// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/accelerator.hpp"
#include "isthmus/base/trace.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/config/config.hpp"
#include "isthmus/fields/field_set.hpp"
#include "isthmus/iteration/convergence.hpp"
#include "isthmus/iteration/iterated_data.hpp"
#include "isthmus/iteration/sample_queue.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace isthmus::iteration {

/// What the leading participant of an implicit scheme does with the data of one window: it keeps
/// x_k, which the solvers were given, measures how far their answer H(x_k) is from it, and makes
/// x_{k+1} of both.
class FixedPoint {
 public:
  enum class Verdict : char { repeat, converged, exhausted };

  /// `data`: of the configuration, for the bounds. `accelerator` may be null: then x_{k+1} =
  /// H(x_k).
  FixedPoint(const config::CouplingScheme& scheme, std::span<const config::Data> data,
             const std::string& self, fields::FieldSet& fields,
             std::unique_ptr<acceleration::Accelerator> accelerator, const comm::Comm& comm);

  /// x_0 of the first window: zero, but for what this participant itself sends the initial data
  /// that the fields hold now. That is how preCICE does it, which keeps x_0 before it receives.
  void start();
  /// The fields have other vertices: x_0 of the window that begins at `time` is zero, and the
  /// acceleration begins anew.
  void renew(double time);
  /// Collective, with one reduction. The fields hold H(x_k) for the window that begins at `start`;
  /// afterwards, if the window is to be repeated, x_{k+1}. Iterations count from 1. Error on all
  /// ranks where values are not finite or a strict measure is not met.
  [[nodiscard]] Verdict iterate(double start, int iteration, Trace& trace);

  /// Collective. Between two windows: keeps x_k and the history of the acceleration.
  void save(Writer& shared, SampleQueue& kept) const;
  /// After start(): goes on with the window that begins at `time`.
  void restore(Reader& shared, double time, SampleQueue& kept);

  [[nodiscard]] const Convergence& convergence() const { return convergence_; }
  /// Of the acceleration, if it has any.
  [[nodiscard]] std::optional<acceleration::Counters> counters() const {
    return accelerator_ ? accelerator_->counters() : std::nullopt;
  }

 private:
  void measure();
  void prepare_accelerator();

  const config::CouplingScheme& settings_;
  std::unique_ptr<acceleration::Accelerator> accelerator_;
  const comm::Comm& comm_;
  bool is_renewed_ = false; // since the acceleration was initialized
  IteratedData data_;
  std::size_t num_accelerated_ = 0;   // the first of them
  std::vector<std::size_t> measured_; // data of each measure
  Convergence convergence_;
  std::vector<acceleration::Iterate> iterates_; // of the accelerated data
  std::vector<Twofold> sums_;
  std::vector<acceleration::Norms> norms_; // by measure
  std::vector<double> scratch_;
};

} // namespace isthmus::iteration
