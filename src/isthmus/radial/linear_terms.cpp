// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/linear_terms.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/la/dense.hpp"

#include <algorithm>
#include <functional>

namespace isthmus::radial {

namespace {

using geometry::Point;

/// Adds the transposed of a, of `width` columns, times b, of `others`: both by rows.
void add_product(std::span<const double> a, std::size_t width, std::span<const double> b,
                 std::size_t others, std::span<double> sums) {
  for (std::size_t i = 0; i * width < a.size(); ++i) {
    for (std::size_t j = 0; j < others; ++j) {
      for (std::size_t k = 0; k < width; ++k) {
        sums[j * width + k] += a[i * width + k] * b[i * others + j];
      }
    }
  }
}

/// Adds to each value a row of terms times the fit.
void add_terms(double factor, std::span<const double> terms, std::span<const double> fit,
               std::span<double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < fit.size(); ++k) {
      sum += terms[i * fit.size() + k] * fit[k];
    }
    values[i] += factor * sum;
  }
}

} // namespace

LinearFrame joint_frame(const comm::Comm& comm, std::span<const Point> points) {
  geometry::Box box;
  std::array<double, 4> sums{0, 0, 0, static_cast<double>(points.size())};
  for (const Point& point : points) {
    box.expand(point);
    for (std::size_t k = 0; k < 3; ++k) {
      sums[k] += point[k];
    }
  }
  comm::allreduce_bounds(comm, box.lo, box.hi);
  comm::allreduce(comm, std::span<double>(sums), comm::Op::sum);
  LinearFrame frame;
  double longest = 0;
  for (std::size_t k = 0; k < 3 && sums[3] > 0; ++k) {
    frame.origin[k] = sums[k] / sums[3];
    longest = std::max(longest, box.hi[k] - box.lo[k]);
  }
  frame.scale = longest > 0 ? 1.0 / longest : 1.0;
  return frame;
}

std::size_t num_linear_terms(const std::array<bool, 3>& dead) {
  return 1 + static_cast<std::size_t>(std::count(dead.begin(), dead.end(), false));
}

std::vector<double> linear_terms(std::span<const Point> points, const LinearFrame& frame,
                                 const std::array<bool, 3>& dead) {
  std::vector<double> terms;
  for (const Point& point : points) {
    terms.push_back(1.0);
    for (std::size_t k = 0; k < 3; ++k) {
      if (!dead[k]) {
        terms.push_back(frame.scale * (point[k] - frame.origin[k]));
      }
    }
  }
  return terms;
}

LinearTerms::LinearTerms(const comm::Comm& comm, const RadialBasisSettings& settings,
                         std::span<const Point> centers, std::span<const Point> points)
    : comm_(&comm) {
  if (settings.polynomial != Polynomial::separate) {
    return;
  }
  const LinearFrame frame = joint_frame(comm, centers);
  size_ = num_linear_terms(settings.dead);
  at_centers_ = linear_terms(centers, frame, settings.dead);
  at_points_ = linear_terms(points, frame, settings.dead);
  std::vector<double> gram(size_ * size_, 0.0);
  add_product(at_centers_, size_, at_centers_, size_, gram);
  comm::allreduce(comm, std::span(gram), comm::Op::sum);
  const la::Modes modes = la::symmetric_modes(gram, size_);
  const double smallest = flatness * flatness * modes.values.back();
  fits_.assign(at_centers_.size(), 0.0);
  for (std::size_t m = 0; m < size_; ++m) {
    if (modes.values[m] > smallest) {
      ++rank_;
      add_mode({modes.vectors.data() + m * size_, size_}, modes.values[m]);
    }
  }
}

/// Adds to the fits the part along an eigenvector of the terms' Gram matrix.
void LinearTerms::add_mode(std::span<const double> vector, double value) {
  for (std::size_t i = 0; i < fits_.size(); i += size_) {
    double along = 0;
    for (std::size_t k = 0; k < size_; ++k) {
      along += at_centers_[i + k] * vector[k];
    }
    for (std::size_t k = 0; k < size_; ++k) {
      fits_[i + k] += along / value * vector[k];
    }
  }
}

std::vector<double> LinearTerms::fit(int components, std::span<const double> values) const {
  const auto width = static_cast<std::size_t>(components);
  std::vector<double> result(size_ * width, 0.0);
  if (size_ > 0) {
    add_product(fits_, size_, values, width, result);
    comm::allreduce(*comm_, std::span(result), comm::Op::sum);
  }
  return result;
}

void LinearTerms::add_at_centers(double factor, std::span<const double> fit,
                                 std::span<double> values) const {
  if (size_ > 0) {
    add_terms(factor, at_centers_, fit, values);
  }
}

void LinearTerms::add_at_points(std::span<const double> fit, std::span<double> values) const {
  if (size_ > 0) {
    add_terms(1, at_points_, fit, values);
  }
}

void LinearTerms::correct(std::span<const double> given, std::span<double> at_centers) const {
  if (size_ == 0) {
    return;
  }
  std::vector<double> sums(size_, 0.0);
  std::vector<double> made(size_, 0.0);
  add_product(at_points_, size_, given, 1, sums);
  add_product(at_centers_, size_, at_centers, 1, made);
  std::transform(sums.begin(), sums.end(), made.begin(), sums.begin(), std::minus());
  comm::allreduce(*comm_, std::span(sums), comm::Op::sum);
  add_terms(1, fits_, sums, at_centers);
}

} // namespace isthmus::radial
