// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/field.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/sequence.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace isthmus::coupling {

namespace {

/// Copies and tells whether all values were finite: a finite value times zero is zero, NaN and
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

} // namespace

void Field::resize(LocalIndex num_vertices) {
  wave_.reset(static_cast<std::size_t>(num_vertices) * static_cast<std::size_t>(components_));
  if (pending_) {
    written_.resize(wave_.size(), 0.0);
  } else {
    written_ = {};
  }
}

void Field::write(std::span<const LocalIndex> ids, std::span<const double> values) {
  const auto width = static_cast<std::size_t>(components_);
  const bool whole = ids.size() == wave_.size() / width && counts_from_zero(ids);
  begin_writing(whole);
  bool finite = true;
  if (whole) {
    finite = copy_finite(values, written_.data());
  } else {
    for (std::size_t k = 0; k < ids.size(); ++k) {
      finite &= copy_finite(values.subspan(k * width, width),
                            written_.data() + static_cast<std::size_t>(ids[k]) * width);
    }
  }
  if (!finite) {
    const auto bad =
        std::find_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); });
    const auto at = static_cast<std::size_t>(bad - values.begin()) / width;
    fail(
        "data \"{}\" on mesh \"{}\": the value written for vertex id {} is {}; values must be "
        "finite",
        data_, mesh_, ids[at], *bad);
  }
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
  ever_written_ = true;
}

void Field::add(LocalIndex vertex, double weight, std::span<const double> values) {
  begin_writing(false);
  double* const to = written_.data() + static_cast<std::size_t>(vertex) * values.size();
  for (std::size_t c = 0; c < values.size(); ++c) {
    to[c] += weight * values[c];
  }
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

} // namespace isthmus::coupling
