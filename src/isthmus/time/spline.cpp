// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/time/spline.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isthmus::time {

namespace {

std::vector<double> averaged_knots(std::span<const double> u, int degree) {
  const int n = static_cast<int>(u.size());
  std::vector<double> knots(u.size() + static_cast<std::size_t>(degree) + 1, u.front());
  for (int j = 1; j < n - degree; ++j) {
    double sum = 0;
    for (int i = j; i < j + degree; ++i) {
      sum += u[static_cast<std::size_t>(i)];
    }
    knots[static_cast<std::size_t>(j + degree)] = sum / degree;
  }
  std::fill(knots.end() - degree - 1, knots.end(), u.back());
  return knots;
}

/// All basis functions at x by the recursion of Cox and de Boor.
std::vector<double> basis(const std::vector<double>& knots, std::size_t count, int degree,
                          double x) {
  std::vector<double> b(knots.size() - 1, 0.0);
  std::size_t span = static_cast<std::size_t>(degree);
  while (span + 1 < count && x >= knots[span + 1]) {
    ++span;
  }
  b[span] = 1;
  for (int p = 1; p <= degree; ++p) {
    for (std::size_t i = 0; i + static_cast<std::size_t>(p) + 1 < knots.size(); ++i) {
      const std::size_t q = i + static_cast<std::size_t>(p);
      const double left = knots[q] - knots[i];
      const double right = knots[q + 1] - knots[i + 1];
      b[i] = (left > 0 ? (x - knots[i]) / left * b[i] : 0.0) +
             (right > 0 ? (knots[q + 1] - x) / right * b[i + 1] : 0.0);
    }
  }
  b.resize(count);
  return b;
}

/// Solves A x = b in place with partial pivoting; A row by row.
void solve(std::vector<double>& a, std::vector<double>& b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      pivot = std::abs(a[i * n + k]) > std::abs(a[pivot * n + k]) ? i : pivot;
    }
    for (std::size_t j = 0; j < n; ++j) {
      std::swap(a[k * n + j], a[pivot * n + j]);
    }
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] / a[k * n + k];
      for (std::size_t j = k; factor != 0 && j < n; ++j) {
        a[i * n + j] -= factor * a[k * n + j];
      }
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) {
      b[k] -= a[k * n + j] * b[j];
    }
    b[k] /= a[k * n + k];
  }
}

} // namespace

std::vector<double> spline_weights(std::span<const double> times, double time, int degree) {
  const std::size_t n = times.size();
  const double begin = times.front();
  const double length = times.back() - begin;
  std::vector<double> u(n);
  std::transform(times.begin(), times.end(), u.begin(),
                 [begin, length](double t) { return (t - begin) / length; });
  const std::vector<double> knots = averaged_knots(u, degree);
  // value = b(t)^T B^-1 y, hence weights w solve B^T w = b(t)
  std::vector<double> transposed(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<double> row = basis(knots, n, degree, u[i]);
    for (std::size_t j = 0; j < n; ++j) {
      transposed[j * n + i] = row[j];
    }
  }
  std::vector<double> weights = basis(knots, n, degree, (time - begin) / length);
  solve(transposed, weights);
  return weights;
}

} // namespace isthmus::time
