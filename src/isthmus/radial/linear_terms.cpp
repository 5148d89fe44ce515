// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/linear_terms.hpp"

#include "isthmus/comm/collective.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>

namespace isthmus::radial {

namespace {

using geometry::Point;
using Matrix = Eigen::MatrixXd;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const Rows> rows_of(std::span<const double> values, std::size_t width) {
  return {values.data(), static_cast<Eigen::Index>(width == 0 ? 0 : values.size() / width),
          static_cast<Eigen::Index>(width)};
}

Eigen::Map<const Eigen::VectorXd> vector_of(std::span<const double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
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
  std::array<double, 6> ends{box.lo[0], box.lo[1], box.lo[2], -box.hi[0], -box.hi[1], -box.hi[2]};
  comm::allreduce(comm, std::span<double>(ends), comm::Op::min);
  comm::allreduce(comm, std::span<double>(sums), comm::Op::sum);
  LinearFrame frame;
  double longest = 0;
  for (std::size_t k = 0; k < 3 && sums[3] > 0; ++k) {
    frame.origin[k] = sums[k] / sums[3];
    longest = std::max(longest, -ends[3 + k] - ends[k]);
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
  const auto terms = rows_of(at_centers_, size_);
  Matrix gram = terms.transpose() * terms;
  comm::allreduce(comm, std::span(gram.data(), size_ * size_), comm::Op::sum);
  const Eigen::SelfAdjointEigenSolver<Matrix> modes(gram);
  Eigen::VectorXd inverse = modes.eigenvalues();
  const double smallest = flatness * flatness * inverse.maxCoeff();
  for (double& value : inverse) {
    rank_ += value > smallest ? 1 : 0;
    value = value > smallest ? 1.0 / value : 0.0;
  }
  const Matrix pseudoinverse =
      modes.eigenvectors() * inverse.asDiagonal() * modes.eigenvectors().transpose();
  fits_.resize(at_centers_.size());
  Eigen::Map<Rows>(fits_.data(), terms.rows(), terms.cols()) = terms * pseudoinverse;
}

std::vector<double> LinearTerms::fit(int components, std::span<const double> values) const {
  const auto width = static_cast<std::size_t>(components);
  std::vector<double> result(size_ * width, 0.0);
  if (size_ > 0) {
    Eigen::Map<Matrix>(result.data(), static_cast<Eigen::Index>(size_), components) =
        rows_of(fits_, size_).transpose() * rows_of(values, width);
    comm::allreduce(*comm_, std::span(result), comm::Op::sum);
  }
  return result;
}

void LinearTerms::add_at_centers(double factor, std::span<const double> fit,
                                 std::span<double> values) const {
  if (size_ > 0) {
    Eigen::Map<Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size())) +=
        factor * (rows_of(at_centers_, size_) * vector_of(fit));
  }
}

void LinearTerms::add_at_points(std::span<const double> fit, std::span<double> values) const {
  if (size_ > 0) {
    Eigen::Map<Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size())) +=
        rows_of(at_points_, size_) * vector_of(fit);
  }
}

void LinearTerms::correct(std::span<const double> given, std::span<double> at_centers) const {
  if (size_ == 0) {
    return;
  }
  std::vector<double> sums(size_);
  Eigen::Map<Eigen::VectorXd>(sums.data(), static_cast<Eigen::Index>(size_)) =
      rows_of(at_points_, size_).transpose() * vector_of(given) -
      rows_of(at_centers_, size_).transpose() * vector_of(at_centers);
  comm::allreduce(*comm_, std::span(sums), comm::Op::sum);
  Eigen::Map<Eigen::VectorXd>(at_centers.data(), static_cast<Eigen::Index>(at_centers.size())) +=
      rows_of(fits_, size_) * vector_of(sums);
}

} // namespace isthmus::radial
