// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/radial/kernels/kernels.hpp"

#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

namespace isthmus::radial {

/// `Width` numbers that the processor handles together, at any address.
template <std::size_t Width>
struct VectorOf;
template <>
struct VectorOf<2> {
  using Type = double __attribute__((vector_size(16), aligned(8), may_alias));
};
template <>
struct VectorOf<4> {
  using Type = double __attribute__((vector_size(32), aligned(8), may_alias));
};
template <>
struct VectorOf<8> {
  using Type = double __attribute__((vector_size(64), aligned(8), may_alias));
};

/// Factors of small matrices and solutions with them, in vectors of `Width` numbers. A `Tag` of its
/// own keeps code apart that is compiled for other instructions.
template <typename Tag, std::size_t Width>
class SmallFactors {
  using Vector = typename VectorOf<Width>::Type;

 public:
  static constexpr std::size_t block = 4; // rows that are eliminated, or found, together

  static bool factor_definite(const SmallRows& matrix) {
    const auto [entries, rows, stride, inverse] = matrix;
    for (std::size_t k = 0; k < rows; k += block) {
      if (!factor_block(entries + k * stride + k, stride, inverse + k)) {
        return false;
      }
      finish_rows(entries + k * stride, stride, k, inverse + k);
      for (std::size_t i = k + block; i < rows; i += 2) {
        double factors[2 * block];
        for (std::size_t s = 0; s < block; ++s) {
          const double* pivot_row = entries + (k + s) * stride + i;
          factors[s] = pivot_row[0] * inverse[k + s];
          factors[block + s] = pivot_row[1] * inverse[k + s];
        }
        eliminate(entries + k * stride, entries + i * stride, stride, i / Width * Width, factors);
      }
    }
    return true;
  }

  static bool factor_any(const SmallRows& matrix, std::size_t* order) {
    const auto [entries, rows, stride, inverse] = matrix;
    for (std::size_t k = 0; k < rows; k += lanes) {
      if (!factor_columns(matrix, k, order)) {
        return false;
      }
      std::size_t i = k + 1;
      for (; i < k + lanes && i < rows; ++i) {
        eliminate_within(entries, stride, k, i);
      }
      for (; i < rows; i += 2) {
        for (std::size_t half = k; half < k + lanes; half += block) {
          double factors[2 * block];
          for (std::size_t s = 0; s < block; ++s) {
            factors[s] = entries[i * stride + half + s];
            factors[block + s] = entries[(i + 1) * stride + half + s];
          }
          eliminate(entries + half * stride, entries + i * stride, stride, k + lanes, factors);
        }
      }
    }
    return true;
  }

  static void solve_definite(const SmallRows& factors, double* x) {
    for (std::size_t lane = 0; lane < lanes; lane += together) {
      solve_upper_transposed(factors, x + lane);
      solve_upper<true>(factors, x + lane);
    }
  }

  static void solve_any(const SmallRows& factors, double* x) {
    for (std::size_t lane = 0; lane < lanes; lane += together) {
      solve_lower(factors, x + lane);
      solve_upper<false>(factors, x + lane);
    }
  }

 private:
  static constexpr std::size_t vectors = Width < lanes ? 2 : 1; // of right sides
  static constexpr std::size_t together = vectors * Width;
  static constexpr std::size_t chains = 2 / vectors; // of sums, so that fewer wait for others

  static Vector& at(double* numbers) { return *reinterpret_cast<Vector*>(numbers); }
  static const Vector& at(const double* numbers) {
    return *reinterpret_cast<const Vector*>(numbers);
  }

  /// f(0) to f(count - 1) without a loop, so that tiles stay in registers.
  template <typename Function, std::size_t... I>
  [[gnu::always_inline]] static void each(std::index_sequence<I...> /*all*/, const Function& f) {
    (f(std::integral_constant<std::size_t, I>()), ...);
  }
  template <std::size_t Count, typename Function>
  [[gnu::always_inline]] static void each(const Function& f) {
    each(std::make_index_sequence<Count>(), f);
  }

  /// Sums for the right sides of a block of equations.
  struct Tile {
    static constexpr std::size_t size = block * vectors;
    Vector of[size];

    [[gnu::always_inline]] void load(const double* x) {
      each<size>([&](auto i) { of[i] = at(x + i / vectors * lanes + i % vectors * Width); });
    }
    [[gnu::always_inline]] void clear() {
      each<size>([&](auto i) { of[i] = Vector{}; });
    }
    /// Subtracts an unknown times its factors in the equations of the block.
    [[gnu::always_inline]] void subtract(const double* factors, std::size_t stride,
                                         const double* x) {
      each<size>(
          [&](auto i) { of[i] -= factors[i / vectors * stride] * at(x + i % vectors * Width); });
    }
    [[gnu::always_inline]] void add(const Tile& other) {
      each<size>([&](auto i) { of[i] += other.of[i]; });
    }
    template <std::size_t Row, std::size_t From>
    [[gnu::always_inline]] void subtract_row(double factor) {
      each<vectors>([&](auto v) { of[Row * vectors + v] -= factor * of[From * vectors + v]; });
    }
    template <std::size_t Row>
    [[gnu::always_inline]] void scale_row(double factor) {
      each<vectors>([&](auto v) { of[Row * vectors + v] *= factor; });
    }
    template <std::size_t Row>
    [[gnu::always_inline]] void add_row(const double* x) {
      each<vectors>([&](auto v) { of[Row * vectors + v] += at(x + v * Width); });
    }
    template <std::size_t Row>
    [[gnu::always_inline]] void store_row(double* x) const {
      each<vectors>([&](auto v) { at(x + v * Width) = of[Row * vectors + v]; });
    }
  };

  /// How far the factors of the equations of a tile lie apart, and those of the next unknown.
  struct Strides {
    std::size_t across;
    std::size_t along;
  };

  /// Subtracts the unknowns from `begin` to `end`, both multiples of the block, from a tile.
  [[gnu::always_inline]] static void subtract_all(Tile& sum, const double* factors, Strides by,
                                                  const double* x, std::size_t begin,
                                                  std::size_t end) {
    if constexpr (chains == 1) {
      for (std::size_t j = begin; j < end; ++j) {
        sum.subtract(factors + j * by.along, by.across, x + j * lanes);
      }
    } else {
      Tile odd;
      odd.clear();
      for (std::size_t j = begin; j < end; j += 2) {
        sum.subtract(factors + j * by.along, by.across, x + j * lanes);
        odd.subtract(factors + (j + 1) * by.along, by.across, x + (j + 1) * lanes);
      }
      sum.add(odd);
    }
  }

  /// The pivots of a block on the diagonal, and their rows within it.
  static bool factor_block(double* corner, std::size_t stride, double* inverse) {
    for (std::size_t r = 0; r < block; ++r) {
      double* row = corner + r * stride;
      for (std::size_t s = 0; s < r; ++s) {
        const double* pivot_row = corner + s * stride;
        const double factor = pivot_row[r] * inverse[s];
        for (std::size_t c = r; c < block; ++c) {
          row[c] -= factor * pivot_row[c];
        }
      }
      if (!(row[r] > 0)) {
        return false;
      }
      inverse[r] = 1.0 / row[r];
    }
    return true;
  }

  /// The same rows behind the block, which begins in column `k`.
  static void finish_rows(double* rows, std::size_t stride, std::size_t k, const double* inverse) {
    double factors[block][block];
    for (std::size_t r = 0; r < block; ++r) {
      for (std::size_t s = 0; s < r; ++s) {
        factors[r][s] = rows[s * stride + k + r] * inverse[s];
      }
    }
    const std::size_t first = (k + block + Width - 1) / Width * Width;
    for (std::size_t j = k + block; j < first; ++j) {
      for (std::size_t r = 1; r < block; ++r) {
        for (std::size_t s = 0; s < r; ++s) {
          rows[r * stride + j] -= factors[r][s] * rows[s * stride + j];
        }
      }
    }
    for (std::size_t j = first; j < stride; j += Width) {
      Vector row[block];
      for (std::size_t r = 0; r < block; ++r) {
        row[r] = at(rows + r * stride + j);
        for (std::size_t s = 0; s < r; ++s) {
          row[r] -= factors[r][s] * row[s];
        }
        at(rows + r * stride + j) = row[r];
      }
    }
  }

  /// Subtracts the rows of a block, times factors, from the next two rows, from column `first` on.
  static void eliminate(const double* pivots, double* rows, std::size_t stride, std::size_t first,
                        const double* factors) {
    for (std::size_t j = first; j < stride; j += Width) {
      Vector a = at(rows + j);
      Vector b = at(rows + stride + j);
      for (std::size_t s = 0; s < block; ++s) {
        const Vector pivot_row = at(pivots + s * stride + j);
        a -= factors[s] * pivot_row;
        b -= factors[block + s] * pivot_row;
      }
      at(rows + j) = a;
      at(rows + stride + j) = b;
    }
  }

  /// Eliminates the rows from `k` to `i` from row `i`, behind the columns of factor_columns().
  static void eliminate_within(double* entries, std::size_t stride, std::size_t k, std::size_t i) {
    double* row = entries + i * stride;
    for (std::size_t j = k + lanes; j < stride; j += Width) {
      Vector rest = at(row + j);
      for (std::size_t s = k; s < i; ++s) {
        rest -= row[s] * at(entries + s * stride + j);
      }
      at(row + j) = rest;
    }
  }

  static double size_of(double number) { return number < 0 ? -number : number; }

  static void exchange(double* a, double* b, std::size_t count) {
    for (std::size_t j = 0; j < count; j += Width) {
      const Vector kept = at(a + j);
      at(a + j) = at(b + j);
      at(b + j) = kept;
    }
  }

  /// Makes L, below its diagonal of ones, and U of as many columns as there are lanes, from row
  /// `begin` on, where the pivot of each column is its largest entry.
  static bool factor_columns(const SmallRows& matrix, std::size_t begin, std::size_t* order) {
    const auto [entries, rows, stride, inverse] = matrix;
    std::size_t pivot = begin;
    for (std::size_t i = begin + 1; i < rows; ++i) {
      pivot = size_of(entries[i * stride + begin]) > size_of(entries[pivot * stride + begin])
                  ? i
                  : pivot;
    }
    for (std::size_t k = begin; k < begin + lanes && k < rows; ++k) {
      if (pivot != k) {
        exchange(entries + k * stride, entries + pivot * stride, stride);
        const std::size_t kept = order[k];
        order[k] = order[pivot];
        order[pivot] = kept;
      }
      const double pivot_entry = entries[k * stride + k];
      inverse[k] = 1.0 / pivot_entry;
      if (!(size_of(inverse[k]) <= std::numeric_limits<double>::max())) {
        return false;
      }
      pivot = eliminate_columns(matrix, begin, k);
    }
    return true;
  }

  /// Eliminates row `k` from all below it, in these columns; returns which has the next pivot.
  static std::size_t eliminate_columns(const SmallRows& matrix, std::size_t begin, std::size_t k) {
    const auto [entries, rows, stride, inverse] = matrix;
    alignas(sizeof(double) * lanes) double right[lanes] = {}; // of the pivot
    for (std::size_t c = k + 1 - begin; c < lanes; ++c) {
      right[c] = entries[k * stride + begin + c];
    }
    std::size_t pivot = k + 1;
    double largest = -1;
    const std::size_t next = k + 1 < begin + lanes ? k + 1 : begin + lanes - 1;
    for (std::size_t i = k + 1; i < rows; ++i) {
      double* row = entries + i * stride;
      const double factor = row[k] * inverse[k];
      for (std::size_t c = 0; c < lanes; c += Width) {
        at(row + begin + c) -= factor * at(right + c);
      }
      row[k] = factor;
      const double size = size_of(row[next]);
      pivot = size > largest ? i : pivot;
      largest = size > largest ? size : largest;
    }
    return pivot;
  }

  /// x_i -= sum of factors(i, j) x_j over j < i.
  static void solve_lower(const SmallRows& factors, double* x) {
    const std::size_t stride = factors.stride;
    for (std::size_t i = 0; i < factors.rows; i += block) {
      const double* f = factors.entries + i * stride;
      Tile sum;
      sum.load(x + i * lanes);
      subtract_all(sum, f, {stride, 1}, x, 0, i);
      each<block>([&](auto r) {
        sum.template store_row<r>(x + (i + r) * lanes);
        each<block - 1 - r>([&](auto more) {
          constexpr std::size_t s = r + 1 + more;
          sum.template subtract_row<s, r>(f[s * stride + i + r]);
        });
      });
    }
  }

  /// x_i = inverse_i (x_i - sum of factors(j, i) x_j over j < i).
  static void solve_upper_transposed(const SmallRows& factors, double* x) {
    const double* const entries = factors.entries;
    const double* const inverse = factors.inverse_pivots;
    const std::size_t stride = factors.stride;
    for (std::size_t i = 0; i < factors.rows; i += block) {
      Tile sum;
      sum.load(x + i * lanes);
      subtract_all(sum, entries + i, {1, stride}, x, 0, i);
      each<block>([&](auto r) {
        sum.template scale_row<r>(inverse[i + r]);
        sum.template store_row<r>(x + (i + r) * lanes);
        each<block - 1 - r>([&](auto more) {
          constexpr std::size_t s = r + 1 + more;
          sum.template subtract_row<s, r>(entries[(i + r) * stride + i + s]);
        });
      });
    }
  }

  /// Of y: x_i = y_i - inverse_i * sum of factors(i, j) x_j over j > i, where `Scaled`; else x_i =
  /// inverse_i (y_i - sum).
  template <bool Scaled>
  static void solve_upper(const SmallRows& factors, double* x) {
    const double* const inverse = factors.inverse_pivots;
    const std::size_t stride = factors.stride;
    for (std::size_t i = factors.rows; i > 0;) {
      i -= block;
      const double* f = factors.entries + i * stride;
      Tile sum;
      if constexpr (Scaled) {
        sum.clear();
      } else {
        sum.load(x + i * lanes);
      }
      subtract_all(sum, f, {stride, 1}, x, i + block, factors.rows);
      each<block>([&](auto back) {
        constexpr std::size_t r = block - 1 - back;
        sum.template scale_row<r>(inverse[i + r]);
        if constexpr (Scaled) {
          sum.template add_row<r>(x + (i + r) * lanes);
        }
        sum.template store_row<r>(x + (i + r) * lanes);
        each<r>([&](auto s) { sum.template subtract_row<s, r>(f[s * stride + i + r]); });
      });
    }
  }
};

} // namespace isthmus::radial
