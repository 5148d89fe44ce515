// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/rows.hpp"

#include "isthmus/base/parallel_for.hpp"
#include "isthmus/base/sequence.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>
#include <utility>

namespace isthmus::mapping {

Rows::Rows(std::span<const LocalIndex> counts, std::vector<LocalIndex> columns,
           std::vector<double> weights)
    : begins_(counts.size() + 1, 0), columns_(std::move(columns)), weights_(std::move(weights)) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    begins_[i + 1] = begins_[i] + counts[i];
  }
  drop_unit_weights();
}

Rows Rows::from_entries(LocalIndex num_rows, std::span<const Entry> entries) {
  std::vector<LocalIndex> counts(static_cast<std::size_t>(num_rows), 0);
  for (const Entry& entry : entries) {
    ++counts[static_cast<std::size_t>(entry.row)];
  }
  std::vector<LocalIndex> next(counts.size(), 0);
  for (std::size_t i = 1; i < counts.size(); ++i) {
    next[i] = next[i - 1] + counts[i - 1];
  }
  std::vector<LocalIndex> columns(entries.size());
  std::vector<double> weights(entries.size());
  for (const Entry& entry : entries) {
    const auto k = static_cast<std::size_t>(next[static_cast<std::size_t>(entry.row)]++);
    columns[k] = entry.column;
    weights[k] = entry.weight;
  }
  return {counts, std::move(columns), std::move(weights)};
}

void Rows::sort_by_place(int dimensions, std::span<const double> column_coordinates) {
  const auto dim = static_cast<std::size_t>(dimensions);
  const double* x = column_coordinates.data();
  std::vector<std::pair<LocalIndex, double>> row;
  for (std::size_t i = 0; !weights_.empty() && i + 1 < begins_.size(); ++i) {
    const auto begin = static_cast<std::size_t>(begins_[i]);
    const auto end = static_cast<std::size_t>(begins_[i + 1]);
    if (end - begin < 2) {
      continue;
    }
    row.clear();
    for (std::size_t k = begin; k < end; ++k) {
      row.emplace_back(columns_[k], weights_[k]);
    }
    std::stable_sort(row.begin(), row.end(), [x, dim](const auto& a, const auto& b) {
      const double* p = x + static_cast<std::size_t>(a.first) * dim;
      const double* q = x + static_cast<std::size_t>(b.first) * dim;
      return std::lexicographical_compare(p, p + dim, q, q + dim);
    });
    for (std::size_t k = begin; k < end; ++k) {
      std::tie(columns_[k], weights_[k]) = row[k - begin];
    }
  }
}

void Rows::take_parts(int parts) {
  for (std::size_t i = 0; i + 1 < begins_.size(); ++i) {
    LocalIndex part = 0;
    for (auto k = static_cast<std::size_t>(begins_[i]);
         k < static_cast<std::size_t>(begins_[i + 1]); ++k) {
      columns_[k] = columns_[k] * parts + part++;
    }
  }
}

void Rows::drop_unit_weights() {
  const bool one_each = columns_.size() + 1 == begins_.size() &&
                        std::adjacent_find(begins_.begin(), begins_.end()) == begins_.end();
  if (one_each && std::all_of(weights_.begin(), weights_.end(), [](double w) { return w == 1; })) {
    release(weights_);
  }
}

namespace {

template <int Components>
void copy_rows(std::span<const LocalIndex> columns, const double* in, double* out) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const double* from = in + static_cast<std::size_t>(columns[i]) * Components;
    std::memcpy(out + i * Components, from, Components * sizeof(double)); // one piece, not words
  }
}

/// Adds the entries of one row, in their order.
template <int Components>
void sum_row(const LocalIndex* columns, const double* weights, std::size_t count, const double* in,
             double* out) {
  std::array<double, Components> sum{};
  for (std::size_t k = 0; k < count; ++k) {
    const double* from = in + static_cast<std::size_t>(columns[k]) * Components;
    for (std::size_t c = 0; c < Components; ++c) {
      sum[c] += weights[k] * from[c];
    }
  }
  std::copy(sum.begin(), sum.end(), out);
}

template <int Components>
void sum_rows(std::span<const LocalIndex> begins, const LocalIndex* columns, const double* weights,
              const double* in, double* out) {
  for (std::size_t i = 0; i + 1 < begins.size(); ++i, out += Components) {
    const auto begin = static_cast<std::size_t>(begins[i]);
    const auto count = static_cast<std::size_t>(begins[i + 1]) - begin;
    if (count == 3) { // a triangle, by far the most frequent
      sum_row<Components>(columns + begin, weights + begin, 3, in, out);
    } else {
      sum_row<Components>(columns + begin, weights + begin, count, in, out);
    }
  }
}

template <int Components>
void apply_rows(std::span<const LocalIndex> begins, std::span<const LocalIndex> columns,
                std::span<const double> weights, const double* in, double* out) {
  if (weights.empty()) {
    if (!columns.empty()) {
      copy_rows<Components>(columns, in, out);
    } else {
      std::fill(out, out + (begins.empty() ? 0 : begins.size() - 1) * Components, 0.0);
    }
  } else {
    const std::size_t rows = begins.size() - 1;
    constexpr std::size_t entries = 1 << 18; // for one thread: worth starting it
    const std::size_t grain = std::max<std::size_t>(1, rows * entries / columns.size());
    parallel_for(rows, grain, [&](std::size_t begin, std::size_t end) {
      sum_rows<Components>(begins.subspan(begin, end - begin + 1), columns.data(), weights.data(),
                           in, out + begin * Components);
    });
  }
}

} // namespace

void Rows::apply(int components, std::span<const double> in, std::span<double> out) const {
  switch (components) {
    case 1:
      return apply_rows<1>(begins_, columns_, weights_, in.data(), out.data());
    case 2:
      return apply_rows<2>(begins_, columns_, weights_, in.data(), out.data());
    default:
      return apply_rows<3>(begins_, columns_, weights_, in.data(), out.data());
  }
}

} // namespace isthmus::mapping
