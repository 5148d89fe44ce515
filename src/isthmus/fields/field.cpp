// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/field.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/sequence.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace isthmus::fields {

namespace {

/// Copies and returns whether all values were finite: a finite value times zero is zero, NaN and
/// infinity are not. Several sums, so that they do not wait for each other.
bool copy_finite(std::span<const double> from, double* to) {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> zeros{};
  const std::size_t whole = from.size() / lanes * lanes;
  for (std::size_t i = 0; i < whole; i += lanes) {
    for (std::size_t k = 0; k < lanes; ++k) {
      to[i + k] = from[i + k];
      zeros[k] += from[i + k] * 0.0;
    }
  }
  for (std::size_t i = whole; i < from.size(); ++i) {
    to[i] = from[i];
    zeros[0] += from[i] * 0.0;
  }
  return std::all_of(zeros.begin(), zeros.end(), [](double zero) { return zero == 0; });
}

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return v * 0.0 == 0; });
}

} // namespace

void Field::resize(LocalIndex num_vertices) {
  ghosts_.clear();
  wave_.reset(static_cast<std::size_t>(num_vertices) * static_cast<std::size_t>(width()));
  if (pending_) {
    written_.resize(wave_.size(), 0.0);
  } else {
    release(written_);
  }
}

void Field::fit(LocalIndex num_vertices) {
  if (wave_.size() != static_cast<std::size_t>(num_vertices) * static_cast<std::size_t>(width())) {
    resize(num_vertices);
  }
}

void Field::write(std::span<const LocalIndex> ids, std::span<const double> values) {
  if (pending_ && !all_finite(values)) { // what is there already stays
    refuse("value", ids, values, components_);
  }
  const bool was_pending = pending_;
  const bool whole = !has_gradients() && values.size() == wave_.size() && counts_from_zero(ids);
  begin_writing(whole);
  const auto count = static_cast<std::size_t>(components_);
  const auto stride = static_cast<std::size_t>(width());
  bool finite = true;
  if (whole) {
    finite = copy_finite(values, written_.data());
  } else {
    for (std::size_t k = 0; k < ids.size(); ++k) {
      finite &= copy_finite(values.subspan(k * count, count),
                            written_.data() + static_cast<std::size_t>(ids[k]) * stride);
    }
  }
  if (!finite) {
    pending_ = was_pending;
    refuse("value", ids, values, components_);
  }
  ever_written_ = true;
}

void Field::write_gradients(std::span<const LocalIndex> ids, std::span<const double> gradients) {
  if (!all_finite(gradients)) {
    refuse("gradient", ids, gradients, components_ * derivatives_);
  }
  begin_writing(false);
  const auto stride = static_cast<std::size_t>(width());
  const auto components = static_cast<std::size_t>(components_);
  const auto axes = static_cast<std::size_t>(derivatives_);
  const double* from = gradients.data();
  for (const LocalIndex id : ids) {
    double* const to = written_.data() + static_cast<std::size_t>(id) * stride + components;
    for (std::size_t c = 0; c < components; ++c) {
      for (std::size_t axis = 0; axis < axes; ++axis, ++from) {
        to[axis * components + c] = *from;
      }
    }
  }
  ever_written_ = true;
}

void Field::refuse(const char* what, std::span<const LocalIndex> ids,
                   std::span<const double> values, int count) const {
  const auto bad =
      std::find_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); });
  const auto at = static_cast<std::size_t>(bad - values.begin()) / static_cast<std::size_t>(count);
  fail("data \"{}\" on mesh \"{}\": the {} written for vertex id {} is {}; it must be finite",
       data_, mesh_, what, ids[at], *bad);
}

void Field::begin_writing(bool whole) {
  if (!pending_) {
    if (written_.empty()) {
      written_ = wave_.take_storage();
    }
    if (!whole) {
      std::fill(written_.begin(), written_.end(), 0.0);
    }
  }
  pending_ = true;
}

void Field::add(LocalIndex vertex, double weight, std::span<const double> values) {
  begin_writing(false);
  double* const to =
      written_.data() + static_cast<std::size_t>(vertex) * static_cast<std::size_t>(width());
  for (std::size_t c = 0; c < values.size(); ++c) {
    to[c] += weight * values[c];
  }
  ever_written_ = true;
}

void Field::store_written(double time) {
  if (written_.empty()) {
    written_ = wave_.take_storage();
  }
  if (!pending_) {
    std::fill(written_.begin(), written_.end(), 0.0);
  }
  wave_.append(time, std::move(written_));
  written_ = {};
  pending_ = false;
}

std::span<const double> plain(const Field& field, std::span<const double> values,
                              std::vector<double>& scratch) {
  if (!field.has_gradients()) {
    return values;
  }
  const auto stride = static_cast<std::size_t>(field.width());
  const auto count = static_cast<std::size_t>(field.components());
  scratch.resize(values.size() / stride * count);
  for (std::size_t i = 0; i < scratch.size(); ++i) {
    scratch[i] = values[i / count * stride + i % count];
  }
  return scratch;
}

} // namespace isthmus::fields
