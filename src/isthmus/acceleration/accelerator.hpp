// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/iterated_field.hpp"
#include "isthmus/base/twofold.hpp"
#include "isthmus/comm/comm.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace isthmus::acceleration {

/// What a window did to the columns of a quasi-Newton method.
struct Counters {
  int columns = 0; // in use
  int deleted = 0; // by the filter, which finds that they depend on others or are rounding
  int dropped = 0; // too old or too many
};

/// A named array for a restart.
struct StateArray {
  std::string name;
  std::vector<double> values;
  std::size_t columns = 0; // 0: the values are the same on all ranks
  /// Else every column holds, field after field, so many samples with a value for each value of the
  /// field on this rank,
  std::vector<std::size_t> samples = {};
  bool of_unknowns = false; // or for each of its unknowns
};

/// Turns x_k and H(x_k) into x_{k+1}. One iteration of the caller:
///
///     sums.clear();                               // or holds sums of the caller's own
///     accelerator.measure(fields, sums);          // local: appends what is to be added
///     comm::allreduce_sum(comm, sums);            // the only reduction
///     accelerator.absorb(sums);                   // local: norms() are there now
///     if (converged(accelerator.norms())) {
///       accelerator.complete_window();            // H(x_k) is accepted
///     } else {
///       accelerator.improve(fields);              // H(x_k) is replaced by x_{k+1}
///     }
class Accelerator {
 public:
  virtual ~Accelerator() = default;

  /// Says what will be accelerated, in the order of all later calls; forgets everything older.
  /// At least one field must be primary.
  virtual void initialize(std::vector<IteratedField> fields) = 0;
  /// The same fields have other vertices: forgets what depends on those. Weights and the factor of
  /// Aitken's relaxation stay, as in preCICE.
  virtual void renew(std::vector<IteratedField> fields) { initialize(std::move(fields)); }
  /// Appends this rank's partial sums of the iterate, as many on all ranks.
  virtual void measure(std::span<const Iterate> fields, std::vector<Twofold>& sums) = 0;
  /// Takes the sums over all ranks: the whole array, as measure() left it. The same Error on all
  /// ranks, naming the field, if a value is NaN or infinite.
  virtual void absorb(std::span<const Twofold> sums) = 0;
  /// Of every field, after absorb().
  [[nodiscard]] virtual std::span<const Norms> norms() const = 0;
  /// Collective, but communicates only if a field has bounds that must be kept by all.
  virtual void improve(std::span<const Iterate> fields) = 0;
  /// Collective, but communicates only if a Jacobian is compressed. Ends the window, converged or
  /// not; the next measure() belongs to the next window.
  virtual void complete_window() = 0;
  /// Whether later steps depend on earlier iterates: then all of them need the same samples.
  [[nodiscard]] virtual bool remembers() const { return true; }
  /// Of the window that was completed last; none where the method never has columns.
  [[nodiscard]] virtual std::optional<Counters> counters() const { return {}; }

  /// State between two windows.
  [[nodiscard]] virtual std::vector<StateArray> save() const = 0;
  /// After initialize() with the same fields.
  virtual void restore(std::span<const StateArray> arrays) = 0;
};

/// Collective. One iteration that is known not to be the last of its window.
void accelerate(Accelerator& accelerator, const comm::Comm& comm, std::span<const Iterate> fields);

} // namespace isthmus::acceleration
