// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/residual.hpp"

#include "isthmus/acceleration/dots.hpp"
#include "isthmus/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace isthmus::acceleration {

void Residual::initialize(std::vector<IteratedField> fields, std::span<const std::size_t> ends) {
  fields_ = std::move(fields);
  unknowns_.clear();
  blocks_.clear();
  std::size_t rows = 0;
  zero_rows_ = 0;
  std::size_t primary = 0;
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    const IteratedField& field = fields_[f];
    unknowns_.emplace_back(field);
    check(field.samples > 0, "data \"{}\" has no sample to accelerate", field.name);
    if (field.primary) {
      const std::size_t end = rows + unknowns_[f].size() * (reduced_ ? 1 : field.samples);
      for (std::size_t piece = 0; piece < ends.size(); ++piece) {
        const std::size_t stop = std::clamp(ends[piece], rows, end);
        blocks_.push_back({f, primary, piece, rows, stop});
        rows = stop;
      }
      blocks_.push_back({f, primary, ends.empty() ? primary : ends.size(), rows, end});
      rows = end;
      zero_rows_ += field.zeros * (reduced_ ? 1 : field.samples);
      ++primary;
    }
  }
  check(!blocks_.empty(), "there is no data to accelerate; name one with <data> in <acceleration>");
  current_.assign(rows, 0);
  previous_.assign(rows, 0);
  norms_.assign(fields_.size(), {});
  primary_norms_.assign(primary, {});
  iteration_ = 0;
}

void Residual::measure(std::span<const Iterate> fields, std::vector<Twofold>& sums) {
  check(fields.size() == fields_.size(), "{} fields are to be accelerated, {} were announced",
        fields.size(), fields_.size());
  first_sum_ = sums.size();
  std::swap(current_, previous_);
  ++iteration_;
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    const auto& [input, output] = fields[f];
    const IteratedField& field = fields_[f];
    check(input.size() == field.rows() && output.size() == field.rows(),
          "data \"{}\" comes with {} and {} values, {} were announced", field.name, input.size(),
          output.size(), field.rows());
    push_squares(field, unknowns_[f], fields[f], scratch_, sums);
  }
  gather(fields, true, current_);
  scratch_.resize(current_.size());
  gather(fields, false, scratch_);
  if (!reduced_) {
    push_squares_of_blocks(sums);
  }
  std::transform(current_.begin(), current_.end(), scratch_.begin(), current_.begin(),
                 std::minus<>{});
  push_squares_of_blocks(sums);
}

/// What counts of the outputs, or inputs, of the primary fields.
void Residual::gather(std::span<const Iterate> fields, bool outputs, std::span<double> rows) const {
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    if (fields_[f].primary) {
      const std::size_t used = reduced_ ? fields_[f].size : fields_[f].rows();
      const std::size_t count = unknowns_[f].size() * (reduced_ ? 1 : fields_[f].samples);
      const std::span<const double> from = outputs ? fields[f].output : fields[f].input;
      unknowns_[f].gather(from.last(used), rows.first(count));
      rows = rows.subspan(count);
    }
  }
}

void Residual::push_squares_of_blocks(std::vector<Twofold>& sums) const {
  for (const EquationRange& block : blocks_) {
    const std::span part = std::span(current_).subspan(block.begin, block.end - block.begin);
    sums.push_back(dot(part, part));
  }
}

void Residual::absorb(std::span<const Twofold> sums) {
  const std::size_t per_block = reduced_ ? 1 : 2;
  const std::span mine = sums.subspan(first_sum_, 2 * fields_.size() + per_block * blocks_.size());
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    const double residual = mine[2 * f].value;
    const double value = mine[2 * f + 1].value;
    check(std::isfinite(residual) && std::isfinite(value),
          "data \"{}\" contains NaN, infinity or values beyond 1e150 in iteration {} of the "
          "window; look for a diverged solver, reduce the relaxation or the time window",
          fields_[f].name, iteration_);
    norms_[f] = {std::sqrt(residual), std::sqrt(value)};
  }
  primary_norms_.assign(primary_norms_.size(), {});
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const std::size_t f = blocks_[b].field;
    const std::size_t at = 2 * fields_.size() + b; // of its values, if these are summed
    const double residual = mine[at + (per_block - 1) * blocks_.size()].value;
    check(std::isfinite(residual),
          "data \"{}\" contains NaN or infinity within the window, in iteration {}",
          fields_[f].name, iteration_);
    Norms& norms = primary_norms_[blocks_[b].primary];
    norms.residual = std::hypot(norms.residual, std::sqrt(residual));
    norms.value = reduced_ ? norms_[f].value : std::hypot(norms.value, std::sqrt(mine[at].value));
  }
}

std::vector<std::size_t> Residual::samples() const {
  std::vector<std::size_t> samples;
  std::transform(fields_.begin(), fields_.end(), std::back_inserter(samples),
                 [](const IteratedField& field) { return field.samples; });
  return samples;
}

std::vector<std::size_t> Residual::samples_in_equations() const {
  std::vector<std::size_t> samples;
  for (const IteratedField& field : fields_) {
    samples.push_back(!field.primary ? 0 : reduced_ ? 1 : field.samples);
  }
  return samples;
}

bool Residual::is_rounding(std::size_t block, double square) const {
  constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
  return std::sqrt(square) <= rounding * primary_norms_[blocks_[block].primary].value;
}

} // namespace isthmus::acceleration
