// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/twofold.hpp"

#include <cstddef>
#include <span>

namespace isthmus::acceleration {

/// a · b with twice the digits of a double (Ogita, Rump, Oishi 2005, doi:10.1137/030601818). The
/// order of the terms is fixed: equal input gives equal bits on every machine.
[[nodiscard]] Twofold dot(std::span<const double> a, std::span<const double> b);

/// Adds to sums[2 j] and sums[2 j + 1] the products of rows [begin, end) of column j with those of
/// `one` and `two`. Reads every column once.
void add_dots(std::span<const double* const> columns, std::size_t begin, std::size_t end,
              const double* one, const double* two, std::span<Twofold> sums);

/// from - Σ_k a[k] · b[k].
[[nodiscard]] Twofold minus_products(Twofold from, std::span<const Twofold> a, const Twofold* b);

/// Writes rows [begin, begin + out.size()) of base + Σ_j factors[j] · columns[j] into `out`. Reads
/// every column once.
void combine(std::span<const double* const> columns, std::span<const double> factors,
             const double* base, std::size_t begin, std::span<double> out);

} // namespace isthmus::acceleration
