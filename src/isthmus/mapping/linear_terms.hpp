// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"
#include "isthmus/mapping/radial_basis.hpp"

#include <span>
#include <vector>

namespace isthmus::comm {
class Comm;
}

namespace isthmus::mapping {

/// The linear polynomial beside radial functions, fitted by least squares to values at centers that
/// are spread over ranks. It has no slope in directions in which they are flat. Without terms where
/// the polynomial is off.
class LinearTerms {
 public:
  /// Collective. Centers and points of this rank.
  LinearTerms(const comm::Comm& comm, const RadialBasisSettings& settings,
              std::span<const geometry::Point> centers, std::span<const geometry::Point> points);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Collective. The coefficients for each component of interleaved values at the centers.
  [[nodiscard]] std::vector<double> fit(int components, std::span<const double> values) const;
  void add_at_centers(double factor, std::span<const double> fit, std::span<double> values) const;
  void add_at_points(std::span<const double> fit, std::span<double> values) const;
  /// Collective. The transposed of fitting before and adding after: `at_centers` has what radial
  /// functions made of the values given at the points.
  void correct(std::span<const double> given, std::span<double> at_centers) const;

 private:
  const comm::Comm* comm_;
  std::size_t size_ = 0;
  std::vector<double> at_centers_; // terms, a row for each center
  std::vector<double> at_points_;
  std::vector<double> fits_; // coefficients of a center's value, a row for each center
};

} // namespace isthmus::mapping
