// SPDX-License-Identifier: BSD-3-Clause
#include "equations.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace isthmus::acceleration {

Equations::Equations(std::vector<GlobalField> fields, const QuasiNewtonSettings& settings)
    : fields_(std::move(fields)),
      settings_(settings.preconditioner),
      reduced_(settings.reduced_time_grid) {
  for (const GlobalField& field : fields_) {
    if (field.primary) {
      weights_.push_back(settings_.kind == PreconditionerType::constant ? field.scaling : 1);
    }
  }
  sums_.resize(weights_.size());
}

Equations::Values Equations::all(const State& state) const {
  Vector values;
  for (const Vector& field : state) {
    values.insert(values.end(), field.begin(), field.end());
  }
  return Eigen::Map<const Values>(values.data(), std::ssize(values));
}

Equations::Values Equations::of(const State& state) const {
  Vector values;
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    if (fields_[f].primary) {
      const auto skipped = reduced_ ? state[f].size() - fields_[f].size : 0;
      values.insert(values.end(), state[f].begin() + static_cast<std::ptrdiff_t>(skipped),
                    state[f].end());
    }
  }
  return Eigen::Map<const Values>(values.data(), std::ssize(values));
}

Equations::Values Equations::weights() const {
  Vector values;
  std::size_t block = 0;
  for (const GlobalField& field : fields_) {
    if (field.primary) {
      values.insert(values.end(), field.size * num_samples(field), weights_[block++]);
    }
  }
  return Eigen::Map<const Values>(values.data(), std::ssize(values));
}

Equations::Values Equations::weights_of_all(const Values& all) const {
  Values weights(all.size());
  Eigen::Index row = 0;
  std::size_t block = 0;
  for (const GlobalField& field : fields_) {
    const auto rows = static_cast<Eigen::Index>(field.size * field.samples);
    const auto size = static_cast<Eigen::Index>(field.size);
    weights.segment(row, rows).setConstant(
        field.primary ? weights_[block++] : 1 / all.segment(row + rows - size, size).norm());
    row += rows;
  }
  return weights;
}

Vector Equations::norms(const Values& rows) const {
  Vector norms;
  Eigen::Index row = 0;
  for (const GlobalField& field : fields_) {
    if (field.primary) {
      const auto size = static_cast<Eigen::Index>(field.size * num_samples(field));
      norms.push_back(rows.segment(row, size).norm());
      row += size;
    }
  }
  return norms;
}

void Equations::take_values(const Values& answers) {
  const Vector sizes = norms(answers);
  std::transform(sizes.begin(), sizes.end(), weights_.begin(),
                 [](double norm) { return 1 / norm; });
  has_values_ = true;
}

void Equations::update(const Values& residual, const Values& answers) {
  if (settings_.kind == PreconditionerType::constant || frozen()) {
    return;
  }
  if (settings_.kind == PreconditionerType::value) {
    if (!has_values_) {
      take_values(answers);
    }
    return;
  }
  const Vector residuals = norms(residual);
  Vector divisors = residuals;
  bool change = true;
  if (settings_.kind == PreconditionerType::residual_sum) {
    change = windows_ == 0 || !settings_.update_on_threshold;
    for (std::size_t b = 0; b < sums_.size(); ++b) {
      sums_[b] += residuals[b] / residual.norm();
      const double factor = sums_[b] * weights_[b];
      change = change || factor > 10 || factor < 0.1;
    }
    divisors = sums_;
  }
  for (std::size_t b = 0; b < weights_.size() && change; ++b) {
    weights_[b] = 1 / divisors[b];
  }
}

void Equations::complete_window(const Values& answers) {
  if (settings_.kind == PreconditionerType::value && !frozen()) {
    take_values(answers);
  }
  std::fill(sums_.begin(), sums_.end(), 0);
  ++windows_;
}

} // namespace isthmus::acceleration
