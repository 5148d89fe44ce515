// SPDX-License-Identifier: GPL-3.0-or-later
// The names that fvSolution may give as `solver`. They are known for asymmetric matrices, too, to
// say there what to take instead.
#include "gradients.hpp"

#include "addToRunTimeSelectionTable.H"

#define ISTHMUS_SOLVER(NAME, FORM)                                                            \
  namespace Foam {                                                                            \
  class NAME final : public isthmus::openfoam::Gradients {                                    \
   public:                                                                                    \
    TypeName(#NAME);                                                                          \
    NAME(const word& field, const lduMatrix& matrix, const FieldField<Field, scalar>& outer,  \
         const FieldField<Field, scalar>& inner, const lduInterfaceFieldPtrsList& interfaces, \
         const dictionary& controls)                                                          \
        : Gradients(isthmus::openfoam::Form::FORM, field, matrix, outer, inner, interfaces,   \
                    controls) {}                                                              \
  };                                                                                          \
  defineTypeNameAndDebug(NAME, 0);                                                            \
  lduMatrix::solver::addsymMatrixConstructorToTable<NAME> add##NAME##ToSymMatrixTable;        \
  lduMatrix::solver::addasymMatrixConstructorToTable<NAME> add##NAME##ToAsymMatrixTable;      \
  }

ISTHMUS_SOLVER(PiPePCG, pipelined)
ISTHMUS_SOLVER(RePiPePCG, repipelined)
ISTHMUS_SOLVER(mergedPCG, merged)
ISTHMUS_SOLVER(predictedPCG, predicted)
ISTHMUS_SOLVER(deflatedPCG, deflated)
ISTHMUS_SOLVER(automaticPCG, automatic)
ISTHMUS_SOLVER(mergedPBiCGStab, single_bicgstab)
