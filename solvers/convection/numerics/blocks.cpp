// SPDX-License-Identifier: BSD-3-Clause
#include "convection/numerics/blocks.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/sequence.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::convection {

template <std::size_t width>
bool invert(std::array<double, width * width> a, double* inverse) {
  for (std::size_t n = 0; n < width * width; ++n) {
    inverse[n] = n % (width + 1) == 0 ? 1 : 0;
  }
  for (std::size_t k = 0; k < width; ++k) {
    std::size_t pivot = k;
    for (std::size_t r = k + 1; r < width; ++r) {
      pivot = std::abs(a[r * width + k]) > std::abs(a[pivot * width + k]) ? r : pivot;
    }
    const double divisor = a[pivot * width + k];
    if (!(std::abs(divisor) > 0)) {
      return false;
    }
    for (std::size_t c = 0; c < width; ++c) {
      std::swap(a[k * width + c], a[pivot * width + c]);
      std::swap(inverse[k * width + c], inverse[pivot * width + c]);
      a[k * width + c] /= divisor;
      inverse[k * width + c] /= divisor;
    }
    for (std::size_t r = 0; r < width; ++r) {
      const double factor = r == k ? 0 : a[r * width + k];
      for (std::size_t c = 0; c < width; ++c) {
        a[r * width + c] -= factor * a[k * width + c];
        inverse[r * width + c] -= factor * inverse[k * width + c];
      }
    }
  }
  return true;
}

template bool invert<1>(std::array<double, 1>, double*);
template bool invert<4>(std::array<double, 16>, double*);

std::size_t BlockPattern::place_of(std::size_t row, LocalIndex column) const {
  const auto begin = columns.begin();
  const auto at = std::lower_bound(begin + static_cast<std::ptrdiff_t>(offsets[row]),
                                   begin + static_cast<std::ptrdiff_t>(offsets[row + 1]), column);
  return static_cast<std::size_t>(at - begin);
}

BlockPattern make_pattern(std::size_t num_rows, std::span<const EdgeEnds> ends) {
  std::vector<std::vector<LocalIndex>> rows(num_rows);
  for (std::size_t i = 0; i < num_rows; ++i) {
    rows[i].push_back(static_cast<LocalIndex>(i));
  }
  for (const EdgeEnds& edge : ends) {
    rows[static_cast<std::size_t>(edge.i)].push_back(edge.j);
    rows[static_cast<std::size_t>(edge.j)].push_back(edge.i);
  }
  BlockPattern result;
  for (std::size_t i = 0; i < num_rows; ++i) {
    std::vector<LocalIndex>& row = rows[i];
    sort_once(row);
    const auto own = std::lower_bound(row.begin(), row.end(), static_cast<LocalIndex>(i));
    result.places.push_back(result.offsets.back() + static_cast<std::size_t>(own - row.begin()));
    result.columns.insert(result.columns.end(), row.begin(), row.end());
    result.offsets.push_back(result.columns.size());
  }
  return result;
}

namespace {

using Four = std::array<double, 4>;

/// y -= A x of one block, column by column.
void subtract(const float* a, const double* x, Four& y) {
  for (std::size_t c = 0; c < 4; ++c) {
    for (std::size_t r = 0; r < 4; ++r) {
      y[r] -= static_cast<double>(a[4 * c + r]) * x[c];
    }
  }
}

using Block = std::array<double, blocks4::size>;

/// C -= A B, column by column.
void subtract_product(const Block& a, const float* b, Block& c) {
  for (std::size_t j = 0; j < 4; ++j) {
    for (std::size_t k = 0; k < 4; ++k) {
      const auto factor = static_cast<double>(b[4 * j + k]);
      for (std::size_t i = 0; i < 4; ++i) {
        c[4 * j + i] -= a[4 * k + i] * factor;
      }
    }
  }
}

} // namespace

namespace blocks4 {

void multiply(const BlockPattern& pattern, std::span<const float> values, std::span<const double> x,
              std::span<double> y) {
  for (std::size_t i = 0; i < pattern.num_rows(); ++i) {
    Four sum{};
    for (std::size_t k = pattern.offsets[i]; k < pattern.offsets[i + 1]; ++k) {
      subtract(&values[size * k], &x[4 * static_cast<std::size_t>(pattern.columns[k])], sum);
    }
    for (std::size_t r = 0; r < 4; ++r) {
      y[4 * i + r] -= sum[r];
    }
  }
}

} // namespace blocks4

void BlockIlu::factor(const BlockPattern& pattern, std::span<const float> values) {
  constexpr std::size_t size = blocks4::size;
  pattern_ = &pattern;
  factors_.resize(values.size());
  constexpr auto absent = static_cast<std::size_t>(-1);
  std::vector<std::size_t> places(pattern.num_rows(), absent); // in the row at work
  std::vector<Block> row;
  for (std::size_t i = 0; i < pattern.num_rows(); ++i) {
    const std::size_t first = pattern.offsets[i];
    const std::size_t last = pattern.offsets[i + 1];
    row.resize(last - first);
    for (std::size_t k = first; k < last; ++k) {
      places[static_cast<std::size_t>(pattern.columns[k])] = k - first;
      std::copy_n(&values[size * k], size, row[k - first].begin());
    }
    const std::size_t own = pattern.places[i] - first;
    for (std::size_t c = 0; c < 4; ++c) {
      double& entry = row[own][5 * c];
      entry = entry == 0 ? 1 : entry;
    }
    for (std::size_t k = 0; k < own; ++k) {
      const auto above = static_cast<std::size_t>(pattern.columns[first + k]);
      Block left{};
      subtract_product(row[k], &factors_[size * pattern.places[above]], left);
      for (double& value : left) {
        value = -value;
      }
      row[k] = left;
      for (std::size_t u = pattern.places[above] + 1; u < pattern.offsets[above + 1]; ++u) {
        const std::size_t at = places[static_cast<std::size_t>(pattern.columns[u])];
        if (at != absent) {
          subtract_product(left, &factors_[size * u], row[at]);
        }
      }
    }
    Block inverse{}; // of the transposed, which is the transposed inverse
    check(invert<4>(row[own], inverse.data()),
          "the block of a node cannot be inverted: a step is too large, or values are no numbers");
    row[own] = inverse;
    for (std::size_t k = first; k < last; ++k) {
      places[static_cast<std::size_t>(pattern.columns[k])] = absent;
      std::transform(row[k - first].begin(), row[k - first].end(), &factors_[size * k],
                     [](double value) { return static_cast<float>(value); });
    }
  }
}

void BlockIlu::solve(std::span<const double> r, std::span<double> z) const {
  constexpr std::size_t size = blocks4::size;
  const auto block_of = [this](std::size_t k) { return &factors_[size * k]; };
  const auto column_of = [this](std::size_t k) {
    return 4 * static_cast<std::size_t>(pattern_->columns[k]);
  };
  for (std::size_t i = 0; i < pattern_->num_rows(); ++i) {
    Four sum = {r[4 * i], r[4 * i + 1], r[4 * i + 2], r[4 * i + 3]};
    for (std::size_t k = pattern_->offsets[i]; k < pattern_->places[i]; ++k) {
      subtract(block_of(k), &z[column_of(k)], sum);
    }
    std::copy(sum.begin(), sum.end(), &z[4 * i]);
  }
  for (std::size_t i = pattern_->num_rows(); i-- > 0;) {
    Four sum = {z[4 * i], z[4 * i + 1], z[4 * i + 2], z[4 * i + 3]};
    for (std::size_t k = pattern_->places[i] + 1; k < pattern_->offsets[i + 1]; ++k) {
      subtract(block_of(k), &z[column_of(k)], sum);
    }
    Four result{};
    subtract(block_of(pattern_->places[i]), sum.data(), result);
    for (std::size_t c = 0; c < 4; ++c) {
      z[4 * i + c] = -result[c];
    }
  }
}

} // namespace isthmus::convection
