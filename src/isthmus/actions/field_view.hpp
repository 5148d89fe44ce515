// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/fields/field.hpp"
#include "isthmus/fields/planned_fields.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::actions {

/// What an action sees of a field, beside others of its mesh: the values of all vertices that this
/// rank holds. Of a received mesh these are the vertices that any mapping or the solver needs;
/// zeros stand where the field has none.
class FieldView {
 public:
  /// Valid until plans change, or the size of the field. `num_seen`: of the values of a vertex, the
  /// last of which are gradients.
  FieldView(const fields::Field& field, const fields::PlannedFields& planned, int num_seen);

  /// Values that are seen.
  [[nodiscard]] std::size_t size() const { return num_vertices_ * num_seen_; }
  /// Adds the values of a sample to what is seen: where several mappings bring parts of them, they
  /// are summed up.
  void add(std::span<const double> values, std::span<double> seen) const;
  /// Puts what was seen into a sample; of a vertex with several parts the first one gets it.
  void take(std::span<const double> seen, std::span<double> values) const;
  /// How many vertices for which the field has no value are seen with other values than zero.
  [[nodiscard]] std::size_t num_lost(std::span<const double> seen) const;

 private:
  std::size_t num_seen_;
  std::size_t width_; // values of the field per vertex
  std::size_t num_vertices_;
  bool is_received_ = false;
  std::vector<LocalIndex>
      vertices_;               // of a received mesh: by vertex of the field that which is seen
  std::vector<char> is_first_; // of those that are the same
};

} // namespace isthmus::actions
