// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/radial/kernels/small_factors.hpp"

#include <cstddef>

namespace isthmus::radial {

/// What a cluster does for the points of as many lanes, but for its equations, in vectors of
/// `Width` numbers. A `Tag` of its own keeps code apart that is compiled for other instructions.
template <typename Tag, std::size_t Width>
class ClusterRows {
  using Vector = typename VectorOf<Width>::Type;

 public:
  static void distances2(const CenterCoordinates& centers, const double* point, std::size_t count,
                         double* to) {
    for (std::size_t j = 0; j < count; ++j) {
      const double dx = centers.x[j] - point[0];
      const double dy = centers.y[j] - point[1];
      const double dz = centers.z[j] - point[2];
      to[j] = dx * dx + dy * dy + dz * dz;
    }
  }

  static void distances2_of_lanes(const CenterCoordinates& centers, const double* points,
                                  std::size_t count, double* to) {
    for (std::size_t lane = 0; lane < lanes; lane += Width) {
      const Vector x = at(points + lane);
      const Vector y = at(points + lanes + lane);
      const Vector z = at(points + 2 * lanes + lane);
      for (std::size_t j = 0; j < count; ++j) {
        const Vector dx = centers.x[j] - x;
        const Vector dy = centers.y[j] - y;
        const Vector dz = centers.z[j] - z;
        at(to + j * lanes + lane) = dx * dx + dy * dy + dz * dz;
      }
    }
  }

  static void correct(const TermRows& terms, const double* wanted, double* weights) {
    switch (terms.num_terms) {
      case 0:
        return;
      case 1:
        return correct_all<1>(terms, wanted, weights);
      case 2:
        return correct_all<2>(terms, wanted, weights);
      case 3:
        return correct_all<3>(terms, wanted, weights);
      default:
        return correct_all<4>(terms, wanted, weights);
    }
  }

  static void spread(const double* weights, std::size_t size, const double* factors,
                     std::size_t count, double* rows) {
    std::size_t lane = 0;
    for (; lane + square <= count; lane += square) {
      std::size_t j = 0;
      for (; j + square <= size; j += square) {
        spread_square(weights + j * lanes + lane, factors + lane, rows + lane * size + j, size);
      }
      for (; j < size; ++j) {
        for (std::size_t l = lane; l < lane + square; ++l) {
          rows[l * size + j] = factors[l] * weights[j * lanes + l];
        }
      }
    }
    for (; lane < count; ++lane) {
      for (std::size_t j = 0; j < size; ++j) {
        rows[lane * size + j] = factors[lane] * weights[j * lanes + lane];
      }
    }
  }

 private:
  static constexpr std::size_t square = Width < 4 ? Width : 4; // of numbers that are transposed
  using Side = typename VectorOf<square>::Type;

  static Vector& at(double* numbers) { return *reinterpret_cast<Vector*>(numbers); }
  static const Vector& at(const double* numbers) {
    return *reinterpret_cast<const Vector*>(numbers);
  }

  template <std::size_t Terms>
  static void correct_all(const TermRows& terms, const double* wanted, double* weights) {
    constexpr std::size_t stride = TermRows::most_terms;
    for (std::size_t lane = 0; lane < lanes; lane += Width) {
      Vector missing[Terms];
      for (std::size_t t = 0; t < Terms; ++t) {
        missing[t] = at(wanted + t * lanes + lane);
      }
      for (std::size_t j = 0; j < terms.size; ++j) {
        const Vector weight = at(weights + j * lanes + lane);
        for (std::size_t t = 0; t < Terms; ++t) {
          missing[t] -= terms.values[j * stride + t] * weight;
        }
      }
      for (std::size_t j = 0; j < terms.size; ++j) {
        Vector& weight = at(weights + j * lanes + lane);
        for (std::size_t t = 0; t < Terms; ++t) {
          weight += terms.fits[j * stride + t] * missing[t];
        }
      }
    }
  }

  static const Side& side(const double* numbers) { return *reinterpret_cast<const Side*>(numbers); }
  static void put(const Side& numbers, double factor, double* to) {
    *reinterpret_cast<Side*>(to) = factor * numbers;
  }

  /// Rows of weights become columns.
  static void spread_square(const double* weights, const double* factors, double* to,
                            std::size_t stride) {
    const Side a = side(weights);
    const Side b = side(weights + lanes);
    if constexpr (square == 2) {
      put(__builtin_shufflevector(a, b, 0, 2), factors[0], to);
      put(__builtin_shufflevector(a, b, 1, 3), factors[1], to + stride);
    } else {
      const Side c = side(weights + 2 * lanes);
      const Side d = side(weights + 3 * lanes);
      const Side even_low = __builtin_shufflevector(a, b, 0, 4, 2, 6);
      const Side odd_low = __builtin_shufflevector(a, b, 1, 5, 3, 7);
      const Side even_high = __builtin_shufflevector(c, d, 0, 4, 2, 6);
      const Side odd_high = __builtin_shufflevector(c, d, 1, 5, 3, 7);
      put(__builtin_shufflevector(even_low, even_high, 0, 1, 4, 5), factors[0], to);
      put(__builtin_shufflevector(odd_low, odd_high, 0, 1, 4, 5), factors[1], to + stride);
      put(__builtin_shufflevector(even_low, even_high, 2, 3, 6, 7), factors[2], to + 2 * stride);
      put(__builtin_shufflevector(odd_low, odd_high, 2, 3, 6, 7), factors[3], to + 3 * stride);
    }
  }
};

} // namespace isthmus::radial
