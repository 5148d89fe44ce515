// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/discrete/tetrahedra.hpp"
#include "isthmus/exchange/interface_plan.hpp"
#include "isthmus/exchange/interface_sum.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::discrete {

/// -div(diffusion grad x) + velocity · grad x, constant coefficients.
struct Transport {
  double diffusion = 1;
  std::array<double, 3> velocity{};
};

/// Galerkin operator of linear tetrahedra on the edges of the mesh, without a matrix:
/// y_i = sum over edges of a_ij (x_j - x_i), because the rows of diffusion and advection sum to
/// zero (Coutinho et al. 2006, doi 10.1002/nme.1557). Edges that touch shared nodes come first, so
/// that the interface travels while the others are done.
class EdgeOperator {
 public:
  /// The part of the operator that the tetrahedra of this rank give. `plan` has the mesh's nodes.
  EdgeOperator(const TetMesh& mesh, const exchange::InterfacePlan& plan,
               const Transport& transport);

  /// Collective as the strategy of `sum`, for as many components. y = A x on all touched nodes,
  /// for each component by itself, summed over the ranks that share them. Allocates nothing.
  void apply(exchange::InterfaceSum& sum, int components, std::span<const double> x,
             std::span<double> y) const;

  /// y = A x of this rank's tetrahedra alone.
  void apply_local(int components, std::span<const double> x, std::span<double> y) const;

  [[nodiscard]] std::size_t num_edges() const {
    return interface_.edges.size() + interior_.edges.size();
  }
  /// Whose work hides the exchange.
  [[nodiscard]] std::size_t num_interior_edges() const { return interior_.edges.size(); }

 private:
  struct Edge {
    LocalIndex j;
    double ij, ji; // coefficients in row i and in row j
  };
  /// Consecutive edges of one node: its sum stays in a register.
  struct Row {
    LocalIndex i;
    LocalIndex num_edges;
  };
  /// Edges ascending by nodes.
  struct Part {
    std::vector<Row> rows;
    std::vector<Edge> edges;
    void add(int components, std::span<const double> x, std::span<double> y) const;
  };
  void reserve_edges(const NodeGraph& graph, std::span<const char> is_shared);

  Part interface_;
  Part interior_;
};

} // namespace isthmus::discrete
