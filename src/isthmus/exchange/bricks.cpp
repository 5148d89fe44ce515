// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/bricks.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>

namespace isthmus::exchange {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

struct Interval {
  double lo, hi;
};

/// Part i of the line between cuts.
Interval part(const std::vector<double>& cuts, std::size_t i) {
  return {i == 0 ? -infinite : cuts[i - 1], i == cuts.size() ? infinite : cuts[i]};
}

/// The same seen from either side, to the last bit.
bool within(const Interval& a, const Interval& b, double reach) {
  return !(b.lo - a.hi > reach) && !(a.lo - b.hi > reach);
}

/// Calls f(i) for the parts that are not empty and lie within `radius` of a point.
template <typename F>
void for_near(const std::vector<double>& cuts, double at, double radius, F&& f) {
  const auto first = std::lower_bound(cuts.begin(), cuts.end(), at - radius) - cuts.begin();
  const auto last = std::upper_bound(cuts.begin(), cuts.end(), at + radius) - cuts.begin();
  for (auto i = static_cast<std::size_t>(first); i <= static_cast<std::size_t>(last); ++i) {
    if (const Interval here = part(cuts, i); here.lo < here.hi) {
      f(i);
    }
  }
}

std::size_t part_of(const std::vector<double>& cuts, double at) {
  return static_cast<std::size_t>(std::upper_bound(cuts.begin(), cuts.end(), at) - cuts.begin());
}

} // namespace

Bricks::Bricks(std::vector<double> x, std::vector<std::vector<double>> y)
    : x_(std::move(x)), y_(std::move(y)), first_{0} {
  check(y_.size() == x_.size() + 1, "{} columns of bricks need cuts in y for each, not {} lists",
        x_.size() + 1, y_.size());
  check(std::is_sorted(x_.begin(), x_.end()), "cuts in x must ascend");
  for (const std::vector<double>& cuts : y_) {
    check(std::is_sorted(cuts.begin(), cuts.end()), "cuts in y must ascend");
    first_.push_back(first_.back() + static_cast<int>(cuts.size()) + 1);
  }
}

int Bricks::owner(const Position& at) const {
  const std::size_t column = part_of(x_, at[0]);
  return first_[column] + static_cast<int>(part_of(y_[column], at[1]));
}

void Bricks::near(const Position& at, double radius, std::vector<int>& ranks) const {
  ranks.clear();
  for_near(x_, at[0], radius, [&](std::size_t column) {
    for_near(y_[column], at[1], radius,
             [&](std::size_t row) { ranks.push_back(first_[column] + static_cast<int>(row)); });
  });
}

std::vector<int> Bricks::neighbours(int rank, double reach, bool with_empty) const {
  std::vector<int> ranks;
  if (rank >= size()) {
    return ranks;
  }
  const auto own = static_cast<std::size_t>(std::upper_bound(first_.begin(), first_.end(), rank) -
                                            first_.begin() - 1);
  const Interval x = part(x_, own);
  const Interval y = part(y_[own], static_cast<std::size_t>(rank - first_[own]));
  const auto counts = [with_empty](const Interval& part) {
    return with_empty || part.lo < part.hi;
  };
  if (!counts(x) || !counts(y)) {
    return ranks;
  }
  for (std::size_t column = 0; column < y_.size(); ++column) {
    const Interval other_x = part(x_, column);
    if (!counts(other_x) || !within(x, other_x, reach)) {
      continue;
    }
    for (std::size_t row = 0; row <= y_[column].size(); ++row) {
      const Interval other_y = part(y_[column], row);
      const int other = first_[column] + static_cast<int>(row);
      if (other != rank && counts(other_y) && within(y, other_y, reach)) {
        ranks.push_back(other);
      }
    }
  }
  return ranks;
}

int Bricks::steps() const {
  std::size_t rows = 0;
  for (const std::vector<double>& cuts : y_) {
    rows = std::max(rows, cuts.size());
  }
  return std::max(1, static_cast<int>(x_.size() + rows));
}

namespace {

std::int64_t bucket_of(double at, double edge) {
  return static_cast<std::int64_t>(std::floor(at / edge));
}

/// Buckets in x and y that hold all positions of all ranks.
struct Buckets {
  std::array<std::int64_t, 2> lo, hi; // first, one behind the last

  [[nodiscard]] std::size_t size(std::size_t direction) const {
    return static_cast<std::size_t>(std::max(std::int64_t{0}, hi[direction] - lo[direction]));
  }
};

Buckets buckets_of(const comm::Comm& comm, std::span<const Position> positions, double edge) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min() / 2;
  std::array<std::int64_t, 4> ends = {least, least, least, least}; // -lo, hi
  for (const Position& at : positions) {
    for (std::size_t d = 0; d < 2; ++d) {
      const std::int64_t bucket = bucket_of(at[d], edge);
      ends[d] = std::max(ends[d], -bucket);
      ends[2 + d] = std::max(ends[2 + d], bucket + 1);
    }
  }
  comm::allreduce(comm, std::span<std::int64_t>(ends), comm::Op::max);
  return {{-ends[0], -ends[1]}, {ends[2], ends[3]}};
}

/// Cuts between slices, whose part k gets weights[k] of all positions.
std::vector<double> cuts_of(std::span<const std::int64_t> slices, std::span<const int> weights,
                            std::int64_t lo, double edge) {
  const auto total = std::accumulate(slices.begin(), slices.end(), std::int64_t{0});
  const std::int64_t shares = std::accumulate(weights.begin(), weights.end(), 0);
  std::vector<double> cuts;
  std::int64_t before = 0; // positions below slice b
  std::size_t b = 0;
  std::int64_t share = 0;
  for (std::size_t k = 0; k + 1 < weights.size(); ++k) {
    share += weights[k];
    while (b < slices.size() && (2 * before + slices[b]) * shares < 2 * total * share) {
      before += slices[b++];
    }
    cuts.push_back(static_cast<double>(lo + static_cast<std::int64_t>(b)) * edge);
  }
  return cuts;
}

/// How many slices positions fill, those that are nearly empty counted for little.
double filled(std::span<const std::int64_t> slices) {
  double sum = 0, squares = 0;
  for (const std::int64_t count : slices) {
    sum += static_cast<double>(count);
    squares += static_cast<double>(count) * static_cast<double>(count);
  }
  return squares > 0 ? sum * sum / squares : 1;
}

/// How many of `ranks` rows each column gets; columns as many as make bricks about square.
std::vector<int> rows_of_columns(int ranks, double width, double height) {
  const auto wanted = static_cast<int>(std::lround(std::sqrt(ranks * width / height)));
  const int columns = std::clamp(wanted, 1, ranks);
  std::vector<int> rows;
  for (std::int64_t c = 0; c < columns; ++c) {
    rows.push_back(static_cast<int>((c + 1) * ranks / columns - c * ranks / columns));
  }
  return rows;
}

} // namespace

Bricks balanced_bricks(const comm::Comm& comm, int ranks, std::span<const Position> positions,
                       double bucket, std::span<const std::int64_t> weights) {
  check(weights.empty() || weights.size() == positions.size(), "{} positions have {} weights",
        positions.size(), weights.size());
  const auto weight = [weights](std::size_t n) { return weights.empty() ? 1 : weights[n]; };
  const Buckets buckets = buckets_of(comm, positions, bucket);
  const std::size_t height = buckets.size(1);
  std::vector<std::int64_t> slices(buckets.size(0) + height); // in x, then in y
  const auto slice = [&](const Position& at, std::size_t d) {
    return static_cast<std::size_t>(bucket_of(at[d], bucket) - buckets.lo[d]);
  };
  for (std::size_t n = 0; n < positions.size(); ++n) {
    slices[slice(positions[n], 0)] += weight(n);
    slices[buckets.size(0) + slice(positions[n], 1)] += weight(n);
  }
  comm::allreduce(comm, std::span(slices), comm::Op::sum);
  const auto in_x = std::span<const std::int64_t>(slices).first(buckets.size(0));
  const auto in_y = std::span<const std::int64_t>(slices).subspan(buckets.size(0));
  const std::vector<int> rows = rows_of_columns(ranks, filled(in_x), filled(in_y));
  const std::vector<double> x = cuts_of(in_x, rows, buckets.lo[0], bucket);

  std::vector<std::int64_t> columns(rows.size() * height); // slices in y of each column
  for (std::size_t n = 0; n < positions.size(); ++n) {
    columns[part_of(x, positions[n][0]) * height + slice(positions[n], 1)] += weight(n);
  }
  comm::allreduce(comm, std::span(columns), comm::Op::sum);
  std::vector<std::vector<double>> y;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    const std::vector<int> equal(static_cast<std::size_t>(rows[c]), 1);
    y.push_back(
        cuts_of(std::span(columns).subspan(c * height, height), equal, buckets.lo[1], bucket));
  }
  return {x, y};
}

} // namespace isthmus::exchange
