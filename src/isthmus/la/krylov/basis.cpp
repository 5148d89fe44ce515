// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/krylov/basis.hpp"

#include <array>
#include <cstring>

namespace isthmus::la {

namespace {

using Pair = double __attribute__((vector_size(16)));

Pair load(const double* from) {
  Pair pair;
  std::memcpy(&pair, from, sizeof pair);
  return pair;
}

struct Rows {
  std::size_t first, last; // of them all before the last
};

/// The vectors from j on with R others, `Count` of them in one pass and half as many at the end:
/// sums that do not wait for each other, as many as there are registers for.
template <std::size_t Count, std::size_t R>
void add_products_from(std::size_t j, const double* v, std::size_t length, Rows rows,
                       const std::array<const double*, R>& w,
                       const std::array<std::span<double>, R>& sums) {
  for (; j + Count <= sums[0].size(); j += Count) {
    const double* const from = v + j * length;
    std::array<std::array<Pair, R>, Count> parts{};
    std::size_t i = rows.first;
    for (; i + 2 <= rows.last; i += 2) {
      for (std::size_t k = 0; k < Count; ++k) {
        const Pair entry = load(from + k * length + i);
        for (std::size_t r = 0; r < R; ++r) {
          parts[k][r] += entry * load(w[r] + i);
        }
      }
    }
    for (std::size_t k = 0; k < Count; ++k) {
      for (std::size_t r = 0; r < R; ++r) {
        const double rest = i < rows.last ? from[k * length + i] * w[r][i] : 0;
        sums[r][j + k] += parts[k][r][0] + parts[k][r][1] + rest;
      }
    }
  }
  if constexpr (Count > 1) {
    add_products_from<Count / 2>(j, v, length, rows, w, sums);
  }
}

} // namespace

void Basis::add_to(std::span<double> w, std::span<const double> factors, std::size_t first,
                   std::size_t last) const {
  constexpr std::size_t together = 4; // vectors of one pass
  double* const to = w.data();
  std::size_t j = 0;
  for (; j + together <= factors.size(); j += together) {
    const double* const a = values_.data() + j * length_;
    const double* const b = a + length_;
    const double* const c = b + length_;
    const double* const d = c + length_;
    const double fa = factors[j], fb = factors[j + 1], fc = factors[j + 2], fd = factors[j + 3];
    for (std::size_t i = first; i < last; ++i) {
      to[i] += (fa * a[i] + fb * b[i]) + (fc * c[i] + fd * d[i]);
    }
  }
  for (; j < factors.size(); ++j) {
    const double* const a = values_.data() + j * length_;
    for (std::size_t i = first; i < last; ++i) {
      to[i] += factors[j] * a[i];
    }
  }
}

void Basis::add_products(std::span<const double> w, std::span<double> sums, std::size_t first,
                         std::size_t last) const {
  add_products_from<8, 1>(0, values_.data(), length_, {first, last}, {w.data()}, {sums});
}

void Basis::add_products(std::span<const double> w, std::span<double> sums,
                         std::span<const double> other, std::span<double> other_sums,
                         std::size_t first, std::size_t last) const {
  add_products_from<4, 2>(0, values_.data(), length_, {first, last}, {w.data(), other.data()},
                          {sums, other_sums});
}

} // namespace isthmus::la
