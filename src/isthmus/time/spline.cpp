// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/time/spline.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::time {

namespace {

std::vector<double> averaged_knots(std::span<const double> u, std::size_t degree) {
  std::vector<double> knots(u.size() + degree + 1, u.front());
  for (std::size_t j = 1; j + degree < u.size(); ++j) {
    double sum = 0;
    for (std::size_t i = j; i < j + degree; ++i) {
      sum += u[i];
    }
    knots[j + degree] = sum / static_cast<double>(degree);
  }
  std::fill(knots.end() - static_cast<std::ptrdiff_t>(degree) - 1, knots.end(), u.back());
  return knots;
}

/// The last inner knot that is not later than x, or the ones at the start.
std::size_t span_of(const std::vector<double>& knots, std::size_t degree, double x) {
  const auto first = knots.begin() + static_cast<std::ptrdiff_t>(degree) + 1;
  const auto last = knots.end() - static_cast<std::ptrdiff_t>(degree) - 1;
  return static_cast<std::size_t>(std::upper_bound(first, last, x) - knots.begin()) - 1;
}

/// The functions span - `degree` to span at x, which are all that are not zero there, by the
/// recursion of Cox and de Boor.
void basis(const std::vector<double>& knots, std::size_t span, double x,
           std::vector<double>& values) {
  std::fill(values.begin(), values.end(), 0.0);
  values[0] = 1;
  for (std::size_t p = 1; p < values.size(); ++p) {
    double from_left = 0; // what the function before gives to the next one
    for (std::size_t r = 0; r < p; ++r) {
      const double left = knots[span + 1 + r - p];
      const double right = knots[span + 1 + r];
      const double part = values[r] / (right - left);
      values[r] = from_left + (right - x) * part;
      from_left = (x - left) * part;
    }
    values[p] = from_left;
  }
}

/// A square matrix with `width` entries on either side of the diagonal.
class Band {
 public:
  Band(std::size_t size, std::size_t width)
      : size_(size), width_(width), entries_(size * (2 * width + 1)) {}

  double& operator()(std::size_t row, std::size_t column) {
    return entries_[row * (2 * width_ + 1) + column + width_ - row];
  }
  /// Solves A x = b in place, without pivoting: for matrices that are totally positive.
  void solve(std::vector<double>& b) {
    for (std::size_t k = 0; k < size_; ++k) {
      const std::size_t end = std::min(size_, k + width_ + 1);
      for (std::size_t i = k + 1; i < end; ++i) {
        const double factor = (*this)(i, k) / (*this)(k, k);
        for (std::size_t j = k + 1; j < end; ++j) {
          (*this)(i, j) -= factor * (*this)(k, j);
        }
        b[i] -= factor * b[k];
      }
    }
    for (std::size_t k = size_; k-- > 0;) {
      for (std::size_t j = k + 1; j < std::min(size_, k + width_ + 1); ++j) {
        b[k] -= (*this)(k, j) * b[j];
      }
      b[k] /= (*this)(k, k);
    }
  }

 private:
  std::size_t size_;
  std::size_t width_;
  std::vector<double> entries_;
};

} // namespace

/// The matrix B of the basis functions at the samples is totally positive, and banded since the
/// function of each sample is not zero there (de Boor and Pinkus, doi:10.1007/BF01399417).
std::vector<double> spline_weights(std::span<const double> times, double time, int degree) {
  const std::size_t n = times.size();
  const auto p = static_cast<std::size_t>(degree);
  const double begin = times.front();
  const double length = times.back() - begin;
  std::vector<double> u(n);
  std::transform(times.begin(), times.end(), u.begin(),
                 [begin, length](double t) { return (t - begin) / length; });
  const std::vector<double> knots = averaged_knots(u, p);
  // value = b(t)^T B^-1 y, hence weights w solve B^T w = b(t)
  Band transposed(n, p);
  std::vector<double> values(p + 1);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t span = std::clamp(span_of(knots, p, u[i]), i, std::min(i + p, n - 1));
    basis(knots, span, u[i], values);
    for (std::size_t k = 0; k <= p; ++k) {
      transposed(span - p + k, i) = values[k];
    }
  }
  const double x = (time - begin) / length;
  const std::size_t span = span_of(knots, p, x);
  basis(knots, span, x, values);
  std::vector<double> weights(n, 0.0);
  std::copy(values.begin(), values.end(), weights.begin() + static_cast<std::ptrdiff_t>(span - p));
  transposed.solve(weights);
  return weights;
}

} // namespace isthmus::time
