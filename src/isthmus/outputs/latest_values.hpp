// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/fields/field.hpp"

#include <map>
#include <span>
#include <vector>

namespace isthmus::outputs {

/// The latest values of fields that somebody looks at. What the solver writes leaves the waveforms
/// as soon as it is sent, so a copy stays here.
class LatestValues {
 public:
  /// Looks at a field; `is_written`: the solver, or a mapping of what it wrote, fills it.
  void observe(fields::Field& field, bool is_written);
  /// Copies what was written; to be called before it is sent.
  void take_written();
  /// At the end of a window: what was taken last is the latest.
  void keep();
  /// When a window is repeated: the latest is what it was at its start.
  void discard();

  /// The vertices of a field have changed: nothing is known until the end of the window.
  void forget(const fields::Field& field);

  /// What discard() keeps of a field that is written; null for other fields.
  [[nodiscard]] const std::vector<double>* kept(const fields::Field& field) const;
  void keep(const fields::Field& field, std::vector<double> values);

  /// Of a field that is observed: all values, or nothing while there were none. What arrived for a
  /// window that lies ahead counts.
  [[nodiscard]] std::span<const double> of(const fields::Field& field) const;
  /// The same with gradients behind the values of each vertex, where the field has some.
  [[nodiscard]] std::span<const double> with_gradients(const fields::Field& field) const;
  /// What of() returns, at a time, as the solver reads them; valid until the next call for the
  /// field.
  [[nodiscard]] std::span<const double> at(const fields::Field& field, double time) const;

 private:
  struct Copy {
    std::vector<double> taken;
    std::vector<double> kept;
    bool is_new = false;
  };

  std::map<const fields::Field*, Copy> written_;
  mutable std::map<const fields::Field*, std::vector<double>> plain_; // of those with gradients
  mutable std::map<const fields::Field*, std::vector<double>> read_;  // between samples
};

} // namespace isthmus::outputs
