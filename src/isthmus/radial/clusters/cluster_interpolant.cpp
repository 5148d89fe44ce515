// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/clusters/cluster_interpolant.hpp"

#include "isthmus/radial/linear_terms.hpp"
#include "isthmus/radial/radial_interpolant.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>

namespace isthmus::radial {

namespace {

using geometry::Point;

} // namespace

void ClusterInterpolant::factor(std::span<const Point> centers) {
  matrix_.resize(centers.size());
  for (std::size_t k = 0; k < 3; ++k) {
    coordinates_[k].assign(matrix_.stride(), 0.0);
    for (std::size_t i = 0; i < centers.size(); ++i) {
      coordinates_[k][i] = centers[i][k];
    }
  }
  solution_.assign(matrix_.num_rows(), LaneRow{});
  fill_matrix();
  if (settings_.function.positive_definite()) {
    check_definite(settings_, matrix_.factor_definite(), centers.size());
  } else {
    check_regular(settings_, matrix_.factor_any(), centers.size());
  }
  num_terms_ = 0;
  if (settings_.polynomial != Polynomial::off) {
    choose_terms(centers);
    fit_terms();
  }
}

void ClusterInterpolant::fill_matrix() {
  for (std::size_t i = 0; i < matrix_.size(); ++i) {
    const std::size_t first = i / lanes * lanes;
    double* row = matrix_.row(i);
    const double center[] = {coordinates_[0][i], coordinates_[1][i], coordinates_[2][i]};
    const std::size_t count = matrix_.stride() - first;
    kernels_.distances2({&coordinates_[0][first], &coordinates_[1][first], &coordinates_[2][first]},
                        center, count, row + first);
    kernels_.apply(settings_.function.kind, settings_.function.parameter, row + first, count);
  }
}

/// 1 and the distances from the middle along the axes in which the centers spread.
void ClusterInterpolant::choose_terms(std::span<const Point> centers) {
  const auto size = static_cast<double>(centers.size());
  for (std::size_t k = 0; k < 3; ++k) {
    origin_[k] = 0;
    for (const Point& center : centers) {
      origin_[k] += center[k] / size;
    }
  }
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Point& center : centers) {
    const Eigen::Vector3d from_origin(center[0] - origin_[0], center[1] - origin_[1],
                                      center[2] - origin_[2]);
    spread += from_origin * from_origin.transpose() / size;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> modes(spread);
  const double widest = modes.eigenvalues()[2];
  num_axes_ =
      static_cast<std::size_t>(std::count(settings_.dead.begin(), settings_.dead.end(), false));
  num_terms_ = 1;
  for (Eigen::Index mode = 2; mode >= 0; --mode) {
    const double extent2 = modes.eigenvalues()[mode];
    if (extent2 > flatness * flatness * widest) {
      for (Eigen::Index k = 0; k < 3; ++k) {
        axes_[num_terms_ - 1][static_cast<std::size_t>(k)] =
            modes.eigenvectors()(k, mode) / std::sqrt(extent2);
      }
      ++num_terms_;
    }
  }
  terms_.assign(centers.size() * most_terms, 0.0);
  for (std::size_t i = 0; i < centers.size(); ++i) {
    terms_[i * most_terms] = 1.0;
    for (std::size_t t = 1; t < num_terms_; ++t) {
      for (std::size_t k = 0; k < 3; ++k) {
        terms_[i * most_terms + t] += axes_[t - 1][k] * (centers[i][k] - origin_[k]);
      }
    }
  }
}

/// fits = Y (P^T Y)^-1 with the terms P and Y = P or A^-1 P, A being the matrix.
void ClusterInterpolant::fit_terms() {
  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, most_terms,
                              most_terms>;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, most_terms, Eigen::RowMajor>;
  const auto size = static_cast<Eigen::Index>(matrix_.size());
  const auto count = static_cast<Eigen::Index>(num_terms_);
  const Eigen::Map<const Rows> terms(terms_.data(), size, most_terms);
  fits_.resize(terms_.size());
  Eigen::Map<Rows> fits(fits_.data(), size, most_terms);
  fits = terms;
  if (fit_ == LinearFit::in_norm) {
    using Solution = Eigen::Matrix<double, Eigen::Dynamic, lanes, Eigen::RowMajor>;
    Eigen::Map<Solution> solution(solution_.data()->of,
                                  static_cast<Eigen::Index>(matrix_.num_rows()), lanes);
    solution.setZero();
    solution.topLeftCorner(size, most_terms) = terms;
    matrix_.solve(solution_.data());
    fits = solution.topLeftCorner(size, most_terms);
  }
  const Small gram = terms.leftCols(count).transpose() * fits.leftCols(count);
  fits.leftCols(count) *= gram.partialPivLu().inverse();
}

void ClusterInterpolant::weights(std::span<const Point> points, std::span<const double> factors,
                                 std::span<double> rows) {
  const std::size_t size = matrix_.size();
  for (std::size_t first = 0; first < points.size(); first += lanes) {
    const std::size_t count = std::min(lanes, points.size() - first);
    find_weights(points.subspan(first, count));
    kernels_.spread(solution_.data()->of, size, factors.data() + first, count,
                    rows.data() + first * size);
  }
}

/// Of as many points as there are lanes, or fewer.
void ClusterInterpolant::find_weights(std::span<const Point> points) {
  LaneRow coordinates[3];
  LaneRow wanted[most_terms] = {};
  for (std::size_t i = 0; i < lanes; ++i) {
    const Point& point = points[std::min(i, points.size() - 1)];
    for (std::size_t k = 0; k < 3; ++k) {
      coordinates[k].of[i] = point[k];
    }
    wanted[0].of[i] = 1.0;
    for (std::size_t t = 1; t < num_terms_; ++t) {
      for (std::size_t k = 0; k < 3; ++k) {
        wanted[t].of[i] += axes_[t - 1][k] * (point[k] - origin_[k]);
      }
    }
  }
  const std::size_t size = matrix_.size();
  double* const weights = solution_.data()->of;
  kernels_.distances2_of_lanes(
      {coordinates_[0].data(), coordinates_[1].data(), coordinates_[2].data()}, coordinates->of,
      size, weights);
  kernels_.apply(settings_.function.kind, settings_.function.parameter, weights, size * lanes);
  std::fill(solution_.begin() + static_cast<std::ptrdiff_t>(size), solution_.end(), LaneRow{});
  matrix_.solve(solution_.data());
  kernels_.correct({num_terms_, terms_.data(), fits_.data(), size}, wanted->of, weights);
}

} // namespace isthmus::radial
