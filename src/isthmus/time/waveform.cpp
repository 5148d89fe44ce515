// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/time/waveform.hpp"

#include "isthmus/base/sequence.hpp"
#include "isthmus/time/spline.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace isthmus::time {

bool same_time(double a, double b, double scale) {
  return std::abs(a - b) <= 1e-13 * std::max({std::abs(a), std::abs(b), std::abs(scale)});
}

void Waveform::reset(std::size_t size) {
  size_ = size;
  used_.clear();
  spare_.clear();
}

std::vector<double> Waveform::take_storage() {
  if (spare_.empty()) {
    return std::vector<double>(size_);
  }
  std::vector<double> storage = std::move(spare_.back().values);
  spare_.pop_back();
  return storage;
}

std::span<double> Waveform::append(double time) {
  append(time, take_storage());
  return used_.back().values;
}

void Waveform::append(double time, std::vector<double>&& values) {
  used_.push_back({time, std::move(values)});
}

void Waveform::clear() {
  while (!used_.empty()) {
    spare_.push_back(std::move(used_.back()));
    used_.pop_back();
  }
}

void Waveform::keep_last() {
  if (used_.size() < 2) {
    return;
  }
  std::swap(used_.front(), used_.back());
  while (used_.size() > 1) {
    spare_.push_back(std::move(used_.back()));
    used_.pop_back();
  }
}

std::size_t Waveform::first_after(double time) const {
  std::size_t i = 0;
  while (i < used_.size() && (used_[i].time < time || same_time(used_[i].time, time, time))) {
    ++i;
  }
  return i;
}

std::size_t Waveform::first_from(double time) const {
  std::size_t i = 0;
  while (i + 1 < used_.size() && used_[i].time < time && !same_time(used_[i].time, time, time)) {
    ++i;
  }
  return i;
}

void Waveform::drop_until(double time) {
  const auto end = used_.begin() + static_cast<std::ptrdiff_t>(first_after(time));
  std::move(used_.begin(), end, std::back_inserter(spare_));
  used_.erase(used_.begin(), end);
}

void Waveform::drop_before(double time) {
  while (used_.size() > 1 && used_.front().time < time &&
         !same_time(used_.front().time, time, time)) {
    spare_.push_back(std::move(used_.front()));
    used_.erase(used_.begin());
  }
}

void Waveform::drop_after(double time) {
  while (!used_.empty() && used_.back().time > time && !same_time(used_.back().time, time, time)) {
    spare_.push_back(std::move(used_.back()));
    used_.pop_back();
  }
}

namespace {

/// out = factor * values (first) or out += factor * values, for the chosen entries.
void accumulate(std::span<const double> values, std::span<const LocalIndex> ids, int components,
                double factor, bool first, std::span<double> out) {
  const auto width = static_cast<std::size_t>(components);
  const std::size_t count = ids.empty() ? out.size() / width : ids.size();
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t from = (ids.empty() ? k : static_cast<std::size_t>(ids[k])) * width;
    for (std::size_t c = 0; c < width; ++c) {
      const double old = first ? 0.0 : out[k * width + c];
      out[k * width + c] = old + factor * values[from + c];
    }
  }
}

template <std::size_t Components>
void copy_chosen(const double* values, std::span<const LocalIndex> ids, double* out) {
  for (const LocalIndex id : ids) {
    const double* from = values + static_cast<std::size_t>(id) * Components;
    for (std::size_t c = 0; c < Components; ++c) {
      *out++ = from[c];
    }
  }
}

void copy_entries(std::span<const double> values, std::span<const LocalIndex> ids, int components,
                  std::span<double> out) {
  if (ids.empty() || counts_from_zero(ids)) {
    std::copy(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(out.size()),
              out.begin());
    return;
  }
  switch (components) {
    case 1:
      return copy_chosen<1>(values.data(), ids, out.data());
    case 2:
      return copy_chosen<2>(values.data(), ids, out.data());
    default:
      return copy_chosen<3>(values.data(), ids, out.data());
  }
}

} // namespace

std::vector<double> Waveform::spline_weights(double time, int degree) const {
  std::vector<double> times(used_.size());
  std::transform(used_.begin(), used_.end(), times.begin(), [](const Sample& s) { return s.time; });
  return time::spline_weights(times, time, degree);
}

void Waveform::evaluate(double time, std::span<const LocalIndex> ids, int components,
                        std::span<double> out) const {
  if (used_.empty()) {
    std::fill(out.begin(), out.end(), 0.0);
    return;
  }
  const double scale = used_.back().time - used_.front().time;
  // the first sample that is not earlier; exact where a sample stands, constant outside
  std::size_t next = 0;
  while (next < used_.size() && used_[next].time < time &&
         !same_time(used_[next].time, time, scale)) {
    ++next;
  }
  const bool exact = next < used_.size() && same_time(used_[next].time, time, scale);
  if (exact || next == 0 || next == used_.size()) {
    copy_entries(used_[std::min(next, used_.size() - 1)].values, ids, components, out);
    return;
  }
  if (degree_ == 0) { // constant from the sample before up to this one: the value of the end
    copy_entries(used_[next].values, ids, components, out);
    return;
  }
  const int degree = std::min(degree_, static_cast<int>(used_.size()) - 1);
  if (degree == 1) {
    const Sample& a = used_[next - 1];
    const Sample& b = used_[next];
    const double s = (time - a.time) / (b.time - a.time);
    accumulate(a.values, ids, components, 1 - s, true, out);
    accumulate(b.values, ids, components, s, false, out);
    return;
  }
  const std::vector<double> weights = spline_weights(time, degree);
  for (std::size_t i = 0; i < used_.size(); ++i) {
    accumulate(used_[i].values, ids, components, weights[i], i == 0, out);
  }
}

} // namespace isthmus::time
