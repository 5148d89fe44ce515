// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/la/matrix.hpp"

namespace isthmus::la {

/// Collective. P' A P for a square A and a P with as many rows. Ranks exchange rows of P and sums
/// for rows of the product with those that they exchange vectors with, nothing with others.
[[nodiscard]] Matrix galerkin_product(const Matrix& a, const Matrix& p);

} // namespace isthmus::la
