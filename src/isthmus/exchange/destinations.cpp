// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/destinations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace isthmus::exchange {

bool is_finite(const Position& at) {
  return std::isfinite(at[0]) && std::isfinite(at[1]) && std::isfinite(at[2]);
}

void Destinations::find(const Particles& particles, const Bricks& bricks, int self, double radius,
                        const std::function<bool(int rank)>& is_stranger) {
  entries_.clear();
  ranks_.clear();
  failure_.reset();
  needs_strangers_ = false;
  std::vector<int> near;
  for (std::size_t i = 0; i < particles.num_owned(); ++i) {
    const Position& at = particles.positions()[i];
    if (!is_finite(at)) {
      failure_ = fmt::format(
          "particle {} is at ({}, {}, {}), which is nowhere: does the time step "
          "meet the limits of the method?",
          particles.ids()[i], at[0], at[1], at[2]);
      entries_.push_back({self, ranks_.size(), false});
      continue;
    }
    bricks.near(at, radius, near);
    const bool beyond = std::any_of(near.begin(), near.end(), is_stranger);
    needs_strangers_ = needs_strangers_ || beyond;
    ranks_.insert(ranks_.end(), near.begin(), near.end());
    entries_.push_back({bricks.owner(at), ranks_.size(), beyond});
  }
}

Destinations::Destination Destinations::of(std::size_t i) const {
  const std::size_t first = i == 0 ? 0 : entries_[i - 1].end;
  return {entries_[i].owner, std::span(ranks_).subspan(first, entries_[i].end - first),
          entries_[i].beyond};
}

} // namespace isthmus::exchange
