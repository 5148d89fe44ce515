// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/elements.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/radial/radial_function.hpp"

#include <array>
#include <memory>
#include <string>

namespace isthmus {
class LogOnce;
}

namespace isthmus::mesh {
class Mesh;
}

namespace isthmus::radial {

using isthmus::Polynomial;

struct RadialBasisSettings {
  RadialFunction function;
  Polynomial polynomial = Polynomial::separate;
  std::array<bool, 3> dead{}; // axes along which places do not differ
  std::string place{};        // of the mapping in the configuration, for messages
  /// What the radial functions add to a separate polynomial is divided by what they make of 1, as
  /// iterative solvers of others do; better beyond the vertices.
  bool rescaled = false;
  /// Of the iterative solution by distribute(), relative to the values; 0: direct.
  double tolerance = 0;
  int threads = 0; // that prepare the mapping; 0: those of parallel_for()
  /// Where interpolate() of clusters says, once, that it falls back on something simpler; or null.
  LogOnce* log = nullptr;
};

/// Radial basis functions of all vertices.
/// interpolate() makes dense rows: the matrix is factored once, by Cholesky's method if it is
/// positive definite, else by LU with pivoting. Cost: n^3 and n^2 per point. It throws if two
/// vertices coincide or if the matrix is singular.
/// distribute() solves the system for each field. Vertices and points are dealt to the ranks by
/// bisection. With functions of compact support, a tolerance and no polynomial in the system, each
/// rank has sparse rows and the vertices within the support of its own; it is solved by conjugate
/// gradients with Cholesky factors of the block of each rank. Everything else is dense and factored
/// as above, columns and rows dealt to the ranks: of n vertices and m points (n + m) n / p entries
/// each. On one rank, functions of compact support have sparse factors unless an eighth of the
/// matrix is not zero.
/// Source: A. Beckert, H. Wendland, Aerosp. Sci. Technol. 5 (2001) 125, doi
/// 10.1016/S1270-9638(00)01087-7.
[[nodiscard]] std::unique_ptr<mapping::Mapping> make_global_radial_basis(
    const mesh::Mesh& mesh, RadialBasisSettings settings);

} // namespace isthmus::radial
