// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/bounds.hpp"

#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <limits>

namespace isthmus::acceleration {

namespace {

struct Range {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool holds(double value) const { return value >= lower && value <= upper; }
};

bool bounded(const Field& field) {
  return !field.lower.empty() || !field.upper.empty();
}

Range range_of(const Field& field, std::size_t row) {
  Range range;
  if (!field.lower.empty()) {
    range.lower = field.lower[row % field.size % field.lower.size()];
  }
  if (!field.upper.empty()) {
    range.upper = field.upper[row % field.size % field.upper.size()];
  }
  return range;
}

void clamp(const Field& field, std::span<double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Range range = range_of(field, i);
    values[i] = std::clamp(values[i], range.lower, range.upper);
  }
}

/// The part of the step that this rank can take. Values that were outside before do not count: no
/// step along this direction would bring all of them back.
double largest_part(const Field& field, const Iterate& iterate) {
  double part = 1;
  for (std::size_t i = 0; i < iterate.output.size(); ++i) {
    const Range range = range_of(field, i);
    const double from = iterate.input[i];
    const double to = iterate.output[i];
    if (range.holds(from) && !range.holds(to)) {
      part = std::min(part, ((to > range.upper ? range.upper : range.lower) - from) / (to - from));
    }
  }
  return part;
}

bool violated(const Field& field, std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!range_of(field, i).holds(values[i])) {
      return true;
    }
  }
  return false;
}

void write(std::span<const double> all, std::span<const Iterate> fields) {
  for (const Iterate& field : fields) {
    std::copy_n(all.begin(), field.output.size(), field.output.begin());
    all = all.subspan(field.output.size());
  }
}

} // namespace

void keep_bounds(std::span<const Field> described, std::span<const Iterate> fields,
                 std::span<const double> fixed_point, OnBoundViolation reaction,
                 const comm::Comm& comm) {
  if (reaction == OnBoundViolation::ignore ||
      std::none_of(described.begin(), described.end(), bounded)) {
    return;
  }
  double part = 1;
  for (std::size_t f = 0; f < described.size(); ++f) {
    if (!bounded(described[f])) {
      continue;
    }
    if (reaction == OnBoundViolation::clamp) {
      clamp(described[f], fields[f].output);
    } else if (reaction == OnBoundViolation::scale) {
      part = std::min(part, largest_part(described[f], fields[f]));
    } else if (violated(described[f], fields[f].output)) {
      part = 0;
    }
  }
  if (reaction == OnBoundViolation::clamp) {
    return;
  }
  part = comm::allreduce(comm, part, comm::Op::min);
  if (part == 0) { // no step, or none that is left of it
    write(fixed_point, fields);
  } else if (part < 1) {
    for (const auto& [input, output] : fields) {
      for (std::size_t i = 0; i < output.size(); ++i) {
        output[i] = input[i] + part * (output[i] - input[i]);
      }
    }
  }
}

} // namespace isthmus::acceleration
