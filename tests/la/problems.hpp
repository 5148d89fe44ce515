// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/la/matrix.hpp"

#include <vector>

/// Systems that the tests solve, dealt to the ranks in strips of rows.
namespace isthmus::la::testing {

/// The first of n things that rank r of p has.
[[nodiscard]] std::size_t first_of(std::size_t n, int rank, int size);

/// The rows of this rank of the diffusion in a square of n by n cells, zero on the border: 1 in
/// general, `jump` in the middle ninth.
[[nodiscard]] GlobalRows diffusion(const comm::Comm& comm, std::size_t n, double jump);
/// The same with closed borders: constants are its null space.
[[nodiscard]] GlobalRows closed_diffusion(const comm::Comm& comm, std::size_t n);
/// The diffusion in a cube of n^3 cells, zero on the border.
[[nodiscard]] GlobalRows cube_diffusion(const comm::Comm& comm, std::size_t n);
/// With a flow across the square: not symmetric.
[[nodiscard]] GlobalRows convection(const comm::Comm& comm, std::size_t n, double speed);

/// Entry g of a vector that looks random, the same for any number of ranks; -0.5…0.5.
[[nodiscard]] double noise(GlobalIndex g);
/// This rank's part of it.
[[nodiscard]] std::vector<double> noise(const Matrix& matrix);

/// The solution of the whole system by Gauss elimination, this rank's part.
[[nodiscard]] std::vector<double> direct(const Matrix& matrix, std::span<const double> b);

/// Largest difference on any rank.
[[nodiscard]] double distance(const comm::Comm& comm, std::span<const double> a,
                              std::span<const double> b);

} // namespace isthmus::la::testing
