// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/latest_values.hpp"

#include <utility>

namespace isthmus::outputs {

namespace {

std::span<const double> last_sample(const time::Waveform& wave) {
  return wave.empty() ? std::span<const double>() : wave.values(wave.num_samples() - 1);
}

} // namespace

void LatestValues::observe(fields::Field& field, bool is_written) {
  field.observe(fields::Field::Observed::window_ends);
  if (is_written) {
    written_[&field];
  }
}

void LatestValues::take_written() {
  for (auto& [field, copy] : written_) {
    const auto values = last_sample(field->wave());
    if (!field->wave().empty()) {
      copy.taken.assign(values.begin(), values.end());
      copy.is_new = true;
    }
  }
}

void LatestValues::keep() {
  for (auto& [field, copy] : written_) {
    if (copy.is_new) {
      std::swap(copy.taken, copy.kept);
    }
  }
  discard();
}

const std::vector<double>* LatestValues::kept(const fields::Field& field) const {
  const auto found = written_.find(&field);
  return found == written_.end() ? nullptr : &found->second.kept;
}

void LatestValues::keep(const fields::Field& field, std::vector<double> values) {
  written_.at(&field).kept = std::move(values);
}

void LatestValues::forget(const fields::Field& field) {
  const auto found = written_.find(&field);
  if (found != written_.end()) {
    found->second.kept.clear();
  }
}

void LatestValues::discard() {
  for (auto& [field, copy] : written_) {
    copy.is_new = false;
  }
}

std::span<const double> LatestValues::of(const fields::Field& field) const {
  const auto values = with_gradients(field);
  return field.has_gradients() ? fields::plain(field, values, plain_[&field]) : values;
}

std::span<const double> LatestValues::with_gradients(const fields::Field& field) const {
  const auto copy = written_.find(&field);
  return copy == written_.end() ? last_sample(field.wave()) : copy->second.kept;
}

std::span<const double> LatestValues::at(const fields::Field& field, double time) const {
  const time::Waveform& wave = field.wave();
  if (wave.num_samples() < 2 || written_.count(&field) != 0) {
    return of(field);
  }
  std::vector<double>& values = read_[&field];
  values.resize(wave.size());
  wave.evaluate(time, {}, field.width(), values);
  return field.has_gradients() ? fields::plain(field, values, plain_[&field]) : values;
}

} // namespace isthmus::outputs
