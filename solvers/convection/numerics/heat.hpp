// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/numerics/edge_matrix.hpp"

#include <span>
#include <vector>

namespace isthmus::convection {

/// What the derivative in time of a nodal value is: now * value + before, with what is known of
/// earlier steps in `before` (backward differences of first or second order; 0: steady).
struct TimeDerivative {
  double now = 0;                 // per value
  std::span<const double> before; // as the values; empty: none
};

/// What conducts in solid elements, in units in which the fluid's heat capacity is 1.
struct Solid {
  double conductivity = 1;
  double capacity = 1;
};

/// Temperature, or what else a flow carries: dT/dt + u · grad T - div(diffusivity grad T) = source,
/// with streamline-upwind weights (SUPG; Brooks, Hughes, doi 10.1016/0045-7825(82)90071-8) whose
/// length in time is that of Shakib (doi 10.1016/0045-7825(91)90041-4), without the step.
struct HeatTerms {
  double diffusivity = 1;
  std::span<const double> velocity; // three per node
  std::span<const double> source;   // one per node; empty: none
  bool captures = false;            // discontinuities; see Heat
  Solid solid = {};
  double reference = 0; // temperature near those of the flow; see Heat
};

/// What one solve came to.
struct SolveReport {
  int iterations = 0;
  double residual = 0; // before, its norm
};

/// The temperature. Where it `captures` discontinuities, elements conduct more by half their length
/// times the strong residual over the gradient (YZbeta with beta 1: Tezduyar, Senga 2006, doi
/// 10.1016/j.cma.2005.05.032), at most by that of upwinding, as the values at the start of a solve
/// say, and less where elements are small enough for conduction: fronts then overshoot less, and
/// smooth temperatures keep the order.
///
/// The linear velocity is not free of sources between nodes. What it carries is what the
/// temperature exceeds a reference by, div (u (T - reference)) instead of u · grad T: so what
/// enters a closed box leaves it as exactly as the equations are solved, whatever the reference is;
/// near the reference the two are the same, and a uniform temperature of that value stays.
class Heat {
 public:
  /// Collective. All must outlive this.
  Heat(const comm::Comm& comm, const Mesh& mesh, const Edges& edges, const SumWay& way);

  /// Nodes with a mark keep their values.
  void set_fixed(std::vector<char> is_fixed);
  [[nodiscard]] std::span<const char> is_fixed() const { return is_fixed_; }

  /// Collective. Moves `values`, one per node, to the solution of the step, by GMRES(25) with the
  /// diagonal as preconditioner, until the residual is `tolerance` of what it was. Throws Error on
  /// all ranks if that fails.
  SolveReport solve(const HeatTerms& terms, const TimeDerivative& time, double tolerance,
                    std::span<double> values);

  /// Collective. The heat that enters through the fixed nodes, each its part of the boundary: the
  /// residual of their own equations after solve(), which balances exactly.
  void flux(const HeatTerms& terms, const TimeDerivative& time, std::span<const double> values,
            std::span<double> flux);

 private:
  /// Adds to `residual`, and to the matrix if `is_matrix`.
  void assemble(const HeatTerms& terms, const TimeDerivative& time, std::span<const double> values,
                std::span<double> residual, bool is_matrix);
  void find_captures(const HeatTerms& terms, const TimeDerivative& time,
                     std::span<const double> values);

  const Edges& edges_;
  EdgeMatrix<1> matrix_;
  std::vector<char> is_fixed_;
  std::vector<double> residual_, change_;
  std::vector<double> captured_; // diffusivity that each element gets besides
};

/// The time of streamline weights: (4 |u|^2 / h^2 + 9 (4 k / h^2)^2)^-1/2.
[[nodiscard]] double stabilization_time(double speed, double diffusivity, double length);

/// Collective. GMRES(25) on scaled vectors. Returns the iterations. Throws Error naming `what`
/// unless it converges.
int solve_linear(la::Operator& matrix, la::Preconditioner& preconditioner,
                 std::span<const double> b, std::span<double> x, double tolerance,
                 const char* what);

} // namespace isthmus::convection
