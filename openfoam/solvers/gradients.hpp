// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "isthmus/la/krylov/solve.hpp"

#include "lduMatrix.H"

namespace isthmus::openfoam {

enum class Form { pipelined, repipelined, merged, predicted, deflated, automatic, single_bicgstab };

/// A linear solver of OpenFOAM that iterates by the kit. fvSolution names it as it names PCG, with
/// the same preconditioners, tolerances and log lines; for symmetric matrices but for
/// single_bicgstab. Forms differ in how many reductions an iteration waits for.
class Gradients : public Foam::lduMatrix::solver {
 public:
  Gradients(Form form, const Foam::word& field, const Foam::lduMatrix& matrix,
            const Foam::FieldField<Foam::Field, Foam::scalar>& outer,
            const Foam::FieldField<Foam::Field, Foam::scalar>& inner,
            const Foam::lduInterfaceFieldPtrsList& interfaces, const Foam::dictionary& controls)
      : solver(field, matrix, outer, inner, interfaces, controls), form_(form) {
    check(matrix);
  }

  /// Collective over the ranks of the matrix. Iterates in the form that was chosen; ends as PCG
  /// does: by tolerance, relTol, minIter and maxIter; a matrix that is not positive definite ends
  /// the program with the field's name.
  Foam::solverPerformance solve(Foam::scalarField& psi, const Foam::scalarField& source,
                                Foam::direction component) const override;

 private:
  /// Ends the program, with what to type, where OpenFOAM or the matrix is none that this can serve.
  void check(const Foam::lduMatrix& matrix) const;
  [[nodiscard]] la::Settings settings() const;

  /// Whether the ranks of the matrix are one, where nobody waits, or multigrid, which waits in
  /// itself, is the preconditioner.
  [[nodiscard]] bool brings_nothing() const;
  /// By what stood there before: PCG, a smoother, PBiCGStab.
  Foam::solverPerformance solve_as_openfoam(Foam::scalarField& psi, const Foam::scalarField& source,
                                            Foam::direction component) const;
  [[nodiscard]] la::Method method() const;
  [[nodiscard]] bool is_for_any_matrix() const { return form_ == Form::single_bicgstab; }
  /// Collective. Iterates in the form, from the guess in x.
  la::Report iterate(la::Operator& matrix, la::Preconditioner& preconditioner,
                     std::span<const double> b, std::span<double> x,
                     const la::Settings& settings) const;

  Form form_;
};

} // namespace isthmus::openfoam
