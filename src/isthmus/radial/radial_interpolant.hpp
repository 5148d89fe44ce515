// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"
#include "isthmus/radial/radial_basis.hpp"

#include <memory>
#include <span>
#include <vector>

namespace isthmus::radial {

/// The weights with which radial functions at some different centers interpolate from values there.
class RadialInterpolant {
 public:
  /// `centers` must stay as long as the object. Throws if the matrix is singular.
  RadialInterpolant(const RadialBasisSettings& settings, std::span<const geometry::Point> centers);
  RadialInterpolant(RadialInterpolant&&) noexcept;
  ~RadialInterpolant();

  /// One row of weights, one for each center, per point.
  [[nodiscard]] std::vector<double> weights(std::span<const geometry::Point> points) const;

 private:
  struct System;
  std::unique_ptr<System> system_;
};

/// Throw with what to do unless the matrix of so many vertices could be factored.
void check_definite(const RadialBasisSettings& settings, bool is_definite, std::size_t size);
void check_regular(const RadialBasisSettings& settings, bool is_regular, std::size_t size);

} // namespace isthmus::radial
