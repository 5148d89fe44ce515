// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"
#include "isthmus/radial/radial_basis.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::comm {
class Comm;
}

namespace isthmus::radial {

/// Directions in which points extend less than this part of their largest extent have no slope.
constexpr double flatness = 1e-6;

/// Where the coordinates of linear terms begin, and their unit.
struct LinearFrame {
  geometry::Point origin{};
  double scale = 1; ///< 1 / length
};

/// Collective. For the points of all ranks: it begins in their mean, so that the constant does not
/// mix with a direction in which they are flat, and counts in lengths of the box around them.
[[nodiscard]] LinearFrame joint_frame(const comm::Comm& comm,
                                      std::span<const geometry::Point> points);

/// 1 and the coordinates along axes that are not dead.
[[nodiscard]] std::size_t num_linear_terms(const std::array<bool, 3>& dead);

/// At each point the values of the terms.
[[nodiscard]] std::vector<double> linear_terms(std::span<const geometry::Point> points,
                                               const LinearFrame& frame,
                                               const std::array<bool, 3>& dead);

/// The linear polynomial beside radial functions, fitted by least squares to values at centers that
/// are spread over ranks. It has no slope in directions in which they are flat. Without terms
/// unless the polynomial is separate.
class LinearTerms {
 public:
  /// Collective. Centers and points of this rank.
  LinearTerms(const comm::Comm& comm, const RadialBasisSettings& settings,
              std::span<const geometry::Point> centers, std::span<const geometry::Point> points);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// How many of them the centers distinguish.
  [[nodiscard]] std::size_t rank() const { return rank_; }
  /// Collective. The coefficients for each component of interleaved values at the centers.
  [[nodiscard]] std::vector<double> fit(int components, std::span<const double> values) const;
  void add_at_centers(double factor, std::span<const double> fit, std::span<double> values) const;
  void add_at_points(std::span<const double> fit, std::span<double> values) const;
  /// Collective. The transposed of fitting before and adding after: `at_centers` has what radial
  /// functions made of the values given at the points.
  void correct(std::span<const double> given, std::span<double> at_centers) const;

 private:
  void add_mode(std::span<const double> vector, double value);

  const comm::Comm* comm_;
  std::size_t size_ = 0;
  std::size_t rank_ = 0;
  std::vector<double> at_centers_; // terms, a row for each center
  std::vector<double> at_points_;
  std::vector<double> fits_; // coefficients of a center's value, a row for each center
};

} // namespace isthmus::radial
