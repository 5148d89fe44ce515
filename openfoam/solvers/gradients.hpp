// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "isthmus/la/krylov/solve.hpp"

#include "lduMatrix.H"

namespace isthmus::openfoam {

/// A linear solver of OpenFOAM that iterates by the kit. fvSolution names it as it names PCG, with
/// the same preconditioners, tolerances and log lines; for symmetric matrices. Methods differ in
/// how many reductions an iteration waits for.
class Gradients : public Foam::lduMatrix::solver {
 public:
  Gradients(la::Method method, const Foam::word& field, const Foam::lduMatrix& matrix,
            const Foam::FieldField<Foam::Field, Foam::scalar>& outer,
            const Foam::FieldField<Foam::Field, Foam::scalar>& inner,
            const Foam::lduInterfaceFieldPtrsList& interfaces, const Foam::dictionary& controls)
      : solver(field, matrix, outer, inner, interfaces, controls), method_(method) {
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

  la::Method method_;
};

} // namespace isthmus::openfoam
