// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/unknowns.hpp"

#include "isthmus/acceleration/dots.hpp"

#include <algorithm>
#include <functional>

namespace isthmus::acceleration {

Unknowns::Unknowns(const IteratedField& field) : values_(field.size), all_(field.follows.empty()) {
  for (std::size_t i = 0; i < field.follows.size(); ++i) {
    if (field.follows[i] == 0) {
      positions_.push_back(i);
    }
  }
}

void Unknowns::gather(std::span<const double> samples, std::span<double> unknowns) const {
  if (all_) {
    std::copy(samples.begin(), samples.end(), unknowns.begin());
    return;
  }
  auto next = unknowns.begin();
  for (std::size_t first = 0; first < samples.size(); first += values_) {
    next = std::transform(
        positions_.begin(), positions_.end(), next,
        [samples, first](std::size_t position) { return samples[first + position]; });
  }
}

void Unknowns::scatter(std::span<const double> unknowns, std::span<double> samples) const {
  if (all_) {
    std::copy(unknowns.begin(), unknowns.end(), samples.begin());
    return;
  }
  auto next = unknowns.begin();
  for (std::size_t first = 0; first < samples.size(); first += values_) {
    for (const std::size_t position : positions_) {
      samples[first + position] = *next++;
    }
  }
}

void push_squares(const IteratedField& field, const Unknowns& unknowns, const Iterate& iterate,
                  std::vector<double>& scratch, std::vector<Twofold>& sums) {
  const std::size_t n = unknowns.size();
  scratch.resize(2 * n);
  const std::span change = std::span(scratch).first(n);
  const std::span value = std::span(scratch).last(n);
  unknowns.gather(iterate.input.last(field.size), change);
  unknowns.gather(iterate.output.last(field.size), value);
  std::transform(value.begin(), value.end(), change.begin(), change.begin(), std::minus<>());
  sums.push_back(dot(change, change));
  sums.push_back(dot(value, value));
}

} // namespace isthmus::acceleration
