// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/numerics/block_multigrid.hpp"
#include "convection/numerics/heat.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace isthmus::convection {

struct FlowTerms {
  double viscosity = 1;
  std::span<const double> force; // three per node; empty: none
};

/// When Newton's method ends, and how exactly its linear systems are solved.
struct NewtonSettings {
  double relative = 1e-6; ///< limit of the residual, of the first one of the solve
  double absolute = 1e-12;
  int max_iterations = 20;
  double most_forcing = 0.1; ///< largest tolerance of a linear system
};

/// What prepares the linear systems of the flow.
enum class Preparation {
  blocks,    ///< the inverse of the 4 x 4 block of each node; the same on any ranks
  schwarz,   ///< incomplete factors of each rank's elements
  multigrid, ///< the same as the smoother of a V-cycle: iterations grow little with the mesh
};

struct NewtonReport {
  int iterations = 0;
  int linear_iterations = 0;
  double first = 0; // residual
  double last = 0;
};

/// Incompressible flow, velocity and pressure of equal order: du/dt + u · grad u + grad p
/// - viscosity div grad u = force, div u = 0, with streamline-upwind and pressure-stabilizing
/// weights (SUPG, PSPG; Tezduyar et al. 1992, doi 10.1016/0045-7825(92)90141-6) and least squares
/// of the incompressibility (LSIC; Tezduyar, Osawa 2000, doi 10.1016/S0045-7825(00)00211-5), by an
/// inexact Newton method (Eisenstat, Walker 1996, doi 10.1137/0917003).
class Flow {
 public:
  static constexpr std::size_t width = 4; // three components of the velocity, then the pressure

  /// Collective. All must outlive this.
  Flow(const comm::Comm& comm, const Mesh& mesh, const Edges& edges, const SumWay& way,
       Preparation preparation = Preparation::multigrid);

  /// Unknowns with a mark, four per node, keep their values. Without one of the pressure and
  /// without an opening the pressure has no level: then its mean is made zero.
  void set_fixed(std::vector<char> is_fixed, bool has_level);
  [[nodiscard]] std::span<const char> is_fixed() const { return is_fixed_; }

  /// Collective. Moves `values`, four per node, to the solution of the step. `time.before` has four
  /// per node, too. Throws Error on all ranks if Newton's method stalls.
  NewtonReport solve(const FlowTerms& terms, const TimeDerivative& time,
                     const NewtonSettings& settings, std::span<double> values);

  /// Collective. The force of the flow on what holds each node, three per node: the residual of its
  /// own equations after solve(), which balances exactly; zero where nothing holds it.
  void force(const FlowTerms& terms, const TimeDerivative& time, std::span<const double> values,
             std::span<double> force);

 private:
  /// Of fluid elements: the residual, and the matrix if `is_matrix`.
  void assemble(const FlowTerms& terms, const TimeDerivative& time, std::span<const double> values,
                bool is_matrix);
  /// Collective. The residual, scaled; its norm.
  double finish_residual();
  void remove_level(std::span<double> values);
  /// Collective. Solves for the change; the iterations.
  int find_change(double tolerance);
  /// Collective. Where the residual is largest, in words.
  [[nodiscard]] std::string diagnosis(const FlowTerms& terms, std::span<const double> values) const;
  /// Collective. Throws Error on all ranks; `before` is the residual one iteration earlier.
  [[noreturn]] void fail_to_converge(const FlowTerms& terms, const NewtonReport& report,
                                     double before, std::span<const double> values) const;

  const Mesh& mesh_;
  const Edges& edges_;
  EdgeMatrix<width> matrix_;
  std::optional<BlockMultigrid> multigrid_; // or Schwarz; none: blocks
  std::vector<char> is_fixed_;
  bool has_level_ = true;
  std::vector<double> residual_, change_;
};

} // namespace isthmus::convection
