// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"
#include "isthmus/radial/radial_basis.hpp"
#include "isthmus/radial/small_matrix.hpp"

#include <array>
#include <span>
#include <vector>

namespace isthmus::radial {

/// How the linear polynomial beside the radial functions is fitted: by least squares; or in the
/// norm of their matrix, as if it were part of one system with them. On a curved patch the former
/// takes what the values curve along it for a slope across, the latter does not.
enum class LinearFit { plain, in_norm };

/// What RadialInterpolant is for many vertices, for some tens of them, again and again: weights of
/// eight points at once, with memory that is used again.
class ClusterInterpolant {
 public:
  ClusterInterpolant(const RadialBasisSettings& settings, LinearFit fit)
      : settings_(settings), fit_(fit) {}

  /// Goes on with these centers. Throws if the matrix is singular.
  void factor(std::span<const geometry::Point> centers);

  /// Rows of weights, one for each center, of points, times their factors.
  void weights(std::span<const geometry::Point> points, std::span<const double> factors,
               std::span<double> rows);

  /// Whether the centers lie in a plane or on a line, so that the polynomial has no slope across.
  [[nodiscard]] bool is_flat() const { return num_terms_ > 0 && num_terms_ < num_axes_ + 1; }

 private:
  void fill_matrix();
  void choose_terms(std::span<const geometry::Point> centers);
  void fit_terms();
  void find_weights(std::span<const geometry::Point> points);

  const Kernels& kernels_ = kernels();
  const RadialBasisSettings& settings_;
  LinearFit fit_;
  SmallMatrix matrix_;
  std::array<std::vector<double>, 3> coordinates_; // coordinates of the centers, filled up
  std::vector<LaneRow> solution_;                  // of as many right sides as there are lanes

  // The polynomial: terms 1, x, y, z along the principal axes.
  static constexpr std::size_t most_terms = TermRows::most_terms;
  std::size_t num_axes_ = 0;
  std::size_t num_terms_ = 0;
  geometry::Point origin_{};
  std::array<std::array<double, 3>, 3> axes_{}; // of terms 1 and up, divided by the extent
  std::vector<double> terms_;                   // at the centers, a row of most_terms for each
  std::vector<double> fits_;                    // coefficients of a center's value, likewise
};

} // namespace isthmus::radial
