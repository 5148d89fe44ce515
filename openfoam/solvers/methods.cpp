// SPDX-License-Identifier: GPL-3.0-or-later
// The names that fvSolution may give as `solver`. Gradients are known for asymmetric matrices, too,
// to say there what to take instead.
#include "gradients.hpp"
#include "smoothing.hpp"

#include "addToRunTimeSelectionTable.H"

#define ISTHMUS_SOLVER(NAME, BASE, ARGUMENTS)                                                 \
  namespace Foam {                                                                            \
  class NAME final : public isthmus::openfoam::BASE {                                         \
   public:                                                                                    \
    TypeName(#NAME);                                                                          \
    NAME(const word& field, const lduMatrix& matrix, const FieldField<Field, scalar>& outer,  \
         const FieldField<Field, scalar>& inner, const lduInterfaceFieldPtrsList& interfaces, \
         const dictionary& controls)                                                          \
        : BASE ARGUMENTS {}                                                                   \
  };                                                                                          \
  defineTypeNameAndDebug(NAME, 0);                                                            \
  lduMatrix::solver::addsymMatrixConstructorToTable<NAME> add##NAME##ToSymMatrixTable;        \
  lduMatrix::solver::addasymMatrixConstructorToTable<NAME> add##NAME##ToAsymMatrixTable;      \
  }
#define ISTHMUS_GRADIENTS(NAME, FORM) \
  ISTHMUS_SOLVER(                     \
      NAME, Gradients,                \
      (isthmus::openfoam::Form::FORM, field, matrix, outer, inner, interfaces, controls))

ISTHMUS_GRADIENTS(PiPePCG, pipelined)
ISTHMUS_GRADIENTS(RePiPePCG, repipelined)
ISTHMUS_GRADIENTS(mergedPCG, merged)
ISTHMUS_GRADIENTS(predictedPCG, predicted)
ISTHMUS_GRADIENTS(deflatedPCG, deflated)
ISTHMUS_GRADIENTS(automaticPCG, automatic)
ISTHMUS_GRADIENTS(mergedPBiCGStab, single_bicgstab)
ISTHMUS_SOLVER(pipelinedSmoothSolver, Smoothing,
               (field, matrix, outer, inner, interfaces, controls))
