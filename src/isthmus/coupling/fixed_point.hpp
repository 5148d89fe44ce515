// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/accelerator.hpp"
#include "isthmus/acceleration/unknowns.hpp"
#include "isthmus/base/trace.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/config/config.hpp"
#include "isthmus/coupling/convergence.hpp"
#include "isthmus/fields/field.hpp"
#include "isthmus/fields/field_set.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace isthmus::coupling {

/// Keeps values of a field at its vertices, none meaning zeros; takes them in the same order.
using KeepSample = std::function<void(const fields::Field&, std::span<const double>)>;
using TakeSample = std::function<std::vector<double>(const fields::Field&)>;

/// What the leading participant of an implicit scheme does with the data of one window: it keeps
/// x_k, which the solvers were given, measures how far their answer H(x_k) is from it, and makes
/// x_{k+1} of both.
class FixedPoint {
 public:
  enum class Verdict : char { repeat, converged, exhausted };

  /// `accelerator` may be null: then x_{k+1} = H(x_k).
  FixedPoint(const config::Configuration& configuration, const config::CouplingScheme& scheme,
             const std::string& self, const fields::FieldSet& fields,
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
  void save(Writer& shared, const KeepSample& keep) const;
  /// After start(): goes on with the window that begins at `time`.
  void restore(Reader& shared, double time, const TakeSample& take);

  [[nodiscard]] const Convergence& convergence() const { return convergence_; }
  /// Of the acceleration, if it has any.
  [[nodiscard]] std::optional<acceleration::Counters> counters() const {
    return accelerator_ ? accelerator_->counters() : std::nullopt;
  }

 private:
  struct Entry {
    fields::Field* field;
    bool all_samples;
    acceleration::Field layout;
    std::vector<double> grid; // times of the samples, of the window from 0 to 1
    time::Waveform previous;  // x_k
    std::vector<double> input;
    std::vector<double> output;
  };

  std::size_t add(const config::Configuration& configuration, const std::string& mesh,
                  const std::string& data, const fields::FieldSet& fields);
  void list_accelerated(const config::Configuration& configuration, const fields::FieldSet& fields);
  [[nodiscard]] bool receives(const fields::Field& field) const;
  void forget(double time);
  void lay_out(double start);
  void gather(double start);
  void put_back(double start);
  void remember(double start, bool window_done);
  void measure();
  void prepare_accelerator();
  [[nodiscard]] std::vector<int> agreed_counts(
      std::span<const acceleration::StateArray> arrays) const;
  [[nodiscard]] std::vector<double> agreed_grids(std::span<const int> counts) const;

  const config::CouplingScheme& settings_;
  std::string self_;
  std::unique_ptr<acceleration::Accelerator> accelerator_;
  const comm::Comm& comm_;
  bool is_start_ = true; // nothing has been remembered since x_0
  std::vector<Entry> entries_;
  std::size_t num_accelerated_ = 0;   // the first entries
  std::vector<std::size_t> measured_; // entry of each measure
  bool is_laid_out_ = false;
  bool is_renewed_ = false; // since the acceleration was initialized
  Convergence convergence_;
  std::vector<acceleration::Iterate> iterates_; // of the accelerated entries
  std::vector<Twofold> sums_;
  std::vector<acceleration::Unknowns> unknowns_; // by entry
  std::vector<acceleration::Norms> norms_;       // by measure
  std::vector<double> times_;
  std::vector<double> scratch_;
};

} // namespace isthmus::coupling
