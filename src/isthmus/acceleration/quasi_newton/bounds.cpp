// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/quasi_newton/bounds.hpp"

#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isthmus::acceleration {

namespace {

struct Range {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool contains(double value) const { return value >= lower && value <= upper; }
};

bool bounded(const IteratedField& field) {
  return !field.lower.empty() || !field.upper.empty();
}

Range range_of(const IteratedField& field, std::size_t row) {
  Range range;
  if (!field.lower.empty()) {
    range.lower = field.lower[row % field.size % field.lower.size()];
  }
  if (!field.upper.empty()) {
    range.upper = field.upper[row % field.size % field.upper.size()];
  }
  return range;
}

void clamp(const IteratedField& field, std::span<double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Range range = range_of(field, i);
    values[i] = std::clamp(values[i], range.lower, range.upper);
  }
}

/// The factor for the correction from `from` to `to`, as preCICE finds it: 1 less the largest part
/// of a correction on this rank that is beyond a bound. That takes the value to the bound where
/// `from` is within, or outside and the correction leads further away (it is negative then). Values
/// that are not corrected have no say.
double largest_part(const IteratedField& field, std::span<const double> from,
                    std::span<const double> to) {
  double part = 1;
  for (std::size_t i = 0; i < to.size(); ++i) {
    const Range range = range_of(field, i);
    if (!range.contains(to[i]) && to[i] != from[i]) {
      const double bound = to[i] > range.upper ? range.upper : range.lower;
      part = std::min(part, 1 - std::abs((to[i] - bound) / (to[i] - from[i])));
    }
  }
  return part;
}

bool violated(const IteratedField& field, std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!range_of(field, i).contains(values[i])) {
      return true;
    }
  }
  return false;
}

/// Multiplies the correction of `all` that the fields hold.
void scale(std::span<const double> all, double factor, std::span<const Iterate> fields) {
  for (const Iterate& field : fields) {
    for (std::size_t i = 0; i < field.output.size(); ++i) {
      field.output[i] = factor == 0 ? all[i] : all[i] + factor * (field.output[i] - all[i]);
    }
    all = all.subspan(field.output.size());
  }
}

} // namespace

void keep_bounds(std::span<const IteratedField> described, std::span<const Iterate> fields,
                 std::span<const double> fixed_point, OnBoundViolation reaction,
                 const comm::Comm& comm) {
  if (reaction == OnBoundViolation::ignore ||
      std::none_of(described.begin(), described.end(), bounded)) {
    return;
  }
  double part = 1;
  std::span<const double> rest = fixed_point;
  for (std::size_t f = 0; f < described.size(); ++f) {
    const std::span<const double> from = rest.first(fields[f].output.size());
    rest = rest.subspan(from.size());
    if (!bounded(described[f])) {
      continue;
    }
    if (reaction == OnBoundViolation::clamp) {
      clamp(described[f], fields[f].output);
    } else if (reaction == OnBoundViolation::scale) {
      part = std::min(part, largest_part(described[f], from, fields[f].output));
    } else if (violated(described[f], fields[f].output)) {
      part = 0;
    }
  }
  if (reaction == OnBoundViolation::clamp) {
    return;
  }
  part = comm::allreduce(comm, part, comm::Op::min);
  if (part < 1) {
    scale(fixed_point, part, fields);
  }
}

} // namespace isthmus::acceleration
