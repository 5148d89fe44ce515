// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/radial_interpolant.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/la/dense.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/radial/linear_terms.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace isthmus::radial {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using geometry::Point;

} // namespace

struct RadialInterpolant::System {
  const RadialBasisSettings& settings;
  std::span<const Point> centers;
  LinearFrame frame;   // of the polynomial
  MatrixXd polynomial; // its terms (columns) at the centers
  MatrixXd fit;        // pseudoinverse of that, for a separate polynomial
  Eigen::LLT<MatrixXd> cholesky;
  Eigen::PartialPivLU<MatrixXd> lu;

  System(const RadialBasisSettings& s, std::span<const Point> c) : settings(s), centers(c) {}

  [[nodiscard]] Index size() const { return static_cast<Index>(centers.size()); }
  [[nodiscard]] Index num_terms() const {
    return settings.polynomial == Polynomial::off
               ? 0
               : 1 + std::count(settings.dead.begin(), settings.dead.end(), false);
  }
  [[nodiscard]] bool definite() const {
    return settings.function.positive_definite() && settings.polynomial != Polynomial::on;
  }

  /// The terms of the polynomial at points, a row for each.
  [[nodiscard]] MatrixXd terms(std::span<const Point> points) const {
    MatrixXd result(static_cast<Index>(points.size()), num_terms());
    for (Index i = 0; i < result.rows() && result.cols() > 0; ++i) {
      const Point& x = points[static_cast<std::size_t>(i)];
      Index column = 0;
      result(i, column++) = 1.0;
      for (std::size_t k = 0; k < 3; ++k) {
        if (!settings.dead[k]) {
          result(i, column++) = frame.scale * (x[k] - frame.origin[k]);
        }
      }
    }
    return result;
  }

  [[nodiscard]] double between(const Point& a, const Point& b) const {
    return settings.function(mapping::distance(a, b));
  }

  [[nodiscard]] MatrixXd matrix() const {
    const Index extra = settings.polynomial == Polynomial::on ? num_terms() : 0;
    MatrixXd result = MatrixXd::Zero(size() + extra, size() + extra);
    for (Index j = 0; j < size(); ++j) {
      for (Index i = j; i < size(); ++i) {
        result(i, j) =
            between(centers[static_cast<std::size_t>(i)], centers[static_cast<std::size_t>(j)]);
        result(j, i) = result(i, j);
      }
    }
    if (extra > 0) {
      result.topRightCorner(size(), extra) = polynomial;
      result.bottomLeftCorner(extra, size()) = polynomial.transpose();
    }
    return result;
  }

  void factor_polynomial() {
    polynomial = terms(centers);
    if (num_terms() == 0) {
      return;
    }
    const la::PseudoInverse found =
        la::pseudo_inverse({polynomial.data(), static_cast<std::size_t>(polynomial.size())},
                           centers.size(), static_cast<std::size_t>(num_terms()), flatness);
    if (settings.polynomial == Polynomial::separate) {
      fit = Eigen::Map<const MatrixXd>(found.inverse.data(), num_terms(), size());
    } else {
      check(found.rank == static_cast<std::size_t>(num_terms()),
            "{}: the {} vertices do not determine a linear polynomial, because they are too few or "
            "lie in a plane or on a line; set x-dead, y-dead or z-dead=\"true\" for the axis along "
            "which they do not differ, or use polynomial=\"separate\"",
            settings.place, size());
    }
  }

  void factor() {
    frame = joint_frame({}, centers);
    factor_polynomial();
    if (definite()) {
      cholesky.compute(matrix());
      check_definite(settings, cholesky.info() == Eigen::Success, centers.size());
    } else {
      lu.compute(matrix());
      const double smallest = lu.matrixLU().diagonal().cwiseAbs().minCoeff();
      check_regular(settings, smallest > 0 && std::isfinite(smallest), centers.size());
    }
  }

  [[nodiscard]] MatrixXd solve(const MatrixXd& right) const {
    if (definite()) {
      return cholesky.solve(right);
    }
    return lu.solve(right);
  }
};

void check_definite(const RadialBasisSettings& settings, bool is_definite, std::size_t size) {
  check(is_definite,
        "{}: the matrix of {} vertices is not positive definite to working accuracy; choose a "
        "smaller support-radius (or a larger shape-parameter), a function of less smoothness, or "
        "remove vertices that almost coincide",
        settings.place, size);
}

void check_regular(const RadialBasisSettings& settings, bool is_regular, std::size_t size) {
  check(is_regular,
        "{}: the matrix of {} vertices is singular; remove vertices that almost coincide, or use a "
        "compact-polynomial basis function",
        settings.place, size);
}

RadialInterpolant::RadialInterpolant(const RadialBasisSettings& settings,
                                     std::span<const Point> centers)
    : system_(std::make_unique<System>(settings, centers)) {
  system_->factor();
}

RadialInterpolant::RadialInterpolant(RadialInterpolant&&) noexcept = default;
RadialInterpolant::~RadialInterpolant() = default;

std::vector<double> RadialInterpolant::weights(std::span<const Point> points) const {
  const System& system = *system_;
  const Index n = system.size();
  const auto count = static_cast<Index>(points.size());
  const MatrixXd terms = system.terms(points).transpose();
  const bool on = system.settings.polynomial == Polynomial::on;
  MatrixXd right(n + (on ? terms.rows() : 0), count);
  for (Index j = 0; j < count; ++j) {
    for (Index i = 0; i < n; ++i) {
      right(i, j) = system.between(system.centers[static_cast<std::size_t>(i)],
                                   points[static_cast<std::size_t>(j)]);
    }
  }
  if (on) {
    right.bottomRows(terms.rows()) = terms;
  }
  std::vector<double> result(points.size() * system.centers.size());
  Eigen::Map<MatrixXd> rows(result.data(), n, count);
  rows = system.solve(right).topRows(n);
  if (system.settings.polynomial == Polynomial::separate) {
    for (Index j = 0; j < count && system.settings.rescaled; ++j) {
      const double unity = rows.col(j).sum();
      rows.col(j) /= unity != 0 ? unity : 1.0; // 0 where no function reaches
    }
    rows += system.fit.transpose() * (terms - system.polynomial.transpose() * rows);
  }
  return result;
}

} // namespace isthmus::radial
