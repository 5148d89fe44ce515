// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/box.hpp"
#include "isthmus/radial/dealt_points.hpp"
#include "isthmus/radial/radial_basis.hpp"

#include <memory>
#include <span>
#include <vector>

namespace isthmus::radial {

/// Interpolation by radial functions between dealt centers and points. Values are `width` columns,
/// one after the other, each with the own centers or points.
class RadialSystem {
 public:
  RadialSystem() = default;
  RadialSystem(const RadialSystem&) = delete;
  RadialSystem& operator=(const RadialSystem&) = delete;
  virtual ~RadialSystem() = default;

  /// Collective. What the functions that take `values` at the centers make of them at the points.
  [[nodiscard]] virtual std::vector<double> interpolate(std::size_t width,
                                                        std::span<const double> values) = 0;
  /// Collective. The transposed, from points to centers.
  [[nodiscard]] virtual std::vector<double> spread(std::size_t width,
                                                   std::span<const double> values) = 0;
  /// Doubles that this rank keeps for matrices and factors.
  [[nodiscard]] virtual std::size_t num_entries() const = 0;
  /// Values of the matrix that are not zero, of the own equations, diagonal included.
  [[nodiscard]] virtual std::size_t num_values() const = 0;
};

/// Collective. Sparse rows, for functions of compact support without a polynomial in the system:
/// conjugate gradients on all ranks or, if the tolerance is 0 (one rank only), Cholesky factors.
/// Null if the factors would not be sparse. Error on all ranks if two centers coincide, a block
/// of the matrix is not positive definite, or the solution does not come near the tolerance.
[[nodiscard]] std::unique_ptr<RadialSystem> make_sparse_system(
    const comm::Comm& comm, const RadialBasisSettings& settings, const DealtPoints& centers,
    std::span<const geometry::Point> points);

/// Collective. Dense columns and their factors, dealt to the ranks in blocks. Error on all ranks if
/// two centers coincide or the matrix is singular.
[[nodiscard]] std::unique_ptr<RadialSystem> make_dense_system(
    const comm::Comm& comm, const RadialBasisSettings& settings, const DealtPoints& centers,
    std::span<const geometry::Point> points);

/// Throws: two centers coincide there.
[[noreturn]] void refuse_duplicates(const RadialBasisSettings& settings,
                                    const geometry::Point& where);

} // namespace isthmus::radial
